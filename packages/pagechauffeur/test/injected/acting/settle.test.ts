import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const text = (selector: string): Promise<unknown> =>
  page.call('read', { selector }, 'textContent').then((answer) => (answer.kind === 'value' ? answer.value : answer));

test('a click on a static page settles after two frames, or one more when timers are late', async () => {
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
  ['words in an open', 'open', '<style>p { color: red }</style><p>Ready</p>'],
  ['a control in a closed', 'closed', '<button>Go</button>'],
])('a page that shows nothing but %s shadow root is not waited for as a blank one', async (_what, mode, content) => {
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

test('a page that has rested since is settled at once, one that changed meanwhile is not', async () => {
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
])('text that has not come when the time is over is late, whether its field was %s', async (_what, before) => {
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

test('without quiet frames the answer comes with the event, and the browser acknowledges the event when its handlers have run', async () => {
  await page.show('<p id="p"></p><button id="b" onclick="p.textContent = \'done\'">Go</button>');
  const { rootPoint } = await page.ready('#b', 'click');
  const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle({ frames: 0 })]);
  expect(report).toMatchObject({ delivered: true });
  expect(await text('#p')).toBe('done');
});

test('without quiet frames it is told what the listeners of a click did, which comes after the button has gone up', async () => {
  await page.show('<input type="checkbox" id="c">');
  const { rootPoint } = await page.ready('#c', 'check');
  const settled = page.settle({ frames: 0, awaitsListeners: true });
  await page.evaluate('0');
  await page.pressAt(rootPoint);
  expect(await settled).toMatchObject({ delivered: true, targetChanged: true });
});

test('nothing happened is told as such', async () => {
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

test('changes that come frame after frame are waited for', async () => {
  await page.show(`<button id="b">Go</button><p id="p"></p><script>b.onclick = () => { let n = 0;
    const step = () => { const li = document.createElement('i'); li.textContent = 'abcdefghij'[n]; p.append(li); n += 1; if (n < 10) requestAnimationFrame(step); }; requestAnimationFrame(step); };</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true, mutations: 10 });
  expect(await text('#p')).toBe('abcdefghij');
});

test('what comes with a frame is waited for where the machine is late with frames', async () => {
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

test('a finite transition is waited for, an endless or hidden or very long animation is not', async () => {
  await page.show(`<style>#panel { opacity: 0; transition: opacity 300ms } #panel.on { opacity: 1 } .spin { animation: spin 1s linear infinite } @keyframes spin { to { rotate: 360deg } }
    .slow { animation: spin 60s } .far { position: absolute; top: 9000px; animation: spin 2s }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">Panel</div><div class="spin">@</div><div class="slow">@</div><div class="far">@</div>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
  expect(await page.evaluate('getComputedStyle(panel).opacity')).toBe('1');
});

test('a transition inside a shadow root is waited for', async () => {
  await page.show(`<button id="b">Go</button><x-p id="x"></x-p><script>const root = x.attachShadow({ mode: 'open' });
    root.innerHTML = '<style>div { width: 10px; transition: width 200ms } .on { width: 300px }</style><div>x</div>'; b.onclick = () => { root.querySelector('div').className = 'on'; };</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
  expect(await page.evaluate('x.shadowRoot.querySelector("div").offsetWidth')).toBe(300);
});

/** What a click moves, from its state to the one of `.on`; all over when the wait for it is. */
const MOTIONS: readonly (readonly [string, string, string, string?])[] = [
  ['moves what can be read all the while', 'margin-left: 0', 'margin-left: 9px'],
  ['gives another size to a box that clips nothing', 'width: 10px', 'width: 90px'],
  [
    'moves an icon to where it cannot be seen',
    'width: 18px; height: 18px',
    'transform: translateX(-900px)',
    '<svg></svg>',
  ],
  ['makes room for something', 'margin-bottom: -200px', 'margin-bottom: 9px'],
  ['fades something in', 'opacity: 0', 'opacity: 1'],
  ['fades something out', '', 'opacity: 0'],
  ['moves something in from outside', 'transform: translateX(-900px)', 'transform: none'],
  ['moves something out', 'width: 90px', 'transform: translateX(300px)'],
  ['shrinks something to nothing', '', 'scale: 0'],
  ['unfolds a box that clips its text', 'overflow: hidden; height: 1px', 'height: 90px'],
  ['fades in what covers the page', 'position: fixed; inset: 60px 0 0 0; background: white; opacity: .1', 'opacity: 1'],
];

test.each(MOTIONS.map((motion, index) => [motion[0], index >= 5, motion] as const))(
  'to read text, motion that %s: whether it is waited for (%s)',
  async (_what, isAwaited, [, from, to, html = 'Words']) => {
    const duration = isAwaited ? 150 : 2900;
    await page.show(`<style>#panel { transition: all ${duration}ms; ${from} } #panel.on { ${to} }</style>
      <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">${html}</div>`);
    expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
    expect(await page.evaluate('document.getAnimations().length === 0')).toBe(isAwaited);
  },
);

test.each([
  ['in a transition', 'transition: opacity 2500ms 300ms; opacity: 0', 'opacity: 1'],
  ['in an animation', 'opacity: 0', 'animation: appear 2500ms 300ms forwards'],
])('what fades in is told before it can be seen, %s', async (_what, from, to) => {
  await page.show(`<style>@keyframes appear { to { opacity: 1 } } #panel { ${from} } #panel.on { ${to} }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel" role="status"><p>Panel <button>Undo</button></p></div>`);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).not.toMatch(/Panel/);
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true, announced: ['Panel Undo'] });
  expect(await page.evaluate('Number(getComputedStyle(panel).opacity)')).toBeLessThan(0.5);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).toMatch(/Panel[^]*Undo/);
});

test.each([
  ['goes back and forth', 'animation: appear 200ms alternate infinite'],
  ['ends unseen', 'animation: vanish 2500ms forwards'],
])('what %s is told of only while it can be seen', async (_what, style) => {
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
])('to read text, what a script %s step by step is not waited for once it can be read', async (_what, change) => {
  await page.show(byScript(change));
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
  expect(await page.evaluate('panel.title')).toBe('');
});

test.each([
  ['folds something up', 'panel.style.height = 91 - share * 90 + "px"'],
  ['makes a bar longer, which tells how far the page has come', 'panel.style.width = share * 900 + "px"'],
  ['unfolds what says nothing', 'panel.textContent = ""; panel.style.height = 1 + share * 90 + "px"'],
])('to read text, a script that %s is waited for', async (_what, change) => {
  await page.show(byScript(change).replace('2900', '300'));
  expect(await page.click('#b', { motion: 'text' })).toMatchObject({ quiet: true });
  expect(await page.evaluate('panel.title')).toBe('over');
});

test('who looks at pictures waits for what a script unfolds', async () => {
  await page.show(byScript('panel.style.height = 1 + share * 90 + "px"').replace('2900', '300'));
  await page.click('#b');
  expect(await page.evaluate('panel.title')).toBe('over');
});

test('what a script lets fade away is neither waited for by who reads the page nor told to it', async () => {
  await page.show(`<style>#panel { transition: opacity 2900ms }</style>
    <button id="b" onclick="panel.style.opacity = 0">Go</button><div id="panel">Saved <button>Undo</button></div>`);
  await page.click('#b', { motion: 'text' });
  expect(await page.evaluate('document.getAnimations().length')).toBe(1);
  expect((await page.call('snapshot', { ignoreSelectors: [] })).text).not.toMatch(/Saved|Undo/);
});

test('to act on something else, what goes away is not waited for', async () => {
  await page.show(`<style>#panel { transition: opacity 2900ms } #panel.on { opacity: 0 }</style>
    <button id="b" onclick="panel.className = 'on'">Go</button><div id="panel">Panel</div>`);
  await page.click('#b', { motion: 'arrival' });
  expect(await page.evaluate('document.getAnimations().length')).toBe(1);
});

const TAB = `<div id="box"><button id="b">Prices</button><div id="old" style="height: 90px">About</div></div>`;
const LATER = `setTimeout(() => box.insertAdjacentHTML('beforeend', '<p id="new">Prices</p>'), 300)`;

test.each([
  ['content that was taken out of its place', TAB, `old.remove(); ${LATER}`],
  [
    'all that is in a place',
    `<div style="height: 300px; overflow: auto" id="box"><a href="#" id="b">Next</a></div>`,
    `b.remove(); ${LATER}`,
  ],
  [
    'a sign that something is loading',
    TAB,
    `old.outerHTML = '<div id="old" role="progressbar">…</div>'; setTimeout(() => { old.outerHTML = '<p id="new">Prices</p>' }, 300)`,
  ],
  [
    'a part that says it is busy',
    TAB,
    `old.ariaBusy = 'true'; setTimeout(() => { old.outerHTML = '<p id="new">Prices</p>' }, 300)`,
  ],
])('what comes in the place of %s is waited for', async (_what, html, script) => {
  await page.show(`${html}<script>b.onclick = () => { ${script} };</script>`);
  await page.click('#b');
  expect(await text('#new')).toBe('Prices');
});

test.each([
  [
    'an item of a list',
    '<ul id="box"><li style="height: 90px"><button id="b">x</button></li><li>two</li></ul>',
    'b.parentNode.remove()',
  ],
  [
    'a message over the page',
    '<div style="position: fixed"><p style="height: 90px">Saved <button id="b">x</button></p></div>',
    'b.parentNode.parentNode.remove()',
  ],
  ['content for which something else came', TAB, `old.remove(); box.append('Prices')`],
  [
    'a bar that tells how far something is',
    TAB,
    `old.outerHTML = '<div role="progressbar" aria-valuenow="50">half</div>'`,
  ],
])('nothing is waited for in the place of %s', async (_what, html, script) => {
  await page.show(`${html}<script>b.onclick = () => { ${script}; frames = 0; count() };
    let frames = 0; const count = () => { frames += 1; if (frames < 99) requestAnimationFrame(count); };</script>`);
  await page.click('#b');
  // What is waited for has 500 ms, which are 30 frames; some go by until this is asked.
  expect(await page.evaluate('frames')).toBeLessThan(25);
});

test('a clock that ticks with every frame does not hold it up', async () => {
  await page.show(`<button id="b">Go</button><p id="clock">0</p><p id="clock2">0</p><script>let n = 0;
    const tick = () => { n += 1; clock.firstChild.data = String(n); clock2.textContent = 'at ' + n; requestAnimationFrame(tick); }; tick();</script>`);
  expect(await page.click('#b')).toMatchObject({ quiet: true });
});

test('reports a page that never settles at the timeout', async () => {
  await page.show(
    `<p id="p"></p><script>const grow = () => { p.append(document.createElement('i'), Math.random().toString(36).replace(/[0-9]/g, 'x')); requestAnimationFrame(grow); }; grow();</script>`,
  );
  expect(await page.settle({ timeout: 300, eventTimeout: 0 })).toMatchObject({ quiet: false });
});

test('a page that says for ever that it loads ends at the time limit, and is waited for only once', async () => {
  await page.show('<p>Loading…</p><div role="progressbar">…</div>');
  await page.settle({ timeout: 300, eventTimeout: 0 });
  expect(await page.settle({ timeout: 60_000, eventTimeout: 0 })).toMatchObject({ quiet: true });
}, 20_000);

test('changes in scripts, styles, the head and unseen attributes do not count', async () => {
  await page.show(`<button id="b">Go</button><style id="s"></style><script>b.onclick = () => { s.textContent = 'i { color: red }'; document.title = 'x'; b.dataset.count = '1';
    document.head.append(document.createElement('meta')); document.body.append(document.createElement('script'), document.createComment('x')); };</script>`);
  expect(await page.click('#b')).toMatchObject({ mutations: 0 });
});

test('what a person would notice at the target is told', async () => {
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
])('what opened is named: %s', async (script, opened) => {
  await page.show(`<button id="b">Go</button><dialog><h2>Delete file?</h2><button>Yes</button></dialog><div id="menu" role="menu" aria-label="Actions" hidden>x</div><div popover id="pop">Hint</div>
    <script>b.onclick = () => { ${script} };</script>`);
  expect(await page.click('#b')).toMatchObject({ opened });
});

test('texts of live regions and alerts are told', async () => {
  await page.show(
    `<button id="b">Go</button><div role="status" id="s">0 items</div><script>b.onclick = () => { s.textContent = '1 item in the cart'; document.body.insertAdjacentHTML('beforeend', '<p role="alert">Saved</p>'); };</script>`,
  );
  expect((await page.click('#b')).announced).toEqual(['1 item in the cart', 'Saved']);
});

test('focus that goes elsewhere than the target is told', async () => {
  await page.show('<button id="b" onclick="i.focus()">Go</button><input id="i">');
  expect(await page.click('#b')).toMatchObject({ focusMoved: true });
});

test('a page in the background settles too', async () => {
  await page.show('<button id="b">Go</button>');
  const { targetId } = await page.browser.connection.browser.send('Target.createTarget', {
    url: 'about:blank',
    newWindow: false,
  });
  expect(await page.settle({ eventTimeout: 0 })).toMatchObject({ quiet: true });
  await page.browser.connection.browser.send('Target.closeTarget', { targetId });
});

test('waitFor sees elements come, go, show and hide', async () => {
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

test('a rule that script adds to a style sheet is noticed', async () => {
  await page.show(
    `<style>#p { display: none }</style><p id="p">x</p><script>setTimeout(() => document.styleSheets[0].insertRule('#p { display: block !important }', 1), 100)</script>`,
  );
  expect(await page.call('waitFor', { selector: '#p' }, { state: 'visible', timeout: 2000 })).toEqual({ kind: 'met' });
});

test('scrollTo goes to a percentage of the page, of a scroller, and of the part that an application scrolls', async () => {
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

test('a wait that ends when another action was prepared meanwhile leaves that one its guard', async () => {
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
