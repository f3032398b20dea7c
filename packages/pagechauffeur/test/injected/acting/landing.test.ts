import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FrameNode } from '../../../src/cdp/frame-node.ts';
import { ProgramPage } from '../program-page.ts';
import { useWholeBrowser } from '../../support/whole-browser.ts';

let page: ProgramPage;

useWholeBrowser('nightly');
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

describe('actions in frames', () => {
  function frame(index: number): FrameNode {
    const found = page.frames[index];
    if (!found) throw new TypeError(`no frame ${index}`);
    return found;
  }

  const BUTTON = `<!doctype html><body style="margin:0"><div id="pad"></div><button id="b" style="position:absolute;left:20px;top:30px;width:80px;height:20px" onclick="document.title = 'hit'">In</button>`;

  test('maps a point through borders, padding and scaling of same-origin frames, and hits it', async () => {
    await page.show(
      `<div style="height:40px"></div><iframe id="outer" src="/outer" style="width:600px;height:400px;border:10px solid;padding:5px 15px;transform:scale(.5);transform-origin:0 0"></iframe>`,
      {
        '/outer':
          '<!doctype html><body style="margin:0"><iframe src="/button" style="margin-left:50px;border:3px solid;width:300px;height:200px"></iframe>',
        '/button': BUTTON,
      },
    );
    const ready = await page.ready('#b', 'click', { frame: frame(2) });
    expect(ready.point).toEqual({ x: 60, y: 40 });
    expect(ready.trail).toHaveLength(3);
    expect(ready.rootPoint).toEqual({ x: 8 + (25 + 50 + 3 + 60) / 2, y: 48 + (15 + 3 + 40) / 2 });
    await page.click('#b', { frame: frame(2) });
    expect(await page.evaluate('document.title', frame(2))).toBe('hit');
  });

  test('scrolls a frame below the fold and the element inside it into view', async () => {
    await page.show(
      `<div style="height:3000px"></div><iframe src="/tall" style="width:300px;height:200px"></iframe><div style="height:3000px"></div>`,
      {
        '/tall': BUTTON.replace('top:30px', 'top:2500px'),
      },
    );
    expect(await page.click('#b', { frame: frame(1) })).toMatchObject({ delivered: true });
    expect(await page.evaluate('document.title', frame(1))).toBe('hit');
  });

  test('names the element that covers the frame in its parent document', async () => {
    await page.show(
      `<iframe src="/button" style="width:300px;height:200px"></iframe><div id="veil" style="position:fixed;inset:0"></div>`,
      { '/button': BUTTON },
    );
    expect(await page.prepare('#b', 'click', { frame: frame(1), timeout: 50 })).toMatchObject({
      kind: 'blocked',
      reason: 'covered',
      cover: '<div#veil>',
    });
  });

  test('stops a click on a frame that the parent document covers after preparation', async () => {
    await page.show(
      `<iframe src="/button" style="width:300px;height:200px"></iframe><script>window.hits = 0; addEventListener('pointerdown', () => { hits += 1; });</script>`,
      { '/button': BUTTON },
    );
    const { rootPoint } = await page.ready('#b', 'click', { frame: frame(1) });
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<div id="veil" style="position:fixed;inset:0"></div>')`,
    );
    const [, report] = await Promise.all([
      page.pressAt(rootPoint),
      page.settle({ frame: frame(1), eventTimeout: 200 }),
    ]);
    expect(report).toMatchObject({ delivered: false, misdirected: '<div#veil>' });
    expect(await page.evaluate('hits')).toBe(0);
    await page.pressAt(rootPoint);
    expect(await page.evaluate('hits')).toBe(1);
  });

  test.each(['click', 'hover', 'tap', 'press'] as const)(
    'does not wait for events of a %s on a frame document or on media controls',
    async (action) => {
      await page.show(
        `<div id="around" style="width:300px"><iframe srcdoc="In"></iframe></div><object id="object" type="text/html" data="/button"></object><video controls></video>`,
        { '/button': BUTTON },
      );
      for (const selector of ['iframe', '#object', 'video', ...(action === 'press' ? [] : ['#around'])]) {
        await page.ready(selector, action);
        expect(await page.settle({ eventTimeout: 60_000, frames: 0 })).toMatchObject({ delivered: true });
      }
    },
  );

  test('reports what a click in a frame changes in the parent document', async () => {
    await page.show(`<iframe src="/talk" style="width:300px;height:200px"></iframe><p role="status" id="s"></p>`, {
      '/talk': BUTTON.replace("document.title = 'hit'", "parent.document.getElementById('s').textContent = 'Thanks'"),
    });
    expect(await page.click('#b', { frame: frame(1) })).toMatchObject({
      delivered: true,
      announced: ['Thanks'],
      mutations: 1,
    });
  });

  test('mapToParent() maps a point of a cross-origin frame, or names the cover of the frame', async () => {
    await page.show(
      `<div style="height:2000px"></div><iframe src="${page.server.otherOrigin}/button" style="width:300px;height:200px;border:7px solid"></iframe>`,
      { '/button': BUTTON },
    );
    const child = frame(1);
    const ready = await page.ready('#b', 'click', { frame: child });
    expect(ready.trail).toEqual([ready.point]);
    const owner = await page.call('mapToParent', child.id, ready.point);
    expect(owner).toMatchObject({ kind: 'ready', trail: [expect.anything()] });
    expect(
      await page.call('describePoint', (owner.kind === 'ready' && owner.trail[0]) || { x: 0, y: 0 }),
    ).toMatchObject({
      frameId: child.id,
      framePoint: ready.point,
    });
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<div id="veil" style="position:fixed;inset:0"></div>')`,
    );
    expect(await page.call('mapToParent', child.id, ready.point)).toEqual({
      kind: 'blocked',
      reason: 'covered',
      cover: '<div#veil>',
    });
    expect(await page.call('mapToParent', 'unknown', ready.point)).toEqual({ kind: 'none' });
  });

  test('describeOwner() names the frame element, and describePoint() the innermost element', async () => {
    await page.show(
      `<iframe id="f" src="/button"></iframe><x-h id="h"></x-h><script>h.attachShadow({ mode: 'open' }).innerHTML = '<i id="in" style="position:absolute;left:500px;top:10px;width:50px;height:50px"></i>';</script>`,
      { '/button': BUTTON },
    );
    expect(await page.call('describeOwner', frame(1).id)).toMatchObject({
      tag: '<iframe#f>',
      xpath: '/html[1]/body[1]/iframe[1]',
    });
    const described = await page.call('describePoint', { x: 510, y: 20 });
    expect(described).toMatchObject({ element: { tag: '<i#in>', xpath: '/html[1]/body[1]/x-h[1]//i[1]' } });
    expect(await page.call('describePoint', { x: -5, y: 0 })).toBeNull();
  });
});

describe('input guard of a prepared action', () => {
  const LOG = `<script>window.log = []; for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
  addEventListener(type, (event) => log.push(type + ' ' + (event.target.id || event.target.tagName)), true);</script>`;

  async function log(): Promise<unknown> {
    return page.evaluate('log');
  }

  test('stops a click before the page sees it when a cover appeared after preparation', async () => {
    await page.show(`${LOG}<a id="target" href="#t">Buy</a><script>
    const veil = document.createElement('a'); veil.id = 'veil'; veil.href = '#wrong'; veil.style = 'position:fixed;inset:0';
  </script>`);
    const { rootPoint } = await page.ready('#target', 'click');
    await page.evaluate('document.body.append(veil)');
    const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle()]);
    expect(report).toMatchObject({ delivered: false, misdirected: '<a#veil>' });
    expect(await log()).toEqual([]);
    expect(await page.evaluate('location.hash')).toBe('');
  });

  test('lets later input through after the guarded click', async () => {
    await page.show(
      `${LOG}<button id="target">Buy</button><button id="other" style="position:absolute;left:300px;top:300px">Other</button>`,
    );
    await page.click('#target');
    await page.pressAt({ x: 320, y: 310 });
    expect(await log()).toEqual(
      ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
        .flatMap((type) => [`${type} target`])
        .concat(['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'].map((type) => `${type} other`)),
    );
  });

  test('lets every event through for an action without pointer input', async () => {
    await page.show(
      `${LOG}<input id="target"><button id="other" style="position:absolute;left:300px;top:300px">Other</button>`,
    );
    await page.ready('#target', 'focus');
    await page.pressAt({ x: 320, y: 310 });
    expect(await page.evaluate(`log.includes('click other')`)).toBe(true);
  });

  test('lets a click finish when the button re-renders on mousedown', async () => {
    await page.show(`${LOG}<div id="box"><button id="target">Buy</button></div><script>
    document.getElementById('target').addEventListener('mousedown', () => { box.innerHTML = '<button id="fresh">Buy</button>'; });</script>`);
    const report = await page.click('#target');
    expect(report.delivered).toBe(true);
    expect(await page.evaluate(`log.includes('mouseup fresh')`)).toBe(true);
  });

  test('reports `delivered: false` when no event arrives within `eventTimeout`', async () => {
    await page.show('<button id="target">Buy</button>');
    await page.ready('#target', 'click');
    expect(await page.settle({ eventTimeout: 50 })).toMatchObject({ delivered: false });
  });

  test('stops a misdirected click after document.open() before the page sees it', async () => {
    await page.show(`<button id="target">Buy</button>`);
    await page.evaluate(`document.open(); document.write('<a id="target" href="#t">Buy</a>'); document.close()`);
    // A listener that the same script adds after `document.open()` would come first.
    await page.evaluate(`window.log = []; addEventListener('click', () => log.push('click'), true);
    window.veil = document.createElement('div'); veil.style = 'position:fixed;inset:0'; 0`);
    const { rootPoint } = await page.ready('#target', 'click');
    await page.evaluate('document.body.append(veil)');
    const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle()]);
    expect(report.misdirected).toBe('<div>');
    expect(await log()).toEqual([]);
  });

  test('reports a hover as delivered, with the menu that it opens', async () => {
    await page.show(
      `<style>#menu { display: none } #target:hover + #menu { display: block }</style><button id="target">More</button><div id="menu" role="menu">Items</div>`,
    );
    const { rootPoint } = await page.ready('#target', 'hover');
    const [, report] = await Promise.all([
      page.browser.page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...rootPoint }),
      page.settle(),
    ]);
    expect(report).toMatchObject({ delivered: true, opened: 'menu "Items"' });
  });

  test('reports typed text as delivered, with `targetChanged`', async () => {
    await page.show('<input id="target">');
    await page.ready('#target', 'fill');
    const [, report] = await Promise.all([page.insert('hello'), page.settle()]);
    expect(report).toMatchObject({ delivered: true, targetChanged: true });
  });

  test('defines no global variable that the page can see', async () => {
    await page.show(`<button id="target">Buy</button>`);
    expect(
      await page.evaluate(
        `[typeof window.chauffeur, Object.keys(window).filter((key) => /chauffeur/i.test(key)).length]`,
      ),
    ).toEqual(['undefined', 0]);
  });

  test('names the element under the pointer when a hover misses its target', async () => {
    await page.show(
      '<button id="target">More</button><p id="other" style="position:absolute;left:300px;top:300px">Other</p>',
    );
    await page.ready('#target', 'hover');
    const [, report] = await Promise.all([
      page.browser.page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 310, y: 325 }),
      page.settle({ eventTimeout: 200 }),
    ]);
    expect(report).toMatchObject({ delivered: false, misdirected: '<p#other>' });
  });
});
