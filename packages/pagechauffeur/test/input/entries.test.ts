import { beforeAll, describe, expect, it } from 'vitest';
import { DriverLocatorError, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { record, useInputBench } from './input-bench.ts';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

/** A page that renders its field again, with the text entered so far; `onDraw` says when. */
const drawing = (onDraw: string): string => `<div id="box"></div>${record('keydown', 'input')}<script>
  let text = '';
  let draws = 0;
  function draw() {
    draws += 1;
    box.innerHTML = '<input id="field" aria-label="Name">';
    field.value = text;
    ${onDraw}
  }
  draw();
</script>`;

describe('field that the page re-renders during text input', () => {
  it.each([
    ['on each input event', 'field.oninput = () => { text = field.value; draw(); };'],
    [
      'on each input event, with the focus restored',
      'field.oninput = () => { text = field.value; draw(); field.focus(); };',
    ],
    [
      'on each input event, with the caret at the start',
      'field.oninput = () => { text = field.value; draw(); field.focus(); field.setSelectionRange(0, 0); };',
    ],
    ['in a task after each input event', 'field.oninput = () => { text = field.value; setTimeout(draw); };'],
    [
      'in the animation frame after each input event',
      'field.oninput = () => { text = field.value; requestAnimationFrame(draw); };',
    ],
    [
      'in a task after it gets focus',
      'field.onfocus = () => { if (draws === 1) setTimeout(draw); }; field.oninput = () => { text = field.value; };',
    ],
    ['synchronously when it gets focus', 'field.onfocus = () => { if (draws === 1) draw(); };'],
    ['on the first keydown', 'field.onkeydown = () => { if (draws === 1) draw(); };'],
  ])('receives all text when re-rendered %s', async (_title, onDraw) => {
    await bench.open(drawing(onDraw));
    for (const text of ['hello world', 'Zürich – 漢字', 'x', '']) {
      await page.locator('#field').fill(text);
      await expect.poll(() => page.locator('#field').inputValue()).toBe(text);
    }
  });

  it('receives all text when `act` fills it by instruction', async () => {
    await bench.open(drawing('field.oninput = () => { text = field.value; draw(); };'));
    const result = await bench.driver.act('type "hello world" into Name');
    expect(result).toMatchObject({ success: true, effect: 'changed' });
    expect(await page.locator('#field').inputValue()).toBe('hello world');
  });
});

describe('keyup handlers during fill()', () => {
  it.each([
    ['that lets the event propagate', ''],
    ['that stops propagation', 'event.stopPropagation();'],
    ['that stops immediate propagation', 'event.stopImmediatePropagation();'],
  ])('waits for a keyup handler %s', async (_title, keep) => {
    await bench.open(`<input id="field"><script>
      field.addEventListener('keyup', (event) => { ${keep} field.value = field.value.toUpperCase(); }, true);
    </script>`);
    await page.locator('#field').fill('two words');
    expect(await page.locator('#field').inputValue()).toBe('TWO WORDS');
  });
});

describe('field that the page removes during fill()', () => {
  it('sends no key to the body when the field is replaced before any text is entered', async () => {
    await bench.open(drawing('field.onfocus = () => { if (draws === 1) setTimeout(draw); };'));
    await page.locator('#field').fill('ab');
    expect((await bench.seen()).filter((event) => event.startsWith('keydown'))).not.toContain('keydown body b');
  });

  it('succeeds when the field is removed after it received all text', async () => {
    await bench.open('<input id="field" oninput="if (value === \'1234\') this.remove()">');
    await page.locator('#field').fill('1234');
    expect(await page.locator('#field').count()).toBe(0);
  });

  it('enters no text into the field that replaces a completed one', async () => {
    await bench.open(`<div id="box"></div><script>
      const entered = [];
      function ask() {
        box.innerHTML = '<input>';
        box.firstChild.oninput = ({ target }) => { if (target.value.length === 4) { entered.push(target.value); ask(); } };
      }
      ask();
    </script>`);
    await page.locator('input').fill('1234');
    expect(await page.evaluate('entered.join()')).toBe('1234');
    expect(await page.locator('input').inputValue()).toBe('');
  });

  it('rejects when the page replaces the field before each input', async () => {
    await bench.open(drawing('field.onbeforeinput = draw;'));
    const failure = await failureOf(page.locator('#field').fill('hello'));
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect((failure as Error).message).toContain('Cannot fill <input#field>');
  });
});

describe('fill message of act()', () => {
  const fill = async (text: string): Promise<string> => {
    const { message } = await bench.driver.act({
      selector: '#field',
      description: 'the field',
      method: 'fill',
      arguments: [text],
    });
    return message;
  };

  it.each([
    ['empties the field', `oninput="value = ''"`, 'the field is empty'],
    ['restores the old value', `value="before" oninput="value = 'before'"`, 'still has its old value'],
    ['truncates the text', 'maxlength="3"', 'contains different text than was entered'],
  ])('reports that the page %s', async (_title, attributes, words) => {
    await bench.open(`<input id="field" ${attributes}>`);
    expect(await fill('hello')).toContain(words);
  });

  it('fills the field, and reports nothing, when another field takes the focus on keydown', async () => {
    await bench.open('<input id="field" onkeydown="other.focus()"><input id="other">');
    expect(await fill('hello')).not.toContain('the field');
    expect(await page.evaluate('[field.value, other.value]')).toEqual(['hello', '']);
  });

  it.each([
    ['date', '2026-03-31', '2020-01-01'],
    ['time', '14:30', '09:00'],
    ['month', '2026-03', '2020-01'],
    ['color', '#1e90ff', '#112233'],
    ['number', '12', '-12'],
    ['range', '70', '30'],
  ])('reports a different %s value only when the page changed it', async (type, value, other) => {
    await bench.open(`<input id="field" type="${type}">`);
    expect(await fill(value)).not.toContain('the field');
    await bench.open(`<input id="field" type="${type}" oninput="value = '${other}'">`);
    expect(await fill(value)).toContain('the field contains different text than was entered');
    expect(await fill(value)).toContain('the field still has its old value');
  });

  it.each([
    ['number', '1e1', 'value = Number(value).toFixed(2)'],
    ['datetime-local', '2026-03-31 14:30', ''],
    ['color', '#1E90FF', ''],
    ['range', '70.4', ''],
  ])('reports nothing when the page spells a %s value differently', async (type, value, handler) => {
    await bench.open(`<input id="field" type="${type}" onchange="${handler}">`);
    expect(await fill(value)).not.toContain('the field');
  });

  it('reports nothing when the page formats the text', async () => {
    await bench.open(
      `<input id="field" oninput="value = value.replace(/\\D/g, '').replace(/(..)(?=.)/g, '$1-').toUpperCase()">`,
    );
    expect(await fill('123456')).not.toContain('the field');
    expect(await page.locator('#field').inputValue()).toBe('12-34-56');
  });

  it('omits the variable value when it reports different text', async () => {
    await bench.open('<input id="field" maxlength="3">');
    const { message } = await bench.driver.act(
      { selector: '#field', description: 'the field', method: 'fill', arguments: ['%pin%'] },
      { variables: { pin: 'secret' } },
    );
    expect(message).toContain('contains different text');
    expect(message).not.toContain('sec');
  });
});
