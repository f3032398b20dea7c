import { beforeAll, describe, expect, it } from 'vitest';
import { DriverClickError, type Page } from '../../src/index.ts';
import { document, record, useInputBench } from './input-bench.ts';

const EVENTS = ['pointerdown', 'touchstart', 'pointerup', 'touchend', 'mousedown', 'mouseup', 'focus', 'click'];
const PLACE = 'position:absolute;left:100px;top:50px;width:100px;height:50px';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

const ways: Record<string, () => Promise<unknown>> = {
  'by selector': () => page.locator('#target').tap(),
  'by point': () => page.tap(150, 75),
};

describe.each(Object.entries(ways))('a tap %s', (_title, tap) => {
  it('fires trusted touch and compatibility mouse events before it resolves', async () => {
    await bench.open(`<button id="target" style="${PLACE}">target</button>${record(...EVENTS)}`);
    await tap();
    expect(await bench.seen()).toEqual([
      ...['pointerdown', 'touchstart', 'pointerup', 'touchend', 'mousedown', 'focus', 'mouseup', 'click'].map(
        (type) => `${type} target`,
      ),
    ]);
  });

  it('sends `pointerType` "touch" and one touch at the point', async () => {
    await bench.open(
      `<button id="target" style="${PLACE}">target</button><script>window.seen = []; onpointerdown = (event) => seen.push(event.pointerType); addEventListener('touchstart', (event) => seen.push(event.touches.length, event.touches[0].clientX, event.touches[0].clientY));</script>`,
    );
    await tap();
    expect(await bench.seen()).toEqual(['touch', 1, 150, 75]);
  });

  it.each(['touchstart', 'touchend'])('fires no click when the page cancels %s', async (type) => {
    await bench.open(
      `<button id="target" style="${PLACE}">target</button>${record('touchstart', 'touchend', 'click')}<script>target.addEventListener('${type}', (event) => event.preventDefault(), { passive: false });</script>`,
    );
    await tap();
    expect(await bench.seen()).toEqual(['touchstart target', 'touchend target']);
  });

  it('reaches a frame of another process', async () => {
    bench.server.page(
      '/inner',
      document(`<button id="target" style="width:100px;height:50px">in</button>${record('touchend', 'click')}`),
    );
    await bench.open(
      `<iframe src="${bench.server.otherOrigin}/inner" style="position:absolute;left:100px;top:50px;width:200px;height:100px;border:0"></iframe>`,
    );
    await (_title === 'by point' ? tap() : page.locator('iframe >> #target').tap());
    expect(await bench.seenIn('/inner')).toEqual(['touchend target', 'click target']);
  });
});

it('rejects a tap on a covered element, and names the cover', async () => {
  await bench.open(
    `<button id="target" style="${PLACE}">target</button><div id="cover" style="${PLACE};background:#eee"></div>${record('click')}`,
  );
  const failure = page.locator('#target').tap({ timeout: 300 });
  await expect(failure).rejects.toThrow(/Cannot tap .*<div#cover> covers it/);
  await expect(failure).rejects.toBeInstanceOf(DriverClickError);
  expect(await bench.seen()).toEqual([]);
});

it('taps with modifiers, and returns the XPath of the hit element', async () => {
  await bench.open(
    `<button id="target" style="${PLACE}">target</button><script>window.seen = []; onclick = (event) => seen.push(event.shiftKey);</script>`,
  );
  expect(await page.tap(150, 75, { modifiers: ['Shift'], returnXpath: true })).toBe('/html[1]/body[1]/button[1]');
  expect(await bench.seen()).toEqual([true]);
});

it('checks a checkbox and focuses a field by tap', async () => {
  await bench.open('<input type="checkbox" id="box"><input id="field">');
  await page.locator('#box').tap();
  await page.locator('#field').tap();
  await page.type('x');
  expect(await page.evaluate('[box.checked, field.value].join()')).toBe('true,x');
});
