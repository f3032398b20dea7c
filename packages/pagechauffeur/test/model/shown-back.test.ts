import { expect, it } from 'vitest';
import type { ModelRequest, SnapshotNode, Variables } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

const asked: ModelRequest[] = [];
const model = new ScriptedModel((request) => {
  asked.push(request);
  return { elements: [] };
});
const browser = useBrowser({ llmClient: model });

const OTP = '482913';
const CARD = '4716228503917744';
const ECHO = `<script>
  const shown = document.querySelector('#shown');
  addEventListener('input', ({ target: { value } }) => { shown.innerHTML = ''; shown.append(...draw(value)); });
  const made = (tag, text, facts = {}) => Object.assign(document.createElement(tag), { textContent: text, ...facts });
</script>`;

function pageThat(draw: string): string {
  return `<label>Code <input type=password></label><p>Hello, 12 of 42.</p><div id=shown></div>${ECHO}<script>const draw = ${draw};</script>`;
}

function valuesOf(nodes: readonly SnapshotNode[]): string {
  return nodes.map(({ value = '', children }) => value + valuesOf(children)).join('');
}

it.each<[string, string, Variables]>([
  [
    'in six inputs',
    "(text) => [...text].map((value) => made('input', '', { value, ariaLabel: 'Digit' }))",
    { otp: OTP },
  ],
  ['in four fields', "(text) => text.match(/.{4}/g).map((value) => made('input', '', { value }))", { card: CARD }],
  ['in spans separated by spaces', "(text) => [...text].flatMap((digit) => [made('span', digit), ' '])", { otp: OTP }],
  ['in blocks', "(text) => [...text].map((digit) => made('div', digit))", { otp: OTP }],
  ['in list items', "(text) => [...text].map((digit) => made('li', digit))", { otp: OTP }],
  ['in two groups', "(text) => [made('p', 'Code: ' + text.slice(0, 3) + '-' + text.slice(3))]", { otp: OTP }],
  [
    'in an Authorization header',
    "(text) => [made('code', 'Authorization: Basic ' + btoa('ada:' + text))]",
    { password: 'Zanzibar-77' },
  ],
  [
    'in hexadecimal',
    "(text) => [made('code', [...text].map((c) => c.charCodeAt(0).toString(16)).join(''))]",
    { password: 'Zanzibar-77' },
  ],
  [
    'in percent-encoding',
    "(text) => [made('code', '/?p=' + [...text].map((c) => '%' + c.charCodeAt(0).toString(16)).join(''))]",
    { password: 'Zanzibar-77' },
  ],
  [
    'in cells of a table row',
    "(text) => { const table = made('table', '', { border: 1 }); table.insertRow().append(...[...text].map((digit) => made('td', digit))); return [table]; }",
    { otp: OTP },
  ],
  [
    'in single-cell table rows',
    "(text) => { const table = made('table', '', { border: 1 }); for (const digit of text) table.insertRow().append(made('td', digit)); return [table]; }",
    { otp: OTP },
  ],
  ['with zero-width joiners', "(text) => [made('p', [...text].join('\\u200d'))]", { otp: OTP }],
  ['with variation selectors', "(text) => [made('p', [...text].join('\\ufe0f'))]", { password: 'Zanzibar-77' }],
  [
    'in hexadecimal, byte by byte',
    "(text) => [made('code', [...text].map((c) => c.charCodeAt(0).toString(16)).join(':'))]",
    { password: 'Zanzibar-77' },
  ],
  ['in lines of a text area', "(text) => [made('textarea', '', { value: [...text].join('\\n') })]", { otp: OTP }],
  [
    'from right to left',
    "(text) => [made('bdo', [...text].toReversed().join(''), { dir: 'rtl' })]",
    { password: 'Zanzibar-77' },
  ],
  [
    'in input placeholders',
    "(text) => [...text].map((placeholder) => made('input', '', { placeholder }))",
    { otp: OTP },
  ],
  ['as a two-digit PIN in a field', "(value) => [made('input', '', { value })]", { pin: '73' }],
])('masks in prompts a value that the page shows %s', async (_where, draw, variables) => {
  const [[name, value]] = Object.entries(variables) as [[string, string]];
  await browser.page.goto(browser.server.page('/', pageThat(draw)));
  const action = { selector: 'input', description: 'the code', method: 'fill', arguments: [`%${name}%`] };
  await browser.driver.act(action, { variables });
  asked.length = 0;
  await browser.driver.observe('the button that goes on');
  const [{ messages, page }] = asked as [ModelRequest];
  // The random digits of a boundary line and the port of the server may contain a short value.
  const told = messages
    .map(({ text }) => text.replaceAll(/^page-\d{20}$/gm, '').replaceAll(browser.server.origin, ''))
    .join('\n');
  expect(told).toContain(`%${name}%`);
  expect(told).toContain('Hello, 12 of 42.');
  const bare = told.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const hex = Buffer.from(value).toString('hex');
  const plain = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const backwards = plain.length > 5 ? [[...plain].toReversed().join('')] : [];
  for (const form of [plain, hex, ...backwards])
    expect(bare.replaceAll(/digit|e\d+textbox|listitem|listlist/g, '')).not.toContain(form);
  expect(told).not.toContain(Buffer.from(`ada:${value}`).toString('base64').slice(6, 14));
  expect(valuesOf(page.nodes)).not.toContain(value);
});
