import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type LocatorClickOptions, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { highlightsDuring } from '../support/highlights-during.ts';
import { openShownPage, type ShownPage } from './shown-page.ts';

let shown: ShownPage;
let page: Page;

beforeAll(async () => {
  shown = await openShownPage();
  ({ page } = shown);
});

afterAll(() => shown?.[Symbol.asyncDispose]());

/** Events of an element are noted in `window.seen` as what this expression of `e` gives. */
const note = (types: string, expression: string): string => `<script>window.seen = [];
  for (const type of ${JSON.stringify(types.split(' '))}) document.addEventListener(type, (e) => seen.push(${expression}), true);</script>`;

const seen = (): Promise<unknown> => page.evaluate('window.seen');

describe('locator.setChecked()', () => {
  it.each([
    ['checkbox', '<input id="i" type="checkbox">'],
    [
      'switch',
      '<div id="i" role="switch" aria-checked="false" tabindex="0" onclick="this.ariaChecked = String(this.ariaChecked !== \'true\')">w</div>',
    ],
    ['checkbox in a label', '<label id="l">News <input id="i" type="checkbox"></label>'],
  ])('checks and unchecks a %s, and does not click when the state already matches', async (_title, html) => {
    await shown.show(`${html}${note('click', 'e.type')}`);
    const box = page.locator('#i');
    await box.setChecked(true);
    await box.setChecked(true);
    expect(await box.isChecked()).toBe(true);
    await box.setChecked(false);
    expect(await box.isChecked()).toBe(false);
    expect(((await seen()) as unknown[]).length).toBe(2);
  });

  it('rejects a value that is not a boolean', async () => {
    await shown.show('<input id="i" type="checkbox">');
    expect(await failureOf(page.locator('#i').setChecked('true' as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await failureOf(page.locator('#i').setChecked(undefined as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe('click options', () => {
  const BUTTON = '<button id="b" style="width:100px;height:50px;padding:0;border:0;margin:20px">Go</button>';

  it.each<[string, LocatorClickOptions, unknown]>([
    ['a position', { position: { x: 3, y: 4 } }, [[3, 4]]],
    ['another position', { position: { x: 99, y: 49 } }, [[99, 49]]],
  ])('clicks at %s', async (_title, options, expected) => {
    await shown.show(`${BUTTON}${note('click', '[e.offsetX, e.offsetY]')}`);
    await page.locator('#b').click(options);
    expect(await seen()).toEqual(expected);
  });

  it.each<[string, LocatorClickOptions, unknown]>([
    ['Shift', { modifiers: ['Shift'] }, [[true, false, false, false]]],
    ['Control', { modifiers: ['Control'] }, [[false, true, false, false]]],
    ['Alt and Meta', { modifiers: ['Alt', 'Meta'] }, [[false, false, true, true]]],
    ['none', { modifiers: [] }, [[false, false, false, false]]],
  ])('sends the click with these modifiers: %s', async (_title, options, expected) => {
    await shown.show(`${BUTTON}${note('click', '[e.shiftKey, e.ctrlKey, e.altKey, e.metaKey]')}`);
    await page.locator('#b').click(options);
    expect(await seen()).toEqual(expected);
  });

  it('`clickCount: 3` clicks three times in a row', async () => {
    await shown.show(`${BUTTON}${note('click dblclick', 'e.type + e.detail')}`);
    await page.locator('#b').click({ clickCount: 3 });
    expect(await seen()).toEqual(['click1', 'click2', 'dblclick2', 'click3']);
  });

  it('dblclick() and each mouse button dispatch the matching events', async () => {
    await shown.show(`${BUTTON}${note('dblclick contextmenu auxclick', 'e.type + e.button')}`);
    await page.locator('#b').dblclick();
    await page.locator('#b').click({ button: 'right' });
    await page.locator('#b').click({ button: 'middle' });
    expect(await seen()).toEqual(['dblclick0', 'contextmenu2', 'auxclick2', 'auxclick1']);
  });

  it('`delay` holds the button down between press and release', async () => {
    await shown.show(`${BUTTON}${note('mousedown mouseup', 'performance.now()')}`);
    await page.locator('#b').click({ delay: 120 });
    const [down, up] = (await seen()) as number[];
    expect((up ?? 0) - (down ?? 0)).toBeGreaterThanOrEqual(110);
  });

  it('`trial` runs the actionability checks without a click', async () => {
    await shown.show(`<div style="height:3000px"></div>${BUTTON}${note('click', 'e.type')}`);
    await page.locator('#b').click({ trial: true });
    expect(await seen()).toEqual([]);
    expect(await page.evaluate('scrollY > 0')).toBe(true);
    await page.locator('#b').click();
    expect(await seen()).toEqual(['click']);
  });

  it('`trial` rejects for a disabled button', async () => {
    await shown.show(`<button id="b" disabled>Go</button>`);
    expect(await failureOf(page.locator('#b').click({ trial: true, timeout: 300 }))).toMatchObject({ code: 'CLICK' });
  });

  it('`force` sends the click although an overlay receives it', async () => {
    await shown.show(`${BUTTON}<div style="position:fixed;inset:0"></div>${note('click', 'e.target.tagName')}`);
    expect(await failureOf(page.locator('#b').click({ timeout: 300 }))).toMatchObject({ code: 'CLICK' });
    await page.locator('#b').click({ force: true });
    expect(await seen()).toEqual(['DIV']);
  });

  it('hover() and tap() accept a position, and hover() accepts modifiers', async () => {
    await shown.show(`${BUTTON}${note('mousemove click', '[e.type, e.offsetX, e.offsetY, e.shiftKey]')}`);
    await page.locator('#b').hover({ position: { x: 5, y: 6 }, modifiers: ['Shift'] });
    await page.locator('#b').tap({ position: { x: 7, y: 8 } });
    expect(await seen()).toContainEqual(['mousemove', 5, 6, true]);
    expect(await seen()).toContainEqual(['click', 7, 8, false]);
  });

  it.each<[string, object]>([
    ['an unknown button', { button: 'top' }],
    ['an unknown modifier', { modifiers: ['Hyper'] }],
    ['a position without y', { position: { x: 1 } }],
    ['a click count of 0', { clickCount: 0 }],
    ['a negative delay', { delay: -1 }],
    ['`trial` that is not a boolean', { trial: 'yes' }],
    ['`force` that is not a boolean', { force: 1 }],
    ['a negative timeout', { timeout: -1 }],
  ])('rejects %s', async (_title, options) => {
    expect(await failureOf(page.locator('#b').click(options))).toBeInstanceOf(DriverInvalidArgumentError);
  });
});

describe('blur(), sendClickEvent() and evaluate()', () => {
  it('blur() removes the focus from the field', async () => {
    await shown.show(`<input id="i">${note('blur', 'e.target.id')}`);
    await page.locator('#i').focus();
    await page.locator('#i').blur();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    expect(await seen()).toEqual(['i']);
  });

  it('sendClickEvent() dispatches an untrusted click on a hidden element', async () => {
    await shown.show(
      `<div id="outer"><button id="b" style="display:none">Go</button></div>${note('click', '[e.isTrusted, e.bubbles, e.cancelable, e.composed, e.detail]')}`,
    );
    await page.locator('#b').sendClickEvent();
    expect(await seen()).toEqual([[false, true, true, true, 1]]);
  });

  it('sendClickEvent() dispatches the event with the given options', async () => {
    await shown.show(`<button id="b">Go</button>${note('click', '[e.bubbles, e.cancelable, e.composed, e.detail]')}`);
    await page.locator('#b').sendClickEvent({ bubbles: false, cancelable: false, composed: false, detail: 4 });
    expect(await seen()).toEqual([[false, false, false, 4]]);
  });

  it('blur() and sendClickEvent() wait for the element', async () => {
    await shown.show(
      `${note('click', 'e.target.id')}<script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<button id="b">Go</button>'); }, 80)</script>`,
    );
    await page.locator('#b').sendClickEvent();
    expect(await seen()).toEqual(['b']);
    expect(await failureOf(page.locator('#zzz').blur({ timeout: 200 }))).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('evaluate() passes the element and an argument to a function in the main world', async () => {
    await shown.show('<button id="b" data-n="3">Go</button><script>window.factor = 7</script>');
    const button = page.locator('#b');
    expect(await button.evaluate((element: HTMLElementLike, more: number) => Number(element.dataset.n) + more, 4)).toBe(
      7,
    );
    expect(await button.evaluate('Number(element.dataset.n) * factor')).toBe(21);
    expect(await button.evaluate((element: HTMLElementLike) => element.id)).toBe('b');
    expect(await button.evaluate(async (element: HTMLElementLike) => Promise.resolve(element.tagName))).toBe('BUTTON');
    expect(
      await button.evaluate((_element: HTMLElementLike, argument: object) => argument, {
        deep: [1, { two: 2 }],
        when: new Date(0),
      }),
    ).toEqual({ deep: [1, { two: 2 }], when: new Date(0) });
  });

  it('evaluate() reports an exception of the page and a missing element', async () => {
    await shown.show('<button id="b">Go</button>');
    expect(await failureOf(page.locator('#b').evaluate('nothing.at.all'))).toMatchObject({
      code: 'EVAL',
      message: expect.stringContaining('nothing is not defined'),
    });
    expect(await failureOf(page.locator('#zzz').evaluate('1', undefined, { timeout: 200 }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
  });

  it('evaluate() runs on an element in a closed shadow root of a cross-origin frame', async () => {
    shown.server.page(
      '/far',
      '<!doctype html><div id="host"></div><script>document.querySelector("#host").attachShadow({ mode: "closed" }).innerHTML = "<p id=deep>Deep</p>"</script>',
    );
    await shown.show(`<iframe src="${shown.server.otherOrigin}/far"></iframe>`);
    expect(await page.locator('iframe >> #deep').evaluate('element.textContent + location.pathname')).toBe('Deep/far');
  });
});

interface HTMLElementLike {
  readonly id: string;
  readonly tagName: string;
  readonly dataset: Record<string, string>;
}

describe('geometry, node id, highlight and screenshot', () => {
  it('boundingBox() and centroid() return page viewport coordinates for elements in frames', async () => {
    shown.server.page(
      '/box',
      '<!doctype html><body style="margin:0"><div id="d" style="position:absolute;left:10px;top:20px;width:30px;height:40px"></div>',
    );
    for (const origin of [shown.server.origin, shown.server.otherOrigin]) {
      await shown.show(
        `<iframe src="${origin}/box" style="position:absolute;left:100px;top:200px;border:5px solid;padding:0"></iframe>`,
      );
      const box = page.locator('iframe >> #d');
      expect(await box.boundingBox()).toEqual({ x: 115, y: 225, width: 30, height: 40 });
      expect(await box.centroid()).toEqual({ x: 130, y: 245 });
    }
  });

  it('boundingBox() returns null or the full box while the element toggles `hidden`', async () => {
    await shown.show('<div id="d" style="width: 20px; height: 20px"></div>');
    await page.evaluate(`setInterval(() => { d.hidden = !d.hidden; }); 0`);
    const boxes = await Promise.all(Array.from({ length: 200 }, () => page.locator('#d').boundingBox()));
    expect(boxes.filter((box) => box !== null && box.width !== 20)).toEqual([]);
  });

  it('boundingBox() and centroid() return null for an element without a box', async () => {
    await shown.show('<div id="d" style="display:none">x</div>');
    expect(await page.locator('#d').boundingBox()).toBe(null);
    expect(await page.locator('#d').centroid()).toBe(null);
  });

  it('scrollIntoViewIfNeeded() scrolls all nested scrollers', async () => {
    await shown.show(
      '<div style="height:2000px"></div><div id="s" style="height:100px;overflow:auto"><div style="height:900px"></div><p id="p">Here</p></div>',
    );
    await page.locator('#p').scrollIntoViewIfNeeded();
    const box = await page.locator('#p').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(720);
    expect(await page.locator('#s').evaluate('element.scrollTop > 0')).toBe(true);
  });

  it('scrollIntoViewIfNeeded() does not scroll to an element in view', async () => {
    await shown.show('<p id="p">Here</p><div style="height:2000px"></div>');
    await page.locator('#p').scrollIntoViewIfNeeded();
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  it('backendNodeId() returns the id that `DOM.describeNode` accepts', async () => {
    await shown.show('<p id="p">Here</p>');
    const backendNodeId = await page.locator('#p').backendNodeId();
    const described = await page.sendCDP('DOM.describeNode', { backendNodeId });
    expect(described).toMatchObject({ node: { localName: 'p', attributes: ['id', 'p'] } });
  });

  it('highlight() draws the element in the given colors and removes the highlight, without a change of the DOM', async () => {
    await shown.show(
      '<p id="p" style="width:100px;height:50px">Here</p><script>window.changes = 0; new MutationObserver((records) => { changes += records.length; }).observe(document, { subtree: true, childList: true, attributes: true })</script>',
    );
    const colors = { borderColor: { r: 0, g: 0, b: 255 }, contentColor: { r: 0, g: 255, b: 0, a: 1 } };
    const drawn = await highlightsDuring(() => page.locator('#p').highlight({ durationMs: 10, ...colors }));
    const backendNodeId = await page.locator('#p').backendNodeId();
    expect(drawn).toEqual([{ backendNodeId, highlightConfig: expect.objectContaining(colors) }, 'hidden']);
    expect(await page.evaluate('[changes, document.documentElement.children.length]')).toEqual([0, 2]);
  });

  it('highlight() rejects a negative `durationMs`', async () => {
    await shown.show('<p id="p">Here</p>');
    expect(await failureOf(page.locator('#p').highlight({ durationMs: -1 }))).toBeInstanceOf(
      DriverInvalidArgumentError,
    );
  });

  it('screenshot() waits for the element and returns an image of its size', async () => {
    await shown.show(
      '<script>setTimeout(() => { document.body.innerHTML = \'<div id="d" style="width:40px;height:30px;background:red"></div>\'; }, 60)</script>',
    );
    const picture = await page.locator('#d').screenshot();
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([40, 30]);
  });
});

describe('locator.dragTo()', () => {
  const DRAG = (id: string): string =>
    `<div id="${id}" style="width:80px;height:40px;background:#ccc" onmousedown="parent.log(['down', '${id}'])" onmouseup="parent.log(['up', '${id}'])">${id}</div>`;

  it('drops on another element', async () => {
    await shown.show(
      `<script>window.seen = []; window.log = (entry) => seen.push(entry)</script>${DRAG('one')}<p>between</p>${DRAG('two')}`,
    );
    await page.locator('#one').dragTo(page.locator('#two'));
    expect(await seen()).toEqual([
      ['down', 'one'],
      ['up', 'two'],
    ]);
  });

  it('drops on an element in a frame', async () => {
    await shown.show(
      `<script>window.seen = []; window.log = (entry) => seen.push(entry)</script>${DRAG('one')}<iframe id="f" name="f" srcdoc="${DRAG('two').replaceAll('"', '&quot;')}"></iframe>`,
    );
    await page.locator('#f >> #two').waitFor();
    await page.locator('#one').dragTo(page.frame('f')?.locator('#two') ?? page.locator('#zzz'));
    expect(await seen()).toEqual([
      ['down', 'one'],
      ['up', 'two'],
    ]);
  });

  it('rejects a target that is not a locator', async () => {
    expect(await failureOf(page.locator('#one').dragTo('#two' as never))).toBeInstanceOf(DriverInvalidArgumentError);
  });
});
