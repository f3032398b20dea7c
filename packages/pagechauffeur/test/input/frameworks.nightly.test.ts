import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { bundledReact, fileOf } from '../support/framework-scripts.ts';
import { useInputBench } from './input-bench.ts';

const bench = useInputBench();
let page: Page;

beforeAll(async () => {
  ({ page } = bench);
  serveScript('/react.js', await bundledReact());
  serveScript('/vue.js', fileOf('vue', 'dist/vue.global.prod.js'));
  serveScript('/imask.js', fileOf('imask', 'dist/imask.js'));
});

function serveScript(path: string, script: string): void {
  bench.server.page(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
  });
}

const PHONE = `(text) => { const digits = text.replace(/\\D/g, '').slice(0, 10); return digits.length > 6 ? '(' + digits.slice(0, 3) + ') ' + digits.slice(3, 6) + '-' + digits.slice(6) : digits; }`;

describe('React', () => {
  async function openReact(field: string): Promise<void> {
    await bench.open(
      `<div id="root"></div><script src="/react.js"></script><script>
        const { createElement: h, useState } = React;
        const phone = ${PHONE};
        function App() { const [value, setValue] = useState('start'); return h('div', null, ${field}, h('output', { id: 'state' }, String(value))); }
        createRoot(root).render(h(App));
      </script>`,
    );
    await page.waitForSelector('#field');
  }
  const state = (): Promise<string> => page.locator('#state').innerText();

  it.each([
    ['input', `h('input', { id: 'field', value, onChange: (event) => setValue(event.target.value) })`, 'Ada Lovelace'],
    [
      'textarea',
      `h('textarea', { id: 'field', value, onChange: (event) => setValue(event.target.value) })`,
      'two\nlines',
    ],
    [
      'number',
      `h('input', { id: 'field', type: 'number', value, onChange: (event) => setValue(event.target.value) })`,
      '12.5',
    ],
    [
      'date',
      `h('input', { id: 'field', type: 'date', value, onChange: (event) => setValue(event.target.value) })`,
      '2026-03-31',
    ],
    [
      'range',
      `h('input', { id: 'field', type: 'range', value, onChange: (event) => setValue(event.target.value) })`,
      '70',
    ],
    [
      'color',
      `h('input', { id: 'field', type: 'color', value, onChange: (event) => setValue(event.target.value) })`,
      '#1e90ff',
    ],
  ])('fills a controlled %s and updates its state', async (_title, field, value) => {
    await openReact(field);
    await page.locator('#field').fill(value);
    await expect.poll(() => page.locator('#state').textContent()).toBe(value);
    expect(await page.locator('#field').inputValue()).toBe(value);
    await page.locator('#field').fill(value);
    expect(await page.locator('#field').inputValue()).toBe(value);
  });

  it('fills a controlled input that formats its text', async () => {
    await openReact(`h('input', { id: 'field', value, onChange: (event) => setValue(phone(event.target.value)) })`);
    await page.locator('#field').fill('5551234567');
    await expect.poll(state).toBe('(555) 123-4567');
    expect(await page.locator('#field').inputValue()).toBe('(555) 123-4567');
  });

  it('fills digits into a controlled input that refuses letters', async () => {
    await openReact(
      `h('input', { id: 'field', value, onChange: (event) => { if (/^\\d*$/.test(event.target.value)) setValue(event.target.value); } })`,
    );
    await page.locator('#field').fill('1234');
    await expect.poll(state).toBe('1234');
  });

  it('fills an input that reads only keydown events', async () => {
    await openReact(
      `h('input', { id: 'field', value, onChange: () => {}, onKeyDown: (event) => { if (event.key.length === 1) setValue((old) => (old === 'start' ? '' : old) + event.key); } })`,
    );
    await page.locator('#field').fill('4711');
    await expect.poll(state).toBe('4711');
  });

  it('checks and unchecks a controlled checkbox', async () => {
    await openReact(
      `h('input', { id: 'field', type: 'checkbox', checked: value === true, onChange: (event) => setValue(event.target.checked) })`,
    );
    await page.locator('#field').check();
    await expect.poll(state).toBe('true');
    await page.locator('#field').uncheck();
    await expect.poll(state).toBe('false');
  });

  it('selects an option of a controlled select', async () => {
    await openReact(
      `h('select', { id: 'field', value, onChange: (event) => setValue(event.target.value) }, ['start', 'middle', 'end'].map((name) => h('option', { key: name, value: name }, name.toUpperCase())))`,
    );
    await page.locator('#field').selectOption('END');
    await expect.poll(state).toBe('end');
  });

  it('types every character across re-renders', async () => {
    await openReact(
      `h('input', { id: 'field', value, onChange: (event) => setValue(event.target.value.toUpperCase()) })`,
    );
    await page.locator('#field').fill('');
    await page.locator('#field').type('abc');
    await expect.poll(state).toBe('ABC');
  });
});

describe('Vue', () => {
  async function openVue(template: string): Promise<void> {
    await bench.open(
      `<div id="root">${template}<output id="state">{{ value }}</output></div><script src="/vue.js"></script><script>
        const phone = ${PHONE};
        Vue.createApp({ data: () => ({ value: 'start' }), methods: { phone } }).mount('#root');
      </script>`,
    );
    await page.waitForSelector('#field');
  }
  const state = (): Promise<string> => page.locator('#state').innerText();

  it.each([
    ['v-model', '<input id="field" v-model="value">', 'Ada', 'Ada'],
    ['v-model.trim', '<input id="field" v-model.trim="value">', ' Ada ', 'Ada'],
    ['v-model.number', '<input id="field" type="number" v-model.number="value">', '12.5', '12.5'],
    ['a text area', '<textarea id="field" v-model="value"></textarea>', 'words', 'words'],
    ['a date', '<input id="field" type="date" v-model="value">', '2026-03-31', '2026-03-31'],
    ['a range', '<input id="field" type="range" v-model="value">', '30', '30'],
    [
      'an input whose handler formats the value',
      '<input id="field" :value="value" @input="value = phone($event.target.value)">',
      '5551234567',
      '(555) 123-4567',
    ],
  ])('fills the field and updates the state of %s', async (_title, template, text, value) => {
    await openVue(template);
    await page.locator('#field').fill(text);
    await expect.poll(state).toBe(value);
  });

  it('updates `v-model.lazy` when the field loses focus', async () => {
    await openVue('<input id="field" v-model.lazy="value">');
    await page.locator('#field').fill('Ada');
    await page.locator('#field').press('Tab');
    await expect.poll(state).toBe('Ada');
  });

  it('updates the state of a select and of a checkbox', async () => {
    await openVue(
      '<select id="field" v-model="value"><option value="1">one</option><option value="2">two</option></select>',
    );
    await page.locator('#field').selectOption('two');
    await expect.poll(state).toBe('2');
    await openVue('<input id="field" type="checkbox" v-model="value">');
    await page.locator('#field').check();
    await expect.poll(state).toBe('true');
  });
});

describe('IMask', () => {
  it.each([
    ['a phone number', `{ mask: '+{41} 00 000 00 00' }`, '41446681800', '+41 44 668 18 00'],
    ['a card', `{ mask: '0000 0000 0000 0000' }`, '4242424242424242', '4242 4242 4242 4242'],
    ['a date', `{ mask: Date }`, '31.03.2026', '31.03.2026'],
    ['a number', `{ mask: Number, thousandsSeparator: ' ', radix: '.' }`, '1234567', '1 234 567'],
    [
      'letters that the mask turns into capitals',
      `{ mask: /^\\w*$/, prepare: (text) => text.toUpperCase() }`,
      'abc',
      'ABC',
    ],
    ['a field whose mask is always visible', `{ mask: '00/00', lazy: false }`, '1226', '12/26'],
    ['text that is already formatted', `{ mask: '0000 0000 0000 0000' }`, '4242 4242 4242 4242', '4242 4242 4242 4242'],
  ])('fills %s', async (_title, mask, text, value) => {
    await bench.open(
      `<input id="field" value=""><script src="/imask.js"></script><script>const masked = IMask(field, ${mask});</script>`,
    );
    await page.locator('#field').fill(text);
    await expect.poll(() => page.locator('#field').inputValue()).toBe(value);
    expect(await page.evaluate('masked.value')).toBe(value);
    await page.locator('#field').fill(text);
    await expect.poll(() => page.locator('#field').inputValue()).toBe(value);
  });
});
