import { describe, expect, it } from 'vitest';
import { DriverError } from '../../src/index.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { failureOf } from '../support/failure-of.ts';
import { expectGoesOn, expectWorks, ORDINARY_PART } from './works-on.ts';

// On a busy machine the browser itself takes seconds to work off what these pages do; what hangs is given limits of its own.
const odd = oddPages({ defaultTimeout: 15_000, domSettleTimeout: 1000 });

describe('restless page', () => {
  it.each<readonly [what: string, script: string]>([
    [
      'changes in every animation frame',
      `(function change() { document.body.title = Math.random(); requestAnimationFrame(change) })()`,
    ],
    [
      'adds and removes elements all the time',
      `setInterval(() => { const p = document.createElement('p'); p.textContent = 'Ad'; document.body.append(p); setTimeout(() => p.remove(), 5) }, 3)`,
    ],
    [
      'mutates on every mutation',
      `new MutationObserver(() => { window.seen = (window.seen ?? 0) + 1; document.documentElement.dataset.seen = window.seen })
        .observe(document.documentElement, { attributes: true, subtree: true, attributeFilter: ['class', 'title'] })`,
    ],
    ['has long tasks', `setInterval(() => { const end = Date.now() + 60; while (Date.now() < end); }, 90)`],
    [
      'throws all the time',
      `setInterval(() => { throw new Error('broken') }, 5); setInterval(() => Promise.reject(new Error('broken')), 5)`,
    ],
    [
      'writes to the console all the time',
      `setInterval(() => console.log('x'.repeat(1e4), { a: [1] }, document.body), 5)`,
    ],
    [
      'replaces its URL every 60 ms',
      `let n = 0; setInterval(() => history.replaceState(null, '', '#' + (n += 1)), 60)`,
    ],
    [
      'adds and removes frames all the time',
      `setInterval(() => { const f = document.createElement('iframe'); document.documentElement.append(f); setTimeout(() => f.remove(), 20) }, 50)`,
    ],
    [
      'attaches shadow roots all the time',
      `setInterval(() => { const d = document.createElement('div'); d.attachShadow({ mode: 'closed' }).innerHTML = '<b>Ad</b>'; document.documentElement.append(d); setTimeout(() => d.remove(), 20) }, 50)`,
    ],
    [
      'replaces its shadow trees',
      `const host = document.createElement('div'); document.documentElement.append(host); const root = host.attachShadow({ mode: 'open' }); setInterval(() => { root.innerHTML = '<i>' + Math.random() + '</i>' }, 10)`,
    ],
    ['scrolls by itself', `setInterval(() => scrollTo(0, Math.random() * 3), 20)`],
    [
      'animates without end',
      `document.documentElement.animate([{ outlineColor: 'red' }, { outlineColor: 'blue' }], { duration: 100, iterations: Infinity })`,
    ],
    ['pushes history states', `setInterval(() => history.pushState(0, '', '#' + Math.random()), 20)`],
    [
      'changes its hash on every hashchange',
      `onhashchange = () => setTimeout(() => { location.hash = '#' + Math.random() }, 5); location.hash = '#first'`,
    ],
    ['calls window.stop() every 5 ms', `setInterval(() => window.stop(), 5)`],
    [
      'blocks 30 ms of every animation frame',
      `(function frame() { const start = performance.now(); while (performance.now() - start < 30); requestAnimationFrame(frame) })()`,
    ],
    [
      'throws in document.hidden',
      `Object.defineProperty(document, 'hidden', { get() { throw new Error('hidden') } }); setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 2)`,
    ],
    [
      'has parts that own each other',
      `document.body.insertAdjacentHTML('beforeend', ['1 23', '2 31', '3 12'].map(([id, , ...others]) => '<div role="button" id="own' + id + '" aria-owns="' + others.map((other) => 'own' + other).join(' ') + '">Part</div>').join(''))`,
    ],
    ['sends messages to itself', `onmessage = () => setTimeout(() => postMessage('again'), 1); postMessage('first')`],
    [
      'stops every event',
      `for (const type of ['click', 'mousedown', 'pointerdown', 'keydown', 'input']) document.addEventListener(type, (event) => event.stopPropagation())`,
    ],
    [
      'takes the focus away',
      `setInterval(() => { if (document.activeElement?.tagName === 'BUTTON') document.activeElement.blur() }, 10)`,
    ],
  ])('reads and acts on a page that %s', async (_what, script) => {
    await odd.open(`${ORDINARY_PART}<script>${script}</script>`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('reads a page that rewrites itself every 15 ms', async () => {
    await odd.open(`<p>Loading</p><script>const body = ${JSON.stringify(ORDINARY_PART.replaceAll('\n', ''))};
      let left = 40; const timer = setInterval(() => { document.open(); document.write(body); document.close(); if ((left -= 1) === 0) clearInterval(timer) }, 15)</script>`);
    for (let time = 0; time < 10; time += 1) expect((await odd.page.snapshot()).text).toBeTypeOf('string');
    await odd.page.waitForSelector('#buy');
    await expect.poll(async () => odd.page.evaluate('left')).toBe(0);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('reads a page that reloads itself 6 times', async () => {
    await odd.open(
      `${ORDINARY_PART}<script>if (Number(sessionStorage.n ?? 0) < 6) { sessionStorage.n = Number(sessionStorage.n ?? 0) + 1; setTimeout(() => location.reload(), 30) } else window.isLast = true</script>`,
    );
    for (let time = 0; time < 10; time += 1) expect((await odd.page.snapshot()).text).toBeTypeOf('string');
    await expect.poll(async () => odd.page.evaluate('window.isLast').catch(() => null)).toBe(true);
    await odd.page.waitForSelector('#buy');
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });
});

/** What makes a page answer nothing any more, once it is there. */
const hangs: readonly (readonly [what: string, script: string])[] = [
  ['an endless loop', `for (;;) {}`],
  ['endless microtasks', `(function again() { Promise.resolve().then(again) })()`],
  ['a regular expression that never ends', `/^(a+)+$/.test('a'.repeat(60) + 'b')`],
  [
    'an endless mutation loop',
    `new MutationObserver(() => document.body.append('x')).observe(document, { childList: true, subtree: true }); document.body.append('x')`,
  ],
];

describe('hanging page', () => {
  it.each(hangs)('every call on a page in %s times out, and other pages still work', async (_what, script) => {
    const { driver } = odd;
    const page = await driver.context.newPage(
      odd.server.page(
        '/hangs',
        `<title>Hangs</title>${ORDINARY_PART}<script>addEventListener('message', () => { ${script} })</script>`,
      ),
    );
    await page.evaluate('postMessage(1)');
    const timeout = 300;
    const calls: readonly Promise<unknown>[] = [
      page.evaluate('1', undefined, { timeout }),
      page.locator('#buy').click({ timeout }),
      page.locator('#name').fill('x', { timeout }),
      page.locator('#buy').textContent({ timeout }),
      page.locator('#buy').count({ timeout }),
      page.waitForSelector('#buy', { timeout }),
      page.snapshot({ timeout }),
      page.screenshot({ timeout }),
      driver.act({ selector: '#buy', description: '', method: 'click', arguments: [] }, { page, timeout }),
      driver.extract({ page, timeout }),
      driver.observe({ page, timeout }),
    ];
    const failures = await Promise.all(calls.map(failureOf));
    expect(failures.map((failure) => (failure instanceof DriverError ? failure.code : String(failure)))).toEqual(
      calls.map(() => 'TIMEOUT'),
    );
    await expect(expectGoesOn(odd)).resolves.toBeUndefined();
    await page.close();
    expect(driver.context.pages()).toEqual([odd.page]);
  });
});

describe('click that blocks the page', () => {
  const started: readonly (readonly [what: string, script: string])[] = [
    ['an endless loop', 'for (;;) {}'],
    ['endless microtasks', '(function again() { Promise.resolve().then(again) })()'],
  ];
  it.each(started)('click() times out when it starts %s', async (_what, script) => {
    const page = await odd.driver.context.newPage(
      odd.server.page('/starts', `<button onclick="${script}">Go</button>`),
    );
    expect(await failureOf(page.locator('button').click({ timeout: 500 }))).toMatchObject({
      name: 'DriverTimeoutError',
      operation: 'locator.click',
    });
    expect(await failureOf(page.locator('button').textContent({ timeout: 300 }))).toMatchObject({
      name: 'DriverTimeoutError',
    });
    await page.close();
    await expect(expectGoesOn(odd)).resolves.toBeUndefined();
  });

  it('click() resolves after 90 dialogs in a row', async () => {
    await odd.open(
      `${ORDINARY_PART}<button id="ask" onclick="for (let i = 0; i < 30; i += 1) { alert(i); confirm(i); prompt(i) } this.textContent = 'Asked'">Ask</button>`,
    );
    await odd.page.locator('#ask').click();
    expect(await odd.page.locator('#ask').textContent()).toBe('Asked');
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('rejects a click that opens endless dialogs, and other pages still work', async () => {
    const page = await odd.driver.context.newPage(
      odd.server.page('/alerts', `<button onclick="for (;;) alert('again')">Ask</button>`),
    );
    expect(await failureOf(page.locator('button').click({ timeout: 600 }))).toBeInstanceOf(DriverError);
    odd.driver.context.setActivePage(odd.page);
    await expect(expectGoesOn(odd)).resolves.toBeUndefined();
    await page.close();
  });

  it('still works after a click opens 12 windows', async () => {
    await odd.open(
      `${ORDINARY_PART}<button id="flood" onclick="for (let i = 0; i < 12; i += 1) window.open('about:blank', 'w' + i)">Flood</button>`,
    );
    await odd.page.locator('#flood').click();
    await expect.poll(() => odd.driver.context.pages().length, { timeout: 10_000 }).toBeGreaterThan(1);
    await Promise.all(
      odd.driver.context
        .pages()
        .filter((page) => page !== odd.page)
        .map((page) => page.close()),
    );
    await expect(expectGoesOn(odd)).resolves.toBeUndefined();
    await Promise.all(
      odd.driver.context
        .pages()
        .filter((page) => page !== odd.page)
        .map((page) => page.close()),
    );
  });
});

describe('page with a hanging frame', () => {
  it('times out in a hanging cross-origin frame and acts on the rest of the page', async () => {
    odd.server.page(
      '/hanging-frame',
      `<p>Inside</p><script>addEventListener('message', () => { for (;;) {} })</script>`,
    );
    await odd.open(`${ORDINARY_PART}<iframe src="${odd.server.otherOrigin}/hanging-frame"></iframe>`);
    await odd.page.waitForSelector('iframe >> p');
    await odd.page.evaluate('document.querySelector("iframe").contentWindow.postMessage(1, "*")');
    // The message may come to the frame after the first call.
    await expect
      .poll(() => failureOf(odd.page.locator('iframe >> p').textContent({ timeout: 300 })))
      .toMatchObject({ name: 'DriverTimeoutError' });
    expect(await odd.page.locator('#note').textContent()).toBe('Two mugs are left.');
    await odd.page.locator('#buy').click();
    expect(await odd.page.locator('#buy').textContent()).toBe('Bought');
    await odd.page.evaluate('document.querySelector("iframe").remove()');
    await expect(expectGoesOn(odd)).resolves.toBeUndefined();
  });
});
