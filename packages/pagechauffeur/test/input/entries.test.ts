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

describe('a field that the page renders again during text input receives all of it', () => {
  it.each([
    ['at each input', 'field.oninput = () => { text = field.value; draw(); };'],
    ['at each input, which keeps the focus', 'field.oninput = () => { text = field.value; draw(); field.focus(); };'],
    [
      'at each input, with the caret in front',
      'field.oninput = () => { text = field.value; draw(); field.focus(); field.setSelectionRange(0, 0); };',
    ],
    ['a moment after each input', 'field.oninput = () => { text = field.value; setTimeout(draw); };'],
    ['in the frame after each input', 'field.oninput = () => { text = field.value; requestAnimationFrame(draw); };'],
    [
      'when it gets the focus',
      'field.onfocus = () => { if (draws === 1) setTimeout(draw); }; field.oninput = () => { text = field.value; };',
    ],
    ['when it gets the focus, at once', 'field.onfocus = () => { if (draws === 1) draw(); };'],
    ['when keys go down', 'field.onkeydown = () => { if (draws === 1) draw(); };'],
  ])('%s', async (_title, onDraw) => {
    await bench.open(drawing(onDraw));
    for (const text of ['hello world', 'Zürich – 漢字', 'x', '']) {
      await page.locator('#field').fill(text);
      await expect.poll(() => page.locator('#field').inputValue()).toBe(text);
    }
  });

  it('also when it is filled by a sentence', async () => {
    await bench.open(drawing('field.oninput = () => { text = field.value; draw(); };'));
    const result = await bench.driver.act('type "hello world" into Name');
    expect(result).toMatchObject({ success: true, effect: 'changed' });
    expect(await page.locator('#field').inputValue()).toBe('hello world');
  });
});

describe('a field has been filled when the page has heard of the last key', () => {
  it.each([
    ['and lets others hear of it', ''],
    ['and keeps it to itself', 'event.stopPropagation();'],
    ['before anybody else, and keeps it to itself', 'event.stopImmediatePropagation();'],
  ])('%s', async (_title, keep) => {
    await bench.open(`<input id="field"><script>
      field.addEventListener('keyup', (event) => { ${keep} field.value = field.value.toUpperCase(); }, true);
    </script>`);
    await page.locator('#field').fill('two words');
    expect(await page.locator('#field').inputValue()).toBe('TWO WORDS');
  });
});

describe('a field that the page takes away', () => {
  it('before any text is in sends no keys to the page', async () => {
    await bench.open(drawing('field.onfocus = () => { if (draws === 1) setTimeout(draw); };'));
    await page.locator('#field').fill('ab');
    expect((await bench.seen()).filter((event) => event.startsWith('keydown'))).not.toContain('keydown body b');
  });

  it('with all the text in it has taken it', async () => {
    await bench.open('<input id="field" oninput="if (value === \'1234\') this.remove()">');
    await page.locator('#field').fill('1234');
    expect(await page.locator('#field').count()).toBe(0);
  });

  it('with all the text in it leaves the next alone', async () => {
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

  it('each time is told', async () => {
    await bench.open(drawing('field.onbeforeinput = draw;'));
    const failure = await failureOf(page.locator('#field').fill('hello'));
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect((failure as Error).message).toContain('Cannot fill <input#field>');
  });
});

describe('what a page does with text is told by act', () => {
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
    ['takes it out again', `oninput="value = ''"`, 'the field is empty'],
    ['puts back what was there', `value="before" oninput="value = 'before'"`, 'still has its old value'],
    ['cuts it', 'maxlength="3"', 'contains different text than was entered'],
  ])('when it %s', async (_title, attributes, words) => {
    await bench.open(`<input id="field" ${attributes}>`);
    expect(await fill('hello')).toContain(words);
  });

  it('not when another field takes the focus at the first key, because the text goes into this one', async () => {
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
  ])('when it puts another %s in its place, and not otherwise', async (type, value, other) => {
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
  ])('not when a %s is spelt in another way', async (type, value, handler) => {
    await bench.open(`<input id="field" type="${type}" onchange="${handler}">`);
    expect(await fill(value)).not.toContain('the field');
  });

  it('not when it keeps it in another form', async () => {
    await bench.open(
      `<input id="field" oninput="value = value.replace(/\\D/g, '').replace(/(..)(?=.)/g, '$1-').toUpperCase()">`,
    );
    expect(await fill('123456')).not.toContain('the field');
    expect(await page.locator('#field').inputValue()).toBe('12-34-56');
  });

  it('without the text itself', async () => {
    await bench.open('<input id="field" maxlength="3">');
    const { message } = await bench.driver.act(
      { selector: '#field', description: 'the field', method: 'fill', arguments: ['%pin%'] },
      { variables: { pin: 'secret' } },
    );
    expect(message).toContain('contains different text');
    expect(message).not.toContain('sec');
  });
});
