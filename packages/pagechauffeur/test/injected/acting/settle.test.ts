import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const text = (selector: string): Promise<unknown> =>
  page.call('read', { selector }, 'textContent').then((answer) => (answer.kind === 'value' ? answer.value : answer));

test('settles a static page after two or three frames', async () => {
  await page.show('<button id="b">Go</button>');
  const world = await page.world();
  await world.evaluate(
    `globalThis.measured = (async () => {
      const owner = { token: 1, within: [] };
      await chauffeur.prepare({ selector: '#b' }, { owner, action: 'focus', timeout: 0 });
      let frames = 0; const count = () => { frames += 1; requestAnimationFrame(count); }; requestAnimationFrame(count);
      const report = await chauffeur.settle({ owner, timeout: 20_000, eventTimeout: 0 });
      return { frames, quiet: report.quiet };
    })(); 0`,
    null,
  );
  expect(await world.evaluate('measured', null)).toEqual({ frames: expect.toBeOneOf([2, 3]), quiet: true });
});

test.each([
  ['a control in an open', 'open', '<button>Go</button>'],
  ['text in an open', 'open', '<style>p { color: red }</style><p>Ready</p>'],
  ['a control in a closed', 'closed', '<button>Go</button>'],
])('settles in under 10 frames on a page that contains only %s shadow root', async (_what, mode, content) => {
  const attach = `host.attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(content)}`;
  await page.show(`<div id="host"></div><script>${attach}</script>`);
  const world = await page.world();
  await world.evaluate(
    `globalThis.measured = (async () => {
      let frames = 0; const count = () => { frames += 1; requestAnimationFrame(count); }; requestAnimationFrame(count);
      await chauffeur.settle({ timeout: 20_000, eventTimeout: 0 });
      return frames;
    })(); 0`,
    null,
  );
  expect(await world.evaluate('measured', null)).toBeLessThan(10);
});

test('settles a page without changes since the last wait in 0 frames, a changed one in 2 or more', async () => {
  await page.show('<button id="b">Go</button><p id="p"></p>');
  await page.settle({ eventTimeout: 0, keepsWatching: true });
  const world = await page.world();
  const framesUntilSettled = async (change: string): Promise<unknown> => {
    await page.evaluate('new Promise((done) => setTimeout(done, 50))');
    await world.evaluate(
      `globalThis.measured = (async () => {
        let frames = 0; const count = () => { frames += 1; requestAnimationFrame(count); }; requestAnimationFrame(count);
        ${change}
        await chauffeur.settle({ timeout: 20_000, eventTimeout: 0, keepsWatching: true });
        return frames;
      })(); 0`,
      null,
    );
    return world.evaluate('measured', null);
  };
  expect(await framesUntilSettled('')).toBe(0);
  expect(await framesUntilSettled(`document.querySelector('#p').textContent = 'new';`)).toBeGreaterThanOrEqual(2);
});

test.each([
  ['empty', ''],
  ['filled', 'Bob'],
])('reports the text entry as `late` at the timeout when the field was %s before', async (_what, before) => {
  await page.show(`<input id="f" value="${before}">`);
  const world = await page.world();
  const report = await world.evaluate(
    `(async () => {
      const owner = { token: 1, within: [] };
      await chauffeur.prepare({ selector: '#f' }, { owner, action: 'fill', text: 'Ada', timeout: 0 });
      return chauffeur.settle({ owner, timeout: 0, eventTimeout: 1000, entry: { text: 'Ada' } });
    })()`,
    null,
  );
  expect(report).toMatchObject({ delivered: false, entry: 'late' });
});

test('reports a click with `frames: 0` as delivered, with its handlers run after the press', async () => {
  await page.show('<p id="p"></p><button id="b" onclick="p.textContent = \'done\'">Go</button>');
  const { rootPoint } = await page.ready('#b', 'click');
  const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle({ frames: 0 })]);
  expect(report).toMatchObject({ delivered: true });
  expect(await text('#p')).toBe('done');
});

test('reports `targetChanged` of a click with `frames: 0` and `awaitsListeners`', async () => {
  await page.show('<input type="checkbox" id="c">');
  const { rootPoint } = await page.ready('#c', 'check');
  const settled = page.settle({ frames: 0, awaitsListeners: true });
  await page.evaluate('0');
  await page.pressAt(rootPoint);
  expect(await settled).toMatchObject({ delivered: true, targetChanged: true });
});

test('reports no mutation, announcement or focus change when the click changes nothing', async () => {
  await page.show('<p id="p">text</p>');
  expect(await page.click('#p')).toMatchObject({
    delivered: true,
    quiet: true,
    mutations: 0,
    targetChanged: false,
    announced: [],
    focusMoved: false,
  });
});

test('waits for changes that follow frame after frame', async () => {
  await page.show(`<button id="b">Go</button><p id="p"></p><script>b.onclick = () => { let n = 0;
    const step = () => { const li = document.createElement('i'); li.textContent = 'abcdefghij'[n]; p.append(li); n += 1; if (n < 10) requestAnimationFrame(step); }; requestAnimationFrame(step); };</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true, mutations: 10 });
  expect(await text('#p')).toBe('abcdefghij');
});

test('waits for a change in requestAnimationFrame() while the browser paints no frames', async () => {
  await page.show('<p id="p"></p>');
  const { processInfo } = await page.browser.connection.browser.send('SystemInfo.getProcessInfo');
  const painter = processInfo.find(({ type }) => type === 'GPU')?.id ?? 0;
  expect(painter).toBeGreaterThan(0);
  process.kill(painter, 'SIGSTOP');
  let settled: Promise<unknown>;
  try {
    // Frames that were on their way still come.
    const comes = 'new Promise((tell) => { requestAnimationFrame(() => tell(true)); setTimeout(tell, 300, false); })';
    await expect.poll(() => page.evaluate(comes)).toBe(false);
    await page.evaluate(`requestAnimationFrame(() => { p.textContent = 'Shown' }); undefined`);
    settled = page.settle({ timeout: 20_000, eventTimeout: 0 });
    for (let frame = 0; frame < 3; frame += 1) await page.call('painted');
  } finally {
    process.kill(painter, 'SIGCONT');
  }
  expect(await settled).toMatchObject({ quiet: true, mutations: 1 });
});

test('waits for a finite transition, but not for an endless, offscreen or 60 s animation', async () => {
  await page.show(`<style>#panel { opacity: 0; transition: opacity 300ms } #panel.on { opacity: 1 } .spin { animation: spin 1s linear infinite } @keyframes spin { to { rotate: 360deg } }
    .slow { animation: spin 60s } .far { position: absolute; top: 9000px; animation: spin 2s }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">Panel</div><div class="spin">@</div><div class="slow">@</div><div class="far">@</div>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
  expect(await page.evaluate('getComputedStyle(panel).opacity')).toBe('1');
});

test('waits for a transition inside a shadow root', async () => {
  await page.show(`<button id="b">Go</button><x-p id="x"></x-p><script>const root = x.attachShadow({ mode: 'open' });
    root.innerHTML = '<style>div { width: 10px; transition: width 200ms } .on { width: 300px }</style><div>x</div>'; b.onclick = () => { root.querySelector('div').className = 'on'; };</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
  expect(await page.evaluate('x.shadowRoot.querySelector("div").offsetWidth')).toBe(300);
});

/** What a click moves, from its state to the one of `.on`; all over when the wait for it is. */
const MOTIONS: readonly (readonly [string, string, string, string?])[] = [
  ['moves text that stays readable', 'margin-left: 0', 'margin-left: 9px'],
  ['resizes a box that clips nothing', 'width: 10px', 'width: 90px'],
  ['moves an icon out of view', 'width: 18px; height: 18px', 'transform: translateX(-900px)', '<svg></svg>'],
  ['changes a margin', 'margin-bottom: -200px', 'margin-bottom: 9px'],
  ['fades text in', 'opacity: 0', 'opacity: 1'],
  ['fades text out', '', 'opacity: 0'],
  ['moves text into view', 'transform: translateX(-900px)', 'transform: none'],
  ['moves text sideways with a transform', 'width: 90px', 'transform: translateX(300px)'],
  ['shrinks text to nothing', '', 'scale: 0'],
  ['unfolds a box that clips its text', 'overflow: hidden; height: 1px', 'height: 90px'],
  [
    'fades in an overlay over the page',
    'position: fixed; inset: 60px 0 0 0; background: white; opacity: .1',
    'opacity: 1',
  ],
];

test.each(MOTIONS.map((motion, index) => [motion[0], index >= 5, motion] as const))(
  'waits with `motion: "text"` for motion that %s: %s',
  async (_what, isAwaited, [, from, to, html = 'Words']) => {
    const duration = isAwaited ? 150 : 2900;
    await page.show(`<style>#panel { transition: all ${duration}ms; ${from} } #panel.on { ${to} }</style>
      <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">${html}</div>`);
    expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
    expect(await page.evaluate('document.getAnimations().length === 0')).toBe(isAwaited);
  },
);

test.each([
  ['a transition', 'transition: opacity 2500ms 300ms; opacity: 0', 'opacity: 1'],
  ['an animation', 'opacity: 0', 'animation: appear 2500ms 300ms forwards'],
])('announces and shows text at the start of its fade-in by %s', async (_what, from, to) => {
  await page.show(`<style>@keyframes appear { to { opacity: 1 } } #panel { ${from} } #panel.on { ${to} }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel" role="status"><p>Panel <button>Undo</button></p></div>`);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).not.toMatch(/Panel/);
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true, announced: ['Panel Undo'] });
  expect(await page.evaluate('Number(getComputedStyle(panel).opacity)')).toBeLessThan(0.5);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).toMatch(/Panel[^]*Undo/);
});

test.each([
  ['alternates between opacity 0 and 0.04', 'animation: appear 200ms alternate infinite'],
  ['ends at opacity 0.01', 'animation: vanish 2500ms forwards'],
])('omits text from the snapshot if its animation %s', async (_what, style) => {
  await page.show(`<style>@keyframes appear { from { opacity: 0 } to { opacity: 0.04 } } @keyframes vanish { to { opacity: 0.01 } }
    #panel { opacity: 0; ${style} }</style><div id="panel">Panel</div>`);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).not.toMatch(/Panel/);
});

/** Changes the style of `#panel` with each frame for 2.9 seconds; `share` goes from 0 to 1. */
const byScript = (
  change: string,
): string => `<button id="b">Go</button><div id="panel" style="overflow: hidden">Panel<br>of<br>lines</div>
  <script>b.onclick = () => { const start = performance.now(); requestAnimationFrame(function step() {
    const share = Math.min(1, (performance.now() - start) / 2900); ${change}; if (share < 1) requestAnimationFrame(step); else panel.title = 'over'; }); };</script>`;

test.each([
  ['unfolds', 'panel.style.height = 1 + share * 90 + "px"; panel.style.paddingTop = share * 9 + "px"'],
  ['fades in', 'panel.style.opacity = 0.1 + share * 0.9'],
])('does not wait with `motion: "text"` until a script %s readable text completely', async (_what, change) => {
  await page.show(byScript(change));
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
  expect(await page.evaluate('panel.title')).toBe('');
});

test.each([
  ['folds text up', 'panel.style.height = 91 - share * 90 + "px"'],
  ['widens a box step by step', 'panel.style.width = share * 900 + "px"'],
  ['unfolds an empty box', 'panel.textContent = ""; panel.style.height = 1 + share * 90 + "px"'],
])('waits with `motion: "text"` for a script that %s', async (_what, change) => {
  await page.show(byScript(change).replace('2900', '300'));
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
  expect(await page.evaluate('panel.title')).toBe('over');
});

test('waits without `motion` until a script has unfolded text', async () => {
  await page.show(byScript('panel.style.height = 1 + share * 90 + "px"').replace('2900', '300'));
  await page.click('#b');
  expect(await page.evaluate('panel.title')).toBe('over');
});

test('neither waits with `motion: "text"` for a fade-out by a script nor shows its text', async () => {
  await page.show(`<style>#panel { transition: opacity 2900ms }</style>
    <button id="b" onclick="panel.style.opacity = 0">Go</button><div id="panel">Saved <button>Undo</button></div>`);
  await page.click('#b', { motion: 'text' });
  expect(await page.evaluate('document.getAnimations().length')).toBe(1);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).not.toMatch(/Saved|Undo/);
});

test('does not wait with `motion: "arrival"` for a fade-out', async () => {
  await page.show(`<style>#panel { transition: opacity 2900ms } #panel.on { opacity: 0 }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">Panel</div>`);
  await page.click('#b', { motion: 'arrival' });
  expect(await page.evaluate('document.getAnimations().length')).toBe(1);
});

const TAB = `<div id="box"><button id="b">Prices</button><div id="old" style="height: 90px">About</div></div>`;
const LATER = `setTimeout(() => box.insertAdjacentHTML('beforeend', '<p id="new">Prices</p>'), 300)`;

test.each([
  ['removed content', TAB, `old.remove(); ${LATER}`],
  [
    'the removed content of a scroller',
    `<div style="height: 300px; overflow: auto" id="box"><a href="#" id="b">Next</a></div>`,
    `b.remove(); ${LATER}`,
  ],
  [
    'a loading indicator',
    TAB,
    `old.outerHTML = '<div id="old" role="progressbar">…</div>'; setTimeout(() => { old.outerHTML = '<p id="new">Prices</p>' }, 300)`,
  ],
  [
    'an `aria-busy` element',
    TAB,
    `old.ariaBusy = 'true'; setTimeout(() => { old.outerHTML = '<p id="new">Prices</p>' }, 300)`,
  ],
])('waits for the replacement of %s', async (_what, html, script) => {
  await page.show(`${html}<script>b.onclick = () => { ${script} };</script>`);
  await page.click('#b');
  expect(await text('#new')).toBe('Prices');
});

test.each([
  [
    'a removed list item',
    '<ul id="box"><li style="height: 90px"><button id="b">x</button></li><li>two</li></ul>',
    'b.parentNode.remove()',
  ],
  [
    'a removed message over the page',
    '<div style="position: fixed"><p style="height: 90px">Saved <button id="b">x</button></p></div>',
    'b.parentNode.parentNode.remove()',
  ],
  ['content with an immediate replacement', TAB, `old.remove(); box.append('Prices')`],
  ['a progress bar with a value', TAB, `old.outerHTML = '<div role="progressbar" aria-valuenow="50">half</div>'`],
])('does not wait for a replacement of %s', async (_what, html, script) => {
  await page.show(`${html}<script>b.onclick = () => { ${script}; frames = 0; count() };
    let frames = 0; const count = () => { frames += 1; if (frames < 99) requestAnimationFrame(count); };</script>`);
  await page.click('#b');
  // What is waited for has 500 ms, which are 30 frames; some go by until this is asked.
  expect(await page.evaluate('frames')).toBeLessThan(25);
});

test('settles a page with a clock that ticks with every frame', async () => {
  await page.show(`<button id="b">Go</button><p id="clock">0</p><p id="clock2">0</p><script>let n = 0;
    const tick = () => { n += 1; clock.firstChild.data = String(n); clock2.textContent = 'at ' + n; requestAnimationFrame(tick); }; tick();</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
});

test('reports `quiet: false` at the timeout when the page never settles', async () => {
  await page.show(
    `<p id="p"></p><script>const grow = () => { p.append(document.createElement('i'), Math.random().toString(36).replace(/[0-9]/g, 'x')); requestAnimationFrame(grow); }; grow();</script>`,
  );
  expect(await page.settle({ timeout: 300, eventTimeout: 0 })).toMatchObject({ quiet: false });
});

test('waits only once, until the timeout, for a loading indicator that never disappears', async () => {
  await page.show('<p>Loading…</p><div role="progressbar">…</div>');
  await page.settle({ timeout: 300, eventTimeout: 0 });
  expect(await page.settle({ timeout: 60_000, eventTimeout: 0 })).toMatchObject({ quiet: true });
}, 20_000);

test('counts no mutations in scripts, styles, the head or invisible attributes', async () => {
  await page.show(`<button id="b">Go</button><style id="s"></style><script>b.onclick = () => { s.textContent = 'i { color: red }'; document.title = 'x'; b.dataset.count = '1';
    document.head.append(document.createElement('meta')); document.body.append(document.createElement('script'), document.createComment('x')); };</script>`);
  expect(await page.click('#b')).toMatchObject({ mutations: 0 });
});

test('reports a changed check box, button or disclosure as `targetChanged`', async () => {
  await page.show(`<input type="checkbox" id="c"><button id="e" aria-expanded="false" onclick="this.setAttribute('aria-expanded', 'true')">More options</button>
    <details><summary id="d">Terms</summary><p>text</p></details>`);
  expect(await page.click('#c')).toMatchObject({ targetChanged: true });
  expect(await page.click('#e')).toMatchObject({ targetChanged: true, opened: 'button "More options"' });
  expect(await page.click('#d')).toMatchObject({ targetChanged: true, opened: expect.stringContaining('Terms') });
});

test.each([
  [`document.querySelector('dialog').showModal()`, 'dialog "Delete file?"'],
  [`document.getElementById('menu').hidden = false`, 'menu "Actions"'],
  [
    `document.body.insertAdjacentHTML('beforeend', '<div style="position:absolute;top:50px"><button>First choice</button></div>')`,
    'popup "First choice"',
  ],
  [`document.getElementById('pop').showPopover()`, 'popup "Hint"'],
])('names the element that the click opens: %s', async (script, opened) => {
  await page.show(`<button id="b">Go</button><dialog><h2>Delete file?</h2><button>Yes</button></dialog><div id="menu" role="menu" aria-label="Actions" hidden>x</div><div popover id="pop">Hint</div>
    <script>b.onclick = () => { ${script} };</script>`);
  expect(await page.click('#b')).toMatchObject({ opened });
});

test('reports new text of live regions and alerts as `announced`', async () => {
  await page.show(
    `<button id="b">Go</button><div role="status" id="s">0 items</div><script>b.onclick = () => { s.textContent = '1 item in the cart'; document.body.insertAdjacentHTML('beforeend', '<p role="alert">Saved</p>'); };</script>`,
  );
  expect((await page.click('#b')).announced).toEqual(['1 item in the cart', 'Saved']);
});

test('reports `focusMoved` when the click focuses another element', async () => {
  await page.show('<button id="b" onclick="i.focus()">Go</button><input id="i">');
  expect(await page.click('#b')).toMatchObject({ focusMoved: true });
});

test('settles a page in a background tab', async () => {
  await page.show('<button id="b">Go</button>');
  const { targetId } = await page.browser.connection.browser.send('Target.createTarget', {
    url: 'about:blank',
    newWindow: false,
  });
  expect(await page.settle({ eventTimeout: 0 })).toMatchObject({ quiet: true });
  await page.browser.connection.browser.send('Target.closeTarget', { targetId });
});

test('waitFor() detects attached, detached, visible and hidden elements', async () => {
  const waitFor = (
    selector: string,
    state: 'attached' | 'detached' | 'visible' | 'hidden',
    timeout = 2000,
  ): Promise<unknown> => page.call('waitFor', { selector }, { state, timeout });
  await page.show(`<style>#fade { visibility: hidden; transition: visibility 100ms } .on #fade { visibility: visible }</style>
    <div id="box"><p id="fade">x</p></div><p id="gone">x</p><x-late></x-late><script>setTimeout(() => { document.documentElement.className = 'on'; gone.remove();
    document.querySelector('x-late').attachShadow({ mode: 'open' }).innerHTML = '<b id="in">x</b>'; }, 100)</script>`);
  expect(
    await Promise.all([
      waitFor('#fade', 'visible'),
      waitFor('#gone', 'detached'),
      waitFor('#gone', 'hidden'),
      waitFor('#in', 'attached'),
    ]),
  ).toEqual(Array.from({ length: 4 }, () => ({ kind: 'met' })));
  expect(await waitFor('#never', 'visible', 50)).toEqual({ kind: 'timeout' });
  expect(await waitFor('div[', 'visible')).toMatchObject({ kind: 'invalid' });
});

test('waitFor() notices a style rule that a script inserts', async () => {
  await page.show(
    `<style>#p { display: none }</style><p id="p">x</p><script>setTimeout(() => document.styleSheets[0].insertRule('#p { display: block !important }', 1), 100)</script>`,
  );
  expect(await page.call('waitFor', { selector: '#p' }, { state: 'visible', timeout: 2000 })).toEqual({ kind: 'met' });
});

test('scrollTo() scrolls the page, a scroller or the main scroller to a percentage', async () => {
  await page.show(
    '<div style="height:4720px"></div><div id="s" style="height:100px;overflow:auto"><p id="p" style="height:1100px;margin:0">x</p></div>',
  );
  await page.call('scrollTo', { selector: '#p' }, 50);
  await page.call('scrollTo', null, 100);
  expect(await page.evaluate('[s.scrollTop, scrollY + innerHeight === document.documentElement.scrollHeight]')).toEqual(
    [500, true],
  );
  await page.show(
    '<style>html, body { height: 100%; margin: 0; overflow: hidden }</style><main style="height:100%;overflow:auto"><div style="height:5000px"></div></main>',
  );
  await page.call('scrollTo', null, 100);
  expect(await page.evaluate('document.querySelector("main").scrollTop')).toBe(5000 - 720);
});

test('keeps the guard of a newer action when an older wait ends', async () => {
  await page.show(
    `<button id="a">First</button><button id="b">Second</button><p id="veil" style="display:none;position:fixed;inset:0">Veil</p><script>window.clicks = 0; addEventListener('click', () => { clicks += 1 })</script>`,
  );
  await page.ready('#a', 'click');
  const world = await page.world();
  const { owner } = page;
  const before = world.start('settle', { owner, timeout: 20_000, eventTimeout: 20_000, keepsWatching: true });
  const { rootPoint } = await page.ready('#b', 'click');
  await before.cancel();
  await before.result;
  await page.evaluate(`document.getElementById('veil').style.display = 'block'`);
  const [report] = await Promise.all([page.settle({ eventTimeout: 10_000 }), page.pressAt(rootPoint)]);
  expect(report).toMatchObject({ delivered: false, misdirected: '<p#veil>' });
  expect(await page.evaluate('clicks')).toBe(0);
});
