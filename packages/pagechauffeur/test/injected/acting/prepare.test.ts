import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const LOG = `<script>window.log = []; for (const type of ['pointerdown', 'mousedown', 'click', 'input', 'change'])
  addEventListener(type, (event) => log.push(type + ' ' + (event.target.id || event.target.tagName)), true);</script>`;

async function clicks(): Promise<unknown> {
  return page.evaluate(`log.filter((line) => line.startsWith('click'))`);
}

test('reports a static button as ready at its centre without waiting for an animation frame', async () => {
  await page.show('<button id="b" style="position:absolute;left:100px;top:50px;width:80px;height:20px">Go</button>');
  await page.evaluate('requestAnimationFrame = null');
  const frames = `let frames = 0; const count = () => { frames += 1; requestAnimationFrame(count); }; requestAnimationFrame(count);`;
  const world = await page.world();
  await world.evaluate(
    `globalThis.measured = (async () => { ${frames} const answer = await chauffeur.prepare({ selector: '#b' }, { owner: { token: 1, within: [] }, action: 'click', timeout: 1000 }); return { frames, answer }; })(); 0`,
    null,
  );
  expect(await world.evaluate('measured', null)).toMatchObject({
    frames: 0,
    answer: { kind: 'ready', trail: [{ x: 140, y: 60 }] },
  });
});

test('waits for an element that appears later', async () => {
  await page.show(
    `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button id="late">Late</button>'), 150)</script>`,
  );
  expect(await page.prepare('#late', 'click')).toMatchObject({ kind: 'ready', element: { name: 'Late' } });
});

test('returns `none` for a missing element with `timeout: 0`, without waiting', async () => {
  await page.show(
    `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button id="late">Late</button>'), 60_000)</script>`,
  );
  expect(await page.prepare('#late', 'click', { timeout: 0 })).toEqual({ kind: 'none', matched: '' });
});

test('waits for an element inside a shadow root that is attached later', async () => {
  await page.show(
    `<x-late></x-late><script>setTimeout(() => { document.querySelector('x-late').attachShadow({ mode: 'open' }).innerHTML = '<button id="in">In</button>'; }, 100)</script>`,
  );
  expect(await page.prepare('#in', 'click')).toMatchObject({ kind: 'ready' });
});

test.each([
  ['display:none', 'hidden'],
  ['visibility:hidden', 'hidden'],
  ['width:0;height:0;padding:0;border:0;overflow:hidden', 'zero-size'],
])('blocks an action on an element with "%s" as %s', async (style, reason) => {
  await page.show(`<button id="b" style="${style}"></button>`);
  expect(await page.prepare('#b', 'click', { timeout: 50 })).toMatchObject({
    kind: 'blocked',
    reason,
    element: { tag: '<button#b>' },
  });
});

test('waits until an element is shown by a class on an ancestor', async () => {
  await page.show(`<style>.closed button { display: none }</style><div class="closed"><button id="b">Go</button></div>
    <script>setTimeout(() => document.querySelector('div').classList.remove('closed'), 100)</script>`);
  expect(await page.prepare('#b', 'click')).toMatchObject({ kind: 'ready' });
});

test.each([
  '<button id="b" disabled>x</button>',
  '<fieldset disabled><button id="b">x</button></fieldset>',
  '<div aria-disabled="true"><button id="b">x</button></div>',
  '<button disabled><span id="b">x</span></button>',
  '<label id="b">x<input disabled></label>',
])('blocks a click on a disabled element, but not a hover: %s', async (html) => {
  await page.show(html);
  expect(await page.prepare('#b', 'click', { timeout: 50 })).toMatchObject({ kind: 'blocked', reason: 'disabled' });
  expect(await page.prepare('#b', 'hover', { timeout: 50 })).toMatchObject({ kind: 'ready' });
});

test('names the cover of an element, and is ready once the page removes the cover', async () => {
  await page.show(
    `<button id="b">Buy</button><div id="consent-banner" class="sheet" style="position:fixed;inset:0"></div>`,
  );
  expect(await page.prepare('#b', 'click', { timeout: 50 })).toMatchObject({
    kind: 'blocked',
    reason: 'covered',
    cover: '<div#consent-banner.sheet>',
  });
  await page.evaluate(`setTimeout(() => document.getElementById('consent-banner').remove(), 100)`);
  expect(await page.prepare('#b', 'click')).toMatchObject({ kind: 'ready' });
});

test('clicks a free point beside a partial cover', async () => {
  await page.show(
    `<button id="b" style="position:absolute;left:0;top:0;width:200px;height:100px">x</button><div style="position:absolute;left:60px;top:20px;width:80px;height:60px"></div>${LOG}`,
  );
  const report = await page.click('#b');
  expect(report.delivered).toBe(true);
  expect(await clicks()).toEqual(['click b']);
});

test('clicks a link that wraps over two lines on its text', async () => {
  await page.show(
    `<p style="width:210px;font:20px monospace">aaaaaaaaaa <a id="a" href="#x">bbbb ccccc</a> dddd</p>${LOG}`,
  );
  await page.click('#a');
  expect(await clicks()).toEqual(['click a']);
});

test('waits until a moving element stops, and clicks it there', async () => {
  await page.show(
    `<style>#b { position: absolute; animation: slide 300ms linear forwards } @keyframes slide { to { transform: translateX(400px) } }</style><button id="b">Go</button>${LOG}`,
  );
  const report = await page.click('#b');
  expect(report).toMatchObject({ delivered: true });
  expect(await clicks()).toEqual(['click b']);
  expect(await page.evaluate(`document.getElementById('b').getBoundingClientRect().x > 400`)).toBe(true);
});

test('waits for an animation held at its start, but not for one with `playbackRate` 0', async () => {
  await page.show(`<style>#b { position: absolute }</style><button id="b">Go</button>`);
  const held = (ms: number): string => `{ const end = performance.now() + ${ms};
    const motion = document.getElementById('b').animate({ transform: ['none', 'translateX(400px)'] }, { duration: 100, fill: 'forwards' });
    const hold = () => { motion.currentTime = 0; if (performance.now() < end) requestAnimationFrame(hold); }; hold(); }`;
  await page.evaluate(held(1000));
  const { point } = await page.ready('#b', 'click', { timeout: 10_000 });
  expect(point.x).toBeGreaterThan(400);
  await page.evaluate(
    `document.getElementById('b').animate({ transform: ['none', 'translateX(400px)'] }, 100).playbackRate = 0`,
  );
  const stopped = await page.ready('#b', 'click', { timeout: 10_000 });
  expect(stopped.point.x).toBeLessThan(400);
});

test('blocks an element as `moving` while the browser paints no frame of its movement', async () => {
  await page.show(
    `<style>.on { position: absolute; animation: slide 300ms linear forwards } @keyframes slide { to { transform: translateX(400px) } }</style><button id="b">Go</button>`,
  );
  const { processInfo } = await page.browser.connection.browser.send('SystemInfo.getProcessInfo');
  const painter = processInfo.find(({ type }) => type === 'GPU')?.id ?? 0;
  expect(painter).toBeGreaterThan(0);
  process.kill(painter, 'SIGSTOP');
  try {
    await page.evaluate(`document.getElementById('b').className = 'on'`);
    expect(await page.prepare('#b', 'click', { timeout: 0 })).toMatchObject({ kind: 'blocked', reason: 'moving' });
  } finally {
    process.kill(painter, 'SIGCONT');
  }
  // On a busy machine it may take seconds until frames come again, and where none came for 3 s none is expected.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve)).then(() => undefined)');
  const { point } = await page.ready('#b', 'click', { timeout: 10_000 });
  expect(point.x).toBeGreaterThan(400);
});

test('blocks a slotted element as `moving` while an animation in the shadow root moves it', async () => {
  await page.show(`<x-m><button id="b">Go</button></x-m><script>document.querySelector('x-m').attachShadow({ mode: 'open' }).innerHTML =
    '<style>div { animation: slide 5s linear } @keyframes slide { to { transform: translateX(400px) } }</style><div><slot></slot></div>';</script>`);
  expect(await page.prepare('#b', 'click', { timeout: 100 })).toMatchObject({ kind: 'blocked', reason: 'moving' });
});

test('does not wait for an animation of color and opacity', async () => {
  await page.show(
    `<style>#b { animation: glow 5s } @keyframes glow { to { background-color: red; opacity: .5 } }</style><button id="b">Go</button>`,
  );
  expect(await page.prepare('#b', 'click', { timeout: 0 })).toMatchObject({ kind: 'ready' });
});

test('clicks a button in nested scrollers with `scroll-behavior: smooth`', async () => {
  await page.show(`<style>* { scroll-behavior: smooth }</style><div style="height:3000px"></div><div style="height:200px;overflow:auto"><div style="height:1500px"></div>
    <div style="height:100px;overflow:auto"><div style="height:900px"></div><button id="b">Deep</button></div></div>${LOG}`);
  await page.click('#b');
  expect(await clicks()).toEqual(['click b']);
});

test('scrolls an element below the fold between two fixed bars before clicking it', async () => {
  await page.show(`<div id="top" style="position:fixed;top:0;left:0;right:0;height:45%;background:#ccc">bar</div><div style="height:2000px"></div><button id="b">Go</button>
    <div style="height:2000px"></div><div id="bottom" style="position:fixed;bottom:0;left:0;right:0;height:45%;background:#ccc">bar</div>${LOG}`);
  await page.click('#b');
  expect(await clicks()).toEqual(['click b']);
});

test('clicks elements in open and closed shadow roots, on slotted text and on child elements', async () => {
  await page.show(`<x-o><b>slotted words</b></x-o><x-c>plain slotted text</x-c><button id="icon"><svg width="20" height="20"><rect id="r" width="20" height="20"/></svg></button>
    <script>window.hits = [];
    document.querySelector('x-o').attachShadow({ mode: 'open' }).innerHTML = '<button id="open"><slot></slot></button>';
    document.querySelector('x-o').shadowRoot.querySelector('button').onclick = () => hits.push('open');
    const closed = document.querySelector('x-c').attachShadow({ mode: 'closed' });
    closed.innerHTML = '<button id="closed"><slot></slot></button>';
    closed.querySelector('button').onclick = () => hits.push('closed');
    document.getElementById('icon').onclick = () => hits.push('icon');</script>`);
  await page.adoptClosedRoot('x-c');
  for (const selector of ['#open', '#closed', '#icon'])
    expect(await page.click(selector), selector).toMatchObject({ delivered: true });
  expect(await page.evaluate('hits')).toEqual(['open', 'closed', 'icon']);
});

test('clicks the button behind an icon with `pointer-events: none`', async () => {
  await page.show(
    `<button id="b">x<svg id="i" style="pointer-events:none" width="20" height="20"></svg></button>${LOG}`,
  );
  await page.click('#i');
  expect(await clicks()).toEqual(['click b']);
});

test('ignores an overlay with `pointer-events: none`, but not one in a closed shadow root', async () => {
  await page.show(`<button id="b">Buy</button><div style="position:fixed;inset:0;pointer-events:none"></div>`);
  expect(await page.prepare('#b', 'click', { timeout: 0 })).toMatchObject({ kind: 'ready' });
  await page.show(
    `<button id="b">Buy</button><x-veil></x-veil><script>document.querySelector('x-veil').attachShadow({ mode: 'closed' }).innerHTML = '<div style="position:fixed;inset:0"></div>';</script>`,
  );
  expect(await page.prepare('#b', 'click', { timeout: 0 })).toMatchObject({ kind: 'blocked', cover: '<x-veil>' });
});

test('skips the checks with `force`, but still scrolls the element into view', async () => {
  await page.show(
    `<div style="height:3000px"></div><button id="b" disabled>x</button><div style="position:fixed;inset:0"></div>`,
  );
  const ready = await page.ready('#b', 'click', { force: true, timeout: 0 });
  expect(ready.point.y).toBeLessThan(720);
});

test('acts at the `position` inside the element', async () => {
  await page.show(
    '<div id="d" style="position:absolute;left:10px;top:20px;width:300px;height:200px;background:#eee"></div>',
  );
  expect(await page.prepare('#d', 'click', { position: { x: 250, y: 150 } })).toMatchObject({
    kind: 'ready',
    trail: [{ x: 260, y: 170 }],
  });
});

test('ends a wait with `none` when the call is cancelled', async () => {
  await page.show('nothing');
  const world = await page.world();
  const owner = { token: 1, within: [] };
  const call = world.start('prepare', { selector: '#never' }, { owner, action: 'click', timeout: 60_000 });
  await call.cancel();
  expect(await call.result).toMatchObject({ kind: 'none' });
});

test('reports a ref as `stale` when its element leaves during the wait', async () => {
  await page.show('<button id="b" disabled>x</button>');
  const found = await page.call('resolve', { selector: '#b' });
  const ref = found.kind === 'element' ? found.ref : 0;
  await page.evaluate(`setTimeout(() => document.getElementById('b').remove(), 100)`);
  expect(await page.prepare({ ref }, 'click')).toEqual({ kind: 'stale' });
});

test('checks a hidden check box through its visible label, and reports its state', async () => {
  await page.show(`<input type="checkbox" id="c" style="display:none"><label for="c" id="l">Newsletter</label>${LOG}`);
  expect(await page.ready('#c', 'check')).toMatchObject({ checked: false, element: { tag: '<input#c>' } });
  const report = await page.click('#c', { action: 'check' });
  expect(report).toMatchObject({ delivered: true, targetChanged: true });
  expect(await page.ready('#l', 'check')).toMatchObject({ checked: true });
});

test('accepts check on a switch, and blocks it on a paragraph as `not-checkable`', async () => {
  await page.show(`<div role="switch" aria-checked="true" id="s" tabindex="0">Wifi</div><p id="p">text</p>`);
  expect(await page.prepare('#s', 'check')).toMatchObject({ kind: 'ready', checked: true });
  expect(await page.prepare('#p', 'check')).toMatchObject({ kind: 'blocked', reason: 'not-checkable' });
});

test('clicks a label beside the link inside it', async () => {
  await page.show(
    `<input type="checkbox" id="c" style="display:none"><label for="c" id="l">I agree to <a id="a" href="#terms">all the terms and conditions there are</a></label>${LOG}`,
  );
  expect(await page.click('#c', { action: 'check' })).toMatchObject({ targetChanged: true });
  expect(await page.evaluate('[c.checked, location.hash]')).toEqual([true, '']);
});

test('clicks a zero-size link on its overflowing content, and blocks one that clips it', async () => {
  await page.show(
    `<a id="a" href="#x" style="display:block;width:0;height:0;position:relative"><b style="position:absolute;left:0;width:50px;height:50px">x</b></a>${LOG}`,
  );
  await page.click('#a');
  expect(await page.evaluate('location.hash')).toBe('#x');
  await page.show(`<a id="a" href="#x" style="display:block;width:0;height:0;overflow:hidden"><b>words</b></a>`);
  expect(await page.prepare('#a', 'click', { timeout: 0 })).toMatchObject({ kind: 'blocked', reason: 'zero-size' });
});

test.each([
  'shape="rect" coords="10,10,60,60"',
  'shape="circle" coords="100,50,20"',
  'shape="poly" coords="120,10,180,10,180,90"',
  'shape="default"',
])('clicks an image map area inside its shape: %s', async (shape) => {
  await page.show(
    `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="200" height="100" usemap="#m"><map name="m"><area id="a" href="#hit" alt="Area" ${shape}></map>`,
  );
  await page.click('#a');
  expect(await page.evaluate('location.hash')).toBe('#hit');
});
