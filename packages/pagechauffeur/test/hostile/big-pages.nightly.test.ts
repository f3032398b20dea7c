import { describe, expect, it } from 'vitest';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { failureOf } from '../support/failure-of.ts';
import { expectGoesOn, expectWorks, ORDINARY_PART } from './works-on.ts';

// Nothing here waits: a page of this size takes the browser seconds of its own, and a busy machine many times as long.
const LONG = 240_000;
const odd = oddPages({ defaultTimeout: LONG, domSettleTimeout: 3000 });

it(
  'reads a page of 200,000 elements and clicks the last one',
  async () => {
    await odd.open(`${ORDINARY_PART}<ul style="list-style: none"></ul><script>
    document.querySelector('ul').innerHTML = Array.from({ length: 100_000 }, (_, i) => '<li><b>Item ' + i + '</b></li>').join('') + '<li><button id="last">Last</button></li>'</script>`);
    const { text } = await odd.page.snapshot();
    expect(text).toContain('button "Last"');
    expect(await odd.page.locator('li').count()).toBe(100_001);
    expect(await odd.page.locator('li >> nth=99999').textContent()).toBe('Item 99999');
    await odd.page.locator('#last').click();
    await odd.page.locator('#name').fill('Ada');
    expect(await odd.page.locator('#name').inputValue()).toBe('Ada');
    expect((await odd.act('#last')).success).toBe(true);
  },
  LONG,
);

it(
  'reads a document with 50,000 nested elements in a hidden part',
  async () => {
    const page = await odd.driver.context.newPage(
      odd.server.page('/deep', '<title>Deep</title><button>Beside</button><div id="outer" hidden></div>'),
    );
    await page.evaluate(
      `{ let inner = outer; for (let depth = 0; depth < 50000; depth += 1) inner = inner.appendChild(document.createElement('div'));
         inner.innerHTML = '<button>Deep</button>'; } 0`,
    );
    expect((await page.snapshot({ timeout: 60_000 })).text).toMatch(/^e\d+ button "Beside"$/);
    await page.close();
  },
  LONG,
);

it(
  'folds 200,000 elements to the token budget and keeps the heap size',
  async () => {
    await odd.open('<!doctype html><title>Large</title><body><h1>Large</h1><ul></ul><button>Last</button>');
    await odd.page.evaluate(
      `document.querySelector('ul').innerHTML = Array.from({ length: 100000 }, (_, index) => '<li><b>Item ' + index + '</b></li>').join(''); 0`,
    );
    const read = async (): Promise<void> => {
      const { text } = await odd.page.snapshot({ timeout: 60_000 });
      expect(tokensIn(text)).toBeGreaterThan(6500 * 0.6);
      expect(tokensIn(text)).toBeLessThan(6500 * 1.2);
      expect(text).toContain('button "Last"');
    };
    await read();
    const before = await usedHeap();
    for (let time = 0; time < 2; time += 1) await read();
    expect((await usedHeap()) - before).toBeLessThan(20_000_000);
  },
  LONG,
);

async function usedHeap(): Promise<number> {
  await odd.page.sendCDP('HeapProfiler.collectGarbage');
  const { usedSize } = (await odd.page.sendCDP('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}

/** Opens a page of elements in elements; the innermost holds a button, a field and words. */
async function openDeep(depth: number, nest: string): Promise<void> {
  await odd.open(`${ORDINARY_PART}<script>
    let inner = document.body.appendChild(document.createElement('div')); inner.id = 'outer';
    for (let depth = 0; depth < ${depth}; depth += 1) { const element = document.createElement('div'); inner.append(element); inner = element; ${nest} }
    inner.innerHTML = '<button id="deep">Deep</button><input aria-label="Deep field"><p id="words">Words down here</p>';
    inner.querySelector('button').onclick = (event) => { event.target.textContent = 'Reached'; };</script>`);
}

/** Reads and works what `openDeep` put into the innermost element. */
async function expectReached(): Promise<void> {
  const { page, driver } = odd;
  const { text } = await page.snapshot();
  for (const line of ['button "Deep"', 'textbox "Deep field"', '- Words down here'])
    expect(text.split(line).length - 1, line).toBe(1);
  expect(await page.getByRole('button', { name: 'Deep' }).count()).toBe(1);
  expect(await page.locator('text=words down').textContent()).toBe('Words down here');
  await page.locator('#deep').click();
  expect(await page.locator('#deep').textContent()).toBe('Reached');
  await page.getByLabel('Deep field').fill('Ada');
  const field = (await driver.observe()).find(({ description }) => description.includes('Deep field'));
  expect(await page.locator(field?.selector ?? '').inputValue()).toBe('Ada');
  expect((await driver.extract()).pageText).toContain('Words down here');
}

describe('deeply nested content', () => {
  it.each([
    ['in boxes', ''],
    ['in shadow roots', `inner = element.attachShadow({ mode: 'open' });`],
    ['in boxes without a size', `element.style.height = 0;`],
    ['in labelled groups', `element.setAttribute('role', 'group'); element.setAttribute('aria-label', 'Part');`],
    ['in inline elements', `element.style.display = 'inline';`],
  ])('reads once and acts on content nested 2,000 deep %s', async (_what, nest) => {
    await openDeep(2000, nest);
    await expect(expectReached()).resolves.toBeUndefined();
  });

  it('reads once and acts on content in 100 nested closed shadow roots', async () => {
    await openDeep(100, `inner = element.attachShadow({ mode: 'closed' });`);
    await expect(expectReached()).resolves.toBeUndefined();
  });
});

it(
  'names each of 2,000 nested buttons by all content inside it',
  async () => {
    await openDeep(2000, `element.role = 'button';`);
    const { text } = await odd.page.snapshot({ tokenBudget: 1_000_000 });
    expect(text.match(/button "Deep[^"]* Words down here"/g)).toHaveLength(2000);
    expect(await odd.page.getByRole('button', { name: 'Words down here' }).count()).toBe(2000);
  },
  LONG,
);

it(
  'observe() returns short selectors that resolve to each of 2,000 nested buttons',
  async () => {
    await openDeep(2000, `element.role = 'button'; element.id = 'at' + depth;`);
    const found = await odd.driver.observe();
    const deep = found.filter(({ selector }) => selector.includes('/descendant::'));
    expect(deep.length).toBeGreaterThan(1700);
    expect(Math.max(...found.map(({ selector }) => selector.length))).toBeLessThan(2500);
    const ids = [0, 1000, 1700].map((at) => odd.page.locator(deep[at]?.selector ?? '').getAttribute('id'));
    const depths = (await Promise.all(ids)).map((id) => Number(id?.slice(2)));
    expect(depths.map((depth) => depth - (depths[0] ?? 0))).toEqual([0, 1000, 1700]);
  },
  LONG,
);

describe('hidden content nested 5,000 deep', () => {
  it.each(['display: none', 'content-visibility: hidden'])(
    'locators find content under %s, and the snapshot omits it',
    async (style) => {
      await odd.open(`${ORDINARY_PART}<div id="outer" style="${style}"></div><script>
      let inner = outer; for (let depth = 0; depth < 5000; depth += 1) { const div = document.createElement('div'); inner.append(div); inner = div; }
      inner.innerHTML = '<button id="deep">Deep</button>'</script>`);
      expect(await odd.page.locator('#deep').count()).toBe(1);
      expect(await odd.page.locator('#deep').textContent()).toBe('Deep');
      expect(await odd.page.locator('text=Deep').count()).toBe(1);
      expect(await odd.text()).not.toContain('Deep');
      await expect(odd.page.locator('#deep').click({ timeout: 2000 })).rejects.toThrow('hidden');
    },
  );
});

it('reports a page crash for 20,000 nested boxes, and other pages still work', async () => {
  const page = await odd.driver.context.newPage(odd.server.page('/too-deep', '<p>Too deep</p>'));
  const nest = `let inner = document.body; for (let depth = 0; depth < 20000; depth += 1) { const div = document.createElement('div'); inner.append(div); inner = div; } document.body.offsetHeight`;
  expect(await failureOf(page.evaluate(nest))).toMatchObject({
    code: 'CLOSED',
    message: expect.stringContaining('crashed'),
  });
  for (const call of [page.snapshot(), page.locator('p').click(), page.screenshot()])
    expect(await failureOf(call)).toMatchObject({ code: 'CLOSED' });
  await expect(expectGoesOn(odd)).resolves.toBeUndefined();
});

it(
  'reads a text of 1,000,000 characters completely',
  async () => {
    await odd.open(`${ORDINARY_PART}<p id="long"></p><script>long.textContent = 'word '.repeat(200_000)</script>`);
    expect((await odd.page.locator('#long').textContent()).length).toBe(1_000_000);
    expect((await odd.page.locator('#long').innerText()).length).toBeGreaterThan(999_990);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);

it(
  'reads an attribute of 1,000,000 characters completely',
  async () => {
    await odd.open(`${ORDINARY_PART}<button id="long">Long</button><script>
    for (const name of ['title', 'class', 'aria-label', 'data-x', 'href']) long.setAttribute(name, 'a'.repeat(1_000_000))</script>`);
    expect((await odd.page.locator('#long').getAttribute('data-x'))?.length).toBe(1_000_000);
    await odd.page.locator('#long').click();
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);

it(
  'reads 80 frames and clicks in the last one',
  async () => {
    odd.server.page('/small', '<button>Small</button>');
    await odd.open(`${ORDINARY_PART}${'<iframe src="/small" width="99" height="40"></iframe>'.repeat(80)}`);
    expect((await odd.text()).match(/button "Small"/g)).toHaveLength(80);
    await odd.page.locator('iframe >> nth=79 >> button').click();
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);

it(
  'reads frames that embed their own page as deep as the browser loads them',
  async () => {
    await odd.open(`${ORDINARY_PART}<iframe src="?1"></iframe>`);
    expect((await odd.text()).match(/button "Buy"/g)?.length).toBeGreaterThan(0);
    await odd.open((request, response) => {
      const depth = Number(new URL(request.url ?? '', 'http://x').searchParams.get('depth') ?? 0);
      response.setHeader('content-type', 'text/html');
      response.end(`<button>Level ${depth}</button>${depth < 12 ? `<iframe src="?depth=${depth + 1}"></iframe>` : ''}`);
    });
    await odd.page.waitForSelector(`${'iframe >> '.repeat(12)}button`, { state: 'attached' });
    expect((await odd.driver.extract()).pageText).toContain('Level 12');
  },
  LONG,
);

it(
  'selects the last of 20,000 options',
  async () => {
    await odd.open(
      `${ORDINARY_PART}<select id="many"></select><script>many.innerHTML = Array.from({ length: 20_000 }, (_, i) => '<option>Option ' + i).join('')</script>`,
    );
    expect(await odd.page.locator('#many').selectOption('Option 19999')).toEqual(['Option 19999']);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);

it(
  'reads and acts on a page with 10,000 style rules',
  async () => {
    await odd.open(`${ORDINARY_PART}<style></style><script>
    document.querySelector('style').textContent = Array.from({ length: 10_000 }, (_, i) => '.c' + i + '::before { content: "x"; color: red } .c' + i + ' > :is(a, b) { display: block }').join('')</script>`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);
