import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Locator, Page } from '../../src/index.ts';
import { document, record, useInputBench } from './input-bench.ts';

const POINTER_EVENTS = [
  'pointerover',
  'pointerdown',
  'pointerup',
  'mouseover',
  'mousedown',
  'mouseup',
  'focus',
  'click',
  'dblclick',
  'auxclick',
  'contextmenu',
];

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

const PLACE = 'position:absolute;left:100px;top:50px;width:100px;height:50px';

describe('clicks', () => {
  const sequences: Record<string, { act: () => Promise<unknown>; events: string[] }> = {
    'a click': {
      act: () => page.locator('#target').click(),
      events: ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'],
    },
    'a click at a point': {
      act: () => page.click(150, 75),
      events: ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'],
    },
    'a double click': {
      act: () => page.locator('#target').dblclick(),
      events: [
        ...['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'],
        ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'],
      ],
    },
    'a right click': {
      act: () => page.locator('#target').click({ button: 'right' }),
      events: [
        ...['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'contextmenu'],
        ...['pointerup', 'mouseup', 'auxclick'],
      ],
    },
    'a middle click': {
      act: () => page.locator('#target').click({ button: 'middle' }),
      events: ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'auxclick'],
    },
    'a click by page.mouse': {
      act: () => page.mouse.click(150, 75),
      events: ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'],
    },
    'a double click by page.mouse': {
      act: () => page.mouse.dblclick(150, 75),
      events: [
        ...['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'],
        ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'],
      ],
    },
  };

  it.each(Object.entries(sequences))('fires trusted events in order for %s', async (_title, { act, events }) => {
    await bench.open(`<button id="target" style="${PLACE}">target</button>${record(...POINTER_EVENTS)}`);
    await page.mouse.move(5, 5);
    await bench.seen();
    await act();
    expect(await bench.seen()).toEqual(events.map((type) => `${type} target`));
  });

  it('selects the paragraph with `clickCount: 3`, and a word with `clickCount: 2`', async () => {
    await bench.open(
      `<p id="text" style="margin:0">some words here</p><script>window.seen = []; onmousedown = (event) => seen.push(event.detail);</script>`,
    );
    await page.click(20, 10, { clickCount: 3 });
    expect(await bench.seen()).toEqual([1, 2, 3]);
    expect(await page.evaluate('String(getSelection()).trim()')).toBe('some words here');
    await page.click(20, 10, { clickCount: 2 });
    expect(await page.evaluate('String(getSelection()).trim()')).toBe('some');
  });

  it.each([
    ['Shift', 'shiftKey'],
    ['Control', 'ctrlKey'],
    ['Alt', 'altKey'],
    ['Meta', 'metaKey'],
  ] as const)('holds %s only for clicks that request it', async (modifier, property) => {
    await bench.open(
      `<button id="target">target</button><script>window.seen = []; onclick = (event) => seen.push(event.${property});</script>`,
    );
    await page.locator('#target').click({ modifiers: [modifier] });
    await page.click(10, 10, { modifiers: [modifier] });
    await page.locator('#target').click();
    expect(await bench.seen()).toEqual([true, true, false]);
  });

  it('clicks at `position` within the element', async () => {
    await bench.open(
      `<div id="target" style="${PLACE}">target</div><script>window.seen = []; onclick = (event) => seen.push(event.clientX + ',' + event.clientY);</script>`,
    );
    await page.locator('#target').click({ position: { x: 7, y: 9 } });
    expect(await bench.seen()).toEqual(['107,59']);
  });

  it('waits `delay` between mousedown and mouseup', async () => {
    await bench.open(
      `<button id="target">target</button><script>window.seen = []; for (const type of ['mousedown', 'mouseup']) addEventListener(type, (event) => seen.push(event.timeStamp));</script>`,
    );
    await page.locator('#target').click({ delay: 60 });
    await page.mouse.click(10, 10, { delay: 60 });
    const [down = 0, up = 0, again = 0, end = 0] = (await bench.seen()).map(Number);
    expect(up - down).toBeGreaterThanOrEqual(59);
    expect(end - again).toBeGreaterThanOrEqual(59);
  });
});

describe('mouse movement', () => {
  it('fires enter, move and leave events in order', async () => {
    await page.mouse.move(500, 500);
    await bench.open(
      `<div id="a" style="width:100px;height:50px"></div><div id="b" style="width:100px;height:50px"></div>
      <script>window.seen = []; for (const element of [a, b]) for (const type of ['mouseenter', 'mouseleave', 'mousemove', 'pointerenter', 'pointerleave']) element.addEventListener(type, () => seen.push(type + ' ' + element.id));</script>`,
    );
    await page.hover(50, 25);
    await page.hover(50, 75);
    expect(await bench.seen()).toEqual([
      ...['pointerenter a', 'mouseenter a', 'mousemove a'],
      ...['pointerleave a', 'pointerenter b', 'mouseleave a', 'mouseenter b', 'mousemove b'],
    ]);
  });

  it('shows `:hover` content while the pointer is over the element', async () => {
    await bench.open(
      `<style>#tip { display: none } #target:hover #tip { display: block }</style><div id="target" style="${PLACE}">target<b id="tip">tip</b></div>`,
    );
    expect(await page.locator('#tip').isVisible()).toBe(false);
    await page.locator('#target').hover();
    expect(await page.locator('#tip').isVisible()).toBe(true);
    await page.hover(5, 5);
    expect(await page.locator('#tip').isVisible()).toBe(false);
  });

  it('moves in the requested number of steps from its last position', async () => {
    await bench.open(
      `<script>window.seen = []; onmousemove = (event) => seen.push(event.clientX + ',' + event.clientY);</script>`,
    );
    await page.mouse.move(100, 100);
    await page.mouse.move(200, 300, { steps: 4 });
    expect(await bench.seen()).toEqual(['100,100', '125,150', '150,200', '175,250', '200,300']);
  });

  it('keeps buttons pressed between `down()` and `up()`', async () => {
    await bench.open(
      `<script>window.seen = []; for (const type of ['mousedown', 'mousemove', 'mouseup']) addEventListener(type, (event) => seen.push(type + ' ' + event.buttons));</script>`,
    );
    await page.mouse.move(10, 10);
    await page.mouse.down();
    await page.mouse.move(20, 20);
    await page.mouse.down({ button: 'right' });
    await page.mouse.up({ button: 'right' });
    await page.mouse.up();
    await page.mouse.move(30, 30);
    expect(await bench.seen()).toEqual([
      ...['mousemove 0', 'mousedown 1', 'mousemove 1', 'mousedown 3', 'mouseup 1', 'mouseup 0', 'mousemove 0'],
    ]);
  });

  it('fires mouseleave in a frame of another process when the pointer leaves it', async () => {
    bench.server.page(
      '/inner',
      document(
        `<div style="height:100px">in</div><script>window.seen = []; document.querySelector('div').addEventListener('mouseenter', () => seen.push('entered'));</script><script>document.querySelector('div').addEventListener('mouseleave', () => seen.push('left'));</script>`,
      ),
    );
    await bench.open(
      `<iframe src="${bench.server.otherOrigin}/inner" style="position:absolute;left:100px;top:0;width:200px;height:100px;border:0"></iframe>`,
    );
    await page.hover(150, 50);
    await page.hover(50, 50);
    await expect.poll(() => bench.seenIn('/inner')).toEqual(['entered', 'left']);
  });

  it('selects text by dragging over it', async () => {
    await bench.open('<p id="text" style="margin:0;font:20px monospace;width:max-content">abcdefghij</p>');
    await page.mouse.move(1, 12);
    await page.mouse.down();
    await page.mouse.move(61, 12, { steps: 3 });
    await page.mouse.up();
    expect(await page.evaluate('String(getSelection())')).toBe('abcde');
  });
});

describe('mouse wheel', () => {
  it('scrolls the page by the given deltas', async () => {
    await bench.open('<div style="width:3000px;height:3000px">tall</div>');
    await page.scroll(100, 100, 0, 300);
    await expect.poll(() => page.evaluate('scrollY')).toBe(300);
    await page.scroll(100, 100, 200, -100);
    await expect.poll(() => page.evaluate('[scrollX, scrollY].join()')).toBe('200,200');
  });

  it('scrolls the element under the pointer', async () => {
    await bench.open(
      '<div id="list" style="height:100px;width:100px;overflow:auto"><div style="height:1000px">rows</div></div><div style="height:3000px"></div>',
    );
    expect(await page.scroll(50, 50, 0, 120, { returnXpath: true })).toBe('/html[1]/body[1]/div[1]/div[1]');
    await expect.poll(() => page.evaluate('list.scrollTop')).toBe(120);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, 50);
    await expect.poll(() => page.evaluate('scrollY')).toBe(50);
  });

  it('fires trusted wheel events with the given deltas and modifiers', async () => {
    await bench.open(
      `<script>window.seen = []; addEventListener('wheel', (event) => { event.preventDefault(); seen.push([event.deltaX, event.deltaY, event.shiftKey, event.isTrusted].join()); }, { passive: false });</script>`,
    );
    await page.scroll(100, 100, 10, 20);
    await page.scroll(100, 100, 1, 2, { modifiers: ['Shift'] });
    await expect.poll(() => page.evaluate('seen')).toEqual(['10,20,false,true', '1,2,true,true']);
  });

  it('scrolls a frame of another process', async () => {
    bench.server.page('/tall', document('<div style="height:3000px">tall</div>'));
    await bench.open(
      `<iframe src="${bench.server.otherOrigin}/tall" style="position:absolute;left:100px;top:0;width:200px;height:100px;border:0"></iframe>`,
    );
    await page.scroll(150, 50, 0, 80);
    await expect
      .poll(() => page.locator('iframe >> html').evaluate((root: { scrollTop: number }) => root.scrollTop))
      .toBe(80);
  });
});

describe('input that does not reach the page', () => {
  afterEach(async () => {
    vi.restoreAllMocks();
    await page.sendCDP('Input.setIgnoreInputEvents', { ignore: false });
  });

  const target = (): Locator => page.locator('#target');
  const ways: readonly [name: string, act: () => Promise<unknown>, event: string][] = [
    ['a click', () => target().click(), 'click'],
    ['a forced click', () => target().click({ force: true }), 'click'],
    ['a check', () => target().check(), 'click'],
    ['a hover', () => target().hover(), 'mouseover'],
  ];

  /** Does what is to be done with the browser losing all input until it has taken what was sent. */
  async function losing(act: () => Promise<unknown>): Promise<void> {
    await page.sendCDP('Input.setIgnoreInputEvents', { ignore: true });
    const sent = vi.spyOn(page.target.session, 'sendRaw');
    const acted = act();
    const isInput = ([method]: readonly unknown[]): boolean => String(method).startsWith('Input.dispatch');
    await expect.poll(() => sent.mock.calls.some(isInput)).toBe(true);
    await Promise.all(
      sent.mock.results.filter((_, index) => isInput(sent.mock.calls[index] ?? [])).map(({ value }) => value),
    );
    await page.sendCDP('Input.setIgnoreInputEvents', { ignore: false });
    await acted;
  }

  it.each(ways)('resends %s after lost input, and the page receives it once', async (_name, act, event) => {
    await bench.open(`<input type="checkbox" id="target" style="${PLACE}">${record(event)}`);
    await page.mouse.move(0, 0);
    await bench.seen();
    await losing(act);
    const seen = await bench.seen();
    expect(seen.filter((line) => line.endsWith('target'))).toEqual([`${event} target`]);
  });

  it('resends a lost click when the pointer already rests on the target', async () => {
    await bench.open('');
    await page.mouse.move(150, 75);
    await bench.open(`<button id="target" style="${PLACE}">Buy</button>${record('mousemove', 'click')}`);
    // The browser tells what has come under the pointer of it, without an event that a pointer brings.
    await expect
      .poll(() => target().evaluate((element: { matches(selector: string): boolean }) => element.matches(':hover')))
      .toBe(true);
    expect(await bench.seen()).toEqual([]);
    await losing(() => target().click());
    expect((await bench.seen()).filter((line) => line.startsWith('click'))).toEqual(['click target']);
  });

  it.each(ways)('resends %s when the browser never acknowledges the input', async (_name, act, event) => {
    await bench.open(`<input type="checkbox" id="target" style="${PLACE}">${record(event)}`);
    await page.mouse.move(0, 0);
    await bench.seen();
    const { session } = page.target;
    const send = session.sendRaw.bind(session);
    const unanswered: string[] = [];
    let isOver = false;
    vi.spyOn(session, 'sendRaw').mockImplementation((method, ...rest) => {
      // What is sent at once, as the three events of a click, goes the same way.
      if (method !== 'Input.dispatchMouseEvent' || isOver) return send(method, ...rest);
      unanswered.push(method);
      setImmediate(() => (isOver = true));
      return Promise.withResolvers<unknown>().promise;
    });
    await act();
    expect(unanswered).toHaveLength(event === 'click' ? 3 : 1);
    const seen = await bench.seen();
    expect(seen.filter((line) => line.endsWith('target'))).toEqual([`${event} target`]);
  });

  it.each(['video', 'audio'])('accepts a click that the built-in controls of a player handle (%s)', async (tag) => {
    await bench.open(`<${tag} controls></${tag}>${record('click')}`);
    await page.locator(tag).click();
    // Beside the buttons the page sees it.
    expect((await bench.seen()).length).toBeLessThanOrEqual(1);
  });

  // Each call tries several times for 4 s, so they run at the same time on pages of their own.
  it.concurrent.each<readonly [what: string, click: (page: Page) => Promise<unknown>]>([
    ['a click', (own) => own.locator('#target').click()],
    ['a click with force', (own) => own.locator('#target').click({ force: true })],
    [
      '`act`',
      (own) =>
        bench.driver.act({ method: 'click', selector: '#target', description: '', arguments: [] }, { page: own }),
    ],
  ])('rejects %s when the input never reaches the page', async (_what, click) => {
    const url = bench.server.page('/never', document('<button id="target">Buy</button>'));
    const own = await bench.driver.context.newPage(url);
    await own.mouse.move(500, 500);
    await own.sendCDP('Input.setIgnoreInputEvents', { ignore: true });
    await expect(click(own)).rejects.toMatchObject({
      code: 'CLICK',
      message: expect.stringMatching(/^Cannot click .*Buy.*never reached the page/),
    });
    await own.close();
  });
});

describe('invalid mouse arguments', () => {
  it.each([
    ['hover', () => page.hover(Number.NaN, 1), /x must be a number. Received the number NaN/],
    ['hover without y', () => page.hover(1, undefined as never), /y must be a number. Received undefined/],
    ['tap', () => page.tap(1, '2' as never), /y must be a number/],
    ['scroll', () => page.scroll(1, 1, 'a' as never, 1), /deltaX must be a number/],
    ['dragAndDrop', () => page.dragAndDrop(1, 1, Number.POSITIVE_INFINITY, 1), /toX must be a number/],
    ['steps', () => page.dragAndDrop(1, 1, 2, 2, { steps: 0 }), /steps must be a whole number of at least 1/],
    ['button', () => page.mouse.down({ button: 'first' as never }), /button must be one of left, right, middle/],
    ['modifiers', () => page.click(1, 1, { modifiers: ['Hyper' as never] }), /modifiers must be one of Alt, Control/],
    ['clickCount', () => page.mouse.click(1, 1, { clickCount: 1.5 }), /clickCount must be a whole number/],
    ['delay', () => page.mouse.click(1, 1, { delay: -5 }), /delay must be a number of milliseconds/],
    ['steps of page.mouse.move', () => page.mouse.move(1, 1, { steps: -1 }), /steps must be a whole number/],
    ['wheel', () => page.mouse.wheel(0, null as never), /deltaY must be a number. Received null/],
  ])('rejects invalid arguments: %s', async (_title, call, message) => {
    await expect(call()).rejects.toThrow(message);
  });
});
