import { beforeAll, describe, expect, it } from 'vitest';
import { DriverAbortError, type Page } from '../../src/index.ts';
import { record, useInputBench } from './input-bench.ts';

const EVENTS = record('focus', 'input', 'change', 'mousedown', 'click', 'blur');
const TRUSTED = ['focus field', 'input field', 'change field'];
const BY_SCRIPT = ['focus field', 'input field!', 'change field!'];

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

function options(count: number, attributes: Readonly<Record<number, string>> = {}): string {
  return Array.from(
    { length: count },
    (_, n) => `<option value="${n}" ${attributes[n] ?? ''}>Option ${n}</option>`,
  ).join('');
}

const values = (): Promise<unknown> =>
  page.evaluate('field.selectedOptions ? Array.from(field.selectedOptions, (one) => one.value).join() : field.value');

describe('trusted events of selectOption()', () => {
  it.each([
    ['the next option', `<select id="field">${options(5)}</select>`, ['1'], '1'],
    ['the last option', `<select id="field">${options(90)}</select>`, ['89'], '89'],
    ['an option in the middle of a long list', `<select id="field">${options(200)}</select>`, ['101'], '101'],
    [
      'an option above the selected one',
      `<select id="field">${options(30, { 20: 'selected' })}</select>`,
      ['18'],
      '18',
    ],
    ['the first option', `<select id="field">${options(30, { 20: 'selected' })}</select>`, ['0'], '0'],
    [
      'an option after disabled and hidden ones',
      `<select id="field">${options(9, { 2: 'disabled', 4: 'hidden', 5: 'style="display:none"' })}</select>`,
      ['7'],
      '7',
    ],
    [
      'an option after a disabled prompt',
      `<select id="field"><option disabled selected value="">Choose</option>${options(4)}</select>`,
      ['2'],
      '2',
    ],
    [
      'an option of an optgroup',
      `<select id="field"><option>a</option><hr><optgroup label="Gone" disabled>${options(4)}</optgroup><optgroup label="Here"><option>b</option><option>c</option></optgroup></select>`,
      ['c'],
      'c',
    ],
    [
      'an option when none is selected',
      `<select id="field">${options(4)}</select><script>field.selectedIndex = -1</script>`,
      ['2'],
      '2',
    ],
    [
      'one of two options with the same label',
      '<select id="field"><option value="1">x</option><option value="2">x</option></select>',
      ['2'],
      '2',
    ],
    ['an option of a list box', `<select id="field" size="3">${options(20)}</select>`, ['7'], '7'],
    [
      'another option of a list box with a selection',
      `<select id="field" size="3">${options(20, { 9: 'selected' })}</select>`,
      ['8'],
      '8',
    ],
    ['one option of a `multiple` select', `<select id="field" multiple>${options(20)}</select>`, ['5'], '5'],
    [
      'three options of a `multiple` select',
      `<select id="field" multiple>${options(20, { 3: 'selected' })}</select>`,
      ['1', '4', '9'],
      '1,4,9',
    ],
    [
      'two options of a `multiple` select with disabled and hidden ones',
      `<select id="field" multiple>${options(9, { 0: 'disabled', 2: 'disabled', 3: 'hidden' })}</select>`,
      ['1', '5'],
      '1,5',
    ],
    [
      'an empty selection of a `multiple` select',
      `<select id="field" multiple>${options(6, { 2: 'selected', 4: 'selected' })}</select>`,
      [],
      '',
    ],
  ])('fires one trusted input and one trusted change for %s', async (_title, html, wanted, kept) => {
    await bench.open(html + EVENTS);
    expect((await page.locator('#field').selectOption(wanted)).join()).toBe(kept);
    expect(await values()).toBe(kept);
    expect(await bench.seen()).toEqual(TRUSTED);
  });

  it.each(['open', 'closed'])('fires trusted events inside a shadow root (%s)', async (mode) => {
    await bench.open(
      `<div id="host"></div><script>
        window.seen = [];
        const root = host.attachShadow({ mode: '${mode}' });
        root.innerHTML = '<select id="field">${options(9)}</select>';
        for (const type of ['input', 'change']) root.firstChild.addEventListener(type, (event) => seen.push(type + ' ' + event.target.value + ' ' + event.isTrusted));
        addEventListener('input', (event) => seen.push('outside ' + event.isTrusted), true);
      </script>`,
    );
    expect(await page.locator('#field').selectOption('6')).toEqual(['6']);
    expect(await bench.seen()).toEqual(['outside true', 'input 6 true', 'change 6 true']);
  });

  it.each(['origin', 'otherOrigin'] as const)('fires trusted events in a frame (%s)', async (origin) => {
    bench.server.page('/inner', `<!doctype html><select id="field">${options(9)}</select>${EVENTS}`);
    await bench.open(`<iframe src="${bench.server[origin]}/inner"></iframe>`);
    expect(await page.locator('iframe >> #field').selectOption('6')).toEqual(['6']);
    expect((await bench.seenIn('/inner')).slice(-3)).toEqual(TRUSTED);
  });

  it('fires trusted events for each of three selections in a row', async () => {
    await bench.open(`<select id="field">${options(12)}</select>${EVENTS}`);
    for (const wanted of ['8', '3', '0']) await page.locator('#field').selectOption(wanted);
    expect(await values()).toBe('0');
    expect(await bench.seen()).toEqual([...TRUSTED, ...TRUSTED.slice(1), ...TRUSTED.slice(1)]);
  });

  it('fires input and change once between the key events, with the final value', async () => {
    await bench.open(
      `<select id="field">${options(9)}</select><script>window.seen = []; for (const type of ['keydown', 'input', 'change', 'keyup']) field.addEventListener(type, (event) => seen.push(type + ' ' + (event.key ?? field.value) + ' ' + event.isTrusted));</script>`,
    );
    await page.locator('#field').selectOption('2');
    expect(await bench.seen()).toEqual([
      ...['keydown ArrowDown true', 'keyup ArrowDown true', 'keydown ArrowDown true'],
      ...['input 2 true', 'change 2 true', 'keyup ArrowDown true'],
    ]);
  });

  it('fires trusted events after `page.setContent()`', async () => {
    await bench.open('<p>before</p>');
    await page.setContent(`<!doctype html><select id="field">${options(9)}</select>${EVENTS}`);
    await page.locator('#field').selectOption('6');
    expect(await page.evaluate('seen.slice(-3)')).toEqual(TRUSTED);
  });

  it('fires trusted events when the page resets the select on change', async () => {
    await bench.open(
      `<select id="field">${options(9)}</select><ul id="list"></ul>${EVENTS}<script>field.onchange = () => { list.textContent += field.value; field.selectedIndex = 0; };</script>`,
    );
    await page.locator('#field').selectOption('4');
    expect(await page.locator('#list').textContent()).toBe('4');
    expect(await bench.seen()).toEqual(TRUSTED);
  });

  it('selects an option whose change handler navigates', async () => {
    bench.server.page('/chosen', '<!doctype html><p>Chosen</p>');
    await bench.open(`<select id="field" onchange="location.href = '/chosen'">${options(9)}</select>`);
    expect(await page.locator('#field').selectOption('4')).toEqual(['4']);
    await page.waitForURL('**/chosen');
  });

  it('leaves the select usable by keyboard afterwards', async () => {
    await bench.open(`<select id="field">${options(9)}</select>${EVENTS}`);
    await page.locator('#field').selectOption('4');
    await page.keyPress('ArrowDown');
    expect(await values()).toBe('5');
    expect(await bench.seen()).toEqual([...TRUSTED, ...TRUSTED.slice(1)]);
  });
});

describe('selectOption() by script', () => {
  it.each([
    ['a list of 3,000 options', `<select id="field">${options(3000)}</select>`, '1500'],
    ['a hidden option', `<select id="field">${options(5, { 3: 'hidden' })}</select>`, '3'],
    [
      'a select with `appearance: base-select`',
      `<style>#field { appearance: base-select }</style><select id="field">${options(5)}</select>`,
      '3',
    ],
    [
      'a select that cancels keydown',
      `<select id="field" onkeydown="event.preventDefault()">${options(5)}</select>`,
      '3',
    ],
    [
      'a select that re-renders its options on each key',
      `<select id="field" onkeydown="field.innerHTML = field.innerHTML">${options(9)}</select>`,
      '2',
    ],
  ])('fires untrusted events once for %s', async (_title, html, wanted) => {
    await bench.open(html + EVENTS);
    expect(await page.locator('#field').selectOption(wanted)).toEqual([wanted]);
    expect(await values()).toBe(wanted);
    expect(await bench.seen()).toEqual(BY_SCRIPT);
  });

  it('sends no key to the field that takes the focus from the select', async () => {
    await bench.open(
      `<select id="field" onfocus="setTimeout(() => other.focus()); other.focus()">${options(5)}</select><input id="other" type="number" value="7">${EVENTS}`,
    );
    expect(await page.locator('#field').selectOption('3')).toEqual(['3']);
    expect(await page.locator('#other').inputValue()).toBe('7');
  });

  it('leaves the select closed after an abort, and fires trusted events in the next call', async () => {
    await bench.open(
      `<select id="field">${options(9)}</select><script>
        window.seen = [];
        field.onkeydown = () => { field.onkeydown = null; for (const end = performance.now() + 1500; performance.now() < end;); };
        field.onchange = (event) => seen.push(field.value + ' ' + event.isTrusted);
      </script>`,
    );
    const call = page.locator('#field').selectOption('3', { signal: AbortSignal.timeout(500) });
    await expect(call).rejects.toBeInstanceOf(DriverAbortError);
    expect(await page.evaluate('field.matches(":open")')).toBe(false);
    expect(await page.locator('#field').selectOption('8')).toEqual(['8']);
    expect((await bench.seen()).at(-1)).toBe('8 true');
  });

  it('fires untrusted events for a select that a click opened', async () => {
    await bench.open(`<select id="field">${options(5)}</select>${EVENTS}`);
    await page.locator('#field').click();
    await bench.seen();
    expect(await page.locator('#field').selectOption('3')).toEqual(['3']);
    expect(await bench.seen()).toEqual(BY_SCRIPT.slice(1));
  });
});

describe('fill() of inputs with a value format', () => {
  it.each([
    ['number', '5', ''],
    ['number', '0', ''],
    ['number', '-3', ''],
    ['number', '12.5', 'step="any"'],
    ['number', '12.5', 'step="0.5"'],
    ['number', '0.3', 'step="0.1"'],
    ['number', '1', 'min="1" max="9"'],
    ['number', '9', 'min="1" max="9" value="1"'],
    ['number', '1234567', ''],
    ['range', '70', ''],
    ['range', '0', ''],
    ['range', '100', ''],
    ['range', '47', ''],
    ['range', '3', 'min="1" max="5" value="1"'],
    ['range', '0.3', 'min="0" max="1" step="0.1" value="1"'],
    ['range', '-4', 'min="-10" max="10" dir="rtl"'],
    ['range', '230', 'max="500" value="10"'],
  ])('sets a %s input to %s with trusted events %s', async (type, value, attributes) => {
    await bench.open(`<input id="field" type="${type}" ${attributes}>${record('focus', 'change')}<script>
      field.oninput = (event) => seen.push('input ' + field.value + ' ' + event.isTrusted);</script>`);
    await page.locator('#field').fill(value);
    expect(await page.locator('#field').inputValue()).toBe(value);
    const [focus, change, input] = [...(await bench.seen())].toSorted(
      (a, b) => Number(a.startsWith('input')) - Number(b.startsWith('input')),
    );
    expect([focus, input, change]).toEqual(['focus field', `input ${value} true`, 'change field']);
    await page.locator('#field').blur();
    expect(await bench.seen()).toEqual([]);
  });

  it.each([
    ['number', '12.5', 'step="1" value="1"'],
    ['number', '1e3', ''],
    ['number', '', 'value="3"'],
    ['number', '5', 'onkeydown="event.preventDefault()"'],
    ['range', '4321', 'max="10000"'],
    ['range', '70', 'style="writing-mode: vertical-lr"'],
    ['range', '70', 'onkeydown="event.preventDefault()"'],
    ['date', '2026-03-31', ''],
    ['time', '14:30', ''],
    ['datetime-local', '2026-03-31T14:30', ''],
    ['month', '2026-03', ''],
    ['week', '2026-W13', ''],
    ['color', '#1e90ff', ''],
  ])('sets a %s input to %j by script %s', async (type, value, attributes) => {
    await bench.open(`<input id="field" type="${type}" ${attributes}>${EVENTS}`);
    await page.locator('#field').fill(value);
    expect(await page.locator('#field').inputValue()).toBe(value);
    expect(await bench.seen()).toEqual(BY_SCRIPT);
  });
});
