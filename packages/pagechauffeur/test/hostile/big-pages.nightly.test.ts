import { describe, expect, it } from 'vitest';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { failureOf } from '../support/failure-of.ts';
import { expectGoesOn, expectWorks, ORDINARY_PART } from './works-on.ts';

// Nothing here waits: a page of this size takes the browser seconds of its own, and a busy machine many times as long.
const LONG = 240_000;
const odd = oddPages({ defaultTimeout: LONG, domSettleTimeout: 3000 });

it(
  '200,000 elements are all read, and the last one is found and clicked',
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

it.each([
  ['hidden', 'document.body.hidden = true', ''],
  ['shown', '', 'e1 button "Deep"'],
])(
  'answers or says why not on a document that is 50,000 deep, %s',
  async (_what, before, expected) => {
    const page = await odd.driver.context.newPage(odd.server.page('/deep', '<title>Deep</title><body>'));
    // Chromium itself may crash when it lays out so many boxes.
    const answered = await page
      .evaluate(
        `${before}; { let inner = document.body; for (let depth = 0; depth < 50000; depth += 1) inner = inner.appendChild(document.createElement('div'));
           inner.innerHTML = '<button>Deep</button>'; } 0`,
      )
      .then(() => page.snapshot({ timeout: 60_000 }))
      .then(
        ({ text }) => text,
        (error: unknown) => error,
      );
    expect(String(answered)).toBeOneOf([expected, expect.stringMatching(/page crashed/)]);
    await page.close();
  },
  LONG,
);

it(
  'folds 200,000 elements to the budget, and keeps no more of them than before',
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

describe('what is 2,000 deep is read once and acted on', () => {
  it.each([
    ['in boxes', ''],
    ['in shadow roots', `inner = element.attachShadow({ mode: 'open' });`],
    ['in boxes without a size', `element.style.height = 0;`],
    ['in lines', `element.setAttribute('role', 'group'); element.setAttribute('aria-label', 'Part');`],
    ['in letters', `element.style.display = 'inline';`],
  ])('%s', async (_what, nest) => {
    await openDeep(2000, nest);
    await expect(expectReached()).resolves.toBeUndefined();
  });

  it('in closed shadow roots, 100 of them', async () => {
    await openDeep(100, `inner = element.attachShadow({ mode: 'closed' });`);
    await expect(expectReached()).resolves.toBeUndefined();
  });
});

it(
  'buttons in buttons, 2,000 of them, are each named by all that is in them',
  async () => {
    await openDeep(2000, `element.role = 'button';`);
    const { text } = await odd.page.snapshot({ tokenBudget: 1_000_000 });
    expect(text.match(/button "Deep[^"]* Words down here"/g)).toHaveLength(2000);
    expect(await odd.page.getByRole('button', { name: 'Words down here' }).count()).toBe(2000);
  },
  LONG,
);

it(
  'buttons in buttons, 2,000 of them, are each found with a short path that leads back to it',
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

describe('what is 5,000 deep and not shown', () => {
  it.each(['display: none', 'content-visibility: hidden'])('by %s is found, read and left out', async (style) => {
    await odd.open(`${ORDINARY_PART}<div id="outer" style="${style}"></div><script>
      let inner = outer; for (let depth = 0; depth < 5000; depth += 1) { const div = document.createElement('div'); inner.append(div); inner = div; }
      inner.innerHTML = '<button id="deep">Deep</button>'</script>`);
    expect(await odd.page.locator('#deep').count()).toBe(1);
    expect(await odd.page.locator('#deep').textContent()).toBe('Deep');
    expect(await odd.page.locator('text=Deep').count()).toBe(1);
    expect(await odd.text()).not.toContain('Deep');
    await expect(odd.page.locator('#deep').click({ timeout: 2000 })).rejects.toThrow('hidden');
  });
});

it('boxes deeper than the browser can lay out end their page, and the driver goes on', async () => {
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
  'a text of a million characters is read whole',
  async () => {
    await odd.open(`${ORDINARY_PART}<p id="long"></p><script>long.textContent = 'word '.repeat(200_000)</script>`);
    expect((await odd.page.locator('#long').textContent()).length).toBe(1_000_000);
    expect((await odd.page.locator('#long').innerText()).length).toBeGreaterThan(999_990);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);

it(
  'an attribute of a million characters is read whole',
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
  '80 frames are all read, and the last is acted in',
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
  'frames that hold their own page again end where the browser ends them',
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
  'a select with 20,000 options is read and chosen from',
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
  '10,000 styles and rules do not keep a snapshot from its end',
  async () => {
    await odd.open(`${ORDINARY_PART}<style></style><script>
    document.querySelector('style').textContent = Array.from({ length: 10_000 }, (_, i) => '.c' + i + '::before { content: "x"; color: red } .c' + i + ' > :is(a, b) { display: block }').join('')</script>`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  },
  LONG,
);
