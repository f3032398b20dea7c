import { beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { record, useInputBench } from './input-bench.ts';

const COLOURS = `<select id="field"><option value="r">Red</option><option value="g" disabled>Green</option>
  <optgroup label="Cold"><option value="b">Blue</option><option value="c" label="Cyan (light)">cyan</option></optgroup>
  <optgroup label="Gone" disabled><option value="y">Yellow</option></optgroup></select>`;
const SIZES = '<select id="field" multiple><option>S</option><option selected>M</option><option>L</option></select>';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

const chosen = (): Promise<unknown> =>
  page.evaluate('Array.from(field.selectedOptions, (option) => option.value).join()');

describe('selectOption()', () => {
  it.each([
    ['a label', 'Blue', 'b'],
    ['a label in another case', 'blue', 'b'],
    ['a value', 'b', 'b'],
    ['an index', 'index=2', 'b'],
    ['a label attribute', 'Cyan (light)', 'c'],
    ['the label of the selected option', 'Red', 'r'],
  ])('selects an option by %s', async (_title, name, value) => {
    await bench.open(COLOURS);
    expect(await page.locator('#field').selectOption(name)).toEqual([value]);
    expect(await chosen()).toBe(value);
  });

  it.each([
    ['an unknown label', 'Purple', /has no option "Purple"/],
    ['an index past the end', 'index=9', /has no option "index=9"/],
    ['a disabled option', 'Green', /The option "Green" .* is disabled/],
    ['an option of a disabled group', 'Yellow', /The option "Yellow" .* is disabled/],
    ['two options', ['Red', 'Blue'], /accepts one option. Received 2/],
    ['no option', [], /accepts one option. Received 0/],
  ])('rejects %s, and keeps the selection', async (_title, names, message) => {
    await bench.open(`${COLOURS}${record('input', 'change')}`);
    const failure = page.locator('#field').selectOption(names, { timeout: 500 });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(DriverInvalidArgumentError);
    expect(await chosen()).toBe('r');
    expect(await bench.seen()).toEqual([]);
  });

  it('fires input and change once, and not again when nothing changes', async () => {
    await bench.open(`${COLOURS}${record('input', 'change')}`);
    await page.locator('#field').selectOption('Blue');
    await page.locator('#field').selectOption('Blue');
    expect(await bench.seen()).toEqual(['input field', 'change field']);
  });

  it('selects an option through the label of the select, and by `fill()`', async () => {
    await bench.open(`<label for="field" id="label">Colour</label>${COLOURS}`);
    await page.locator('#label').selectOption('Blue');
    expect(await chosen()).toBe('b');
    await page.locator('#field').fill('Red');
    expect(await chosen()).toBe('r');
  });

  it('waits until the select is enabled and has the option', async () => {
    await bench.open(
      '<select id="field" disabled></select><script>setTimeout(() => { field.innerHTML = "<option>late</option>"; field.disabled = false; }, 200);</script>',
    );
    expect(await page.locator('#field').selectOption('late')).toEqual(['late']);
  });

  it.each([
    ['a disabled select', '<select id="field" disabled><option>a</option></select>', /disabled/],
    [
      'a select of a disabled fieldset',
      '<fieldset disabled><select id="field"><option>a</option></select></fieldset>',
      /disabled/,
    ],
    ['a hidden select', '<select id="field" hidden><option>a</option></select>', /hidden/],
    ['an element that is not a select', '<div id="field">a</div>', /not a select/],
  ])('rejects %s', async (_title, html, message) => {
    await bench.open(html);
    await expect(page.locator('#field').selectOption('a', { timeout: 300 })).rejects.toThrow(message);
  });

  it('selects an option in a closed shadow root of a frame', async () => {
    bench.server.page('/inner', `<div><template shadowrootmode="closed">${COLOURS}</template></div>`);
    await bench.open(`<iframe src="${bench.server.otherOrigin}/inner"></iframe>`);
    expect(await page.locator('iframe >> #field').selectOption('Blue')).toEqual(['b']);
  });
});

describe('select with `multiple`', () => {
  it.each([
    [['S', 'L'], 'S,L'],
    [['M'], 'M'],
    [['index=0', 'index=1', 'index=2'], 'S,M,L'],
    [[], ''],
  ])('selects exactly the options %j', async (names, values) => {
    await bench.open(SIZES);
    expect((await page.locator('#field').selectOption(names)).join()).toBe(values);
    expect(await chosen()).toBe(values);
  });

  it('keeps the selection when one of the options does not exist', async () => {
    await bench.open(SIZES);
    await expect(page.locator('#field').selectOption(['S', 'XL'], { timeout: 500 })).rejects.toThrow(/"XL"/);
    expect(await chosen()).toBe('M');
  });
});
