import { describe, expect, test } from 'vitest';
import { type ActResult, DriverLocatorError, LLMResponseError } from '../../src/index.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ selfHeal: false });

const LINES = ['Dear Ann,', 'the blue mug is sold out.', '', 'Regards, Bob'];
const TEXT = LINES.join('\n');
/** Notes the trusted input events of the field. */
const NOTES = `<script>window.seen = []; window.field = document.querySelector('#field');
  for (const type of ['beforeinput', 'input']) field.addEventListener(type, (event) => event.isTrusted && seen.push(type))</script>`;
const paragraphs = LINES.map((line) => `<p>${line.replace('blue', '<b>blue</b>') || '<br>'}</p>`).join('');

/** Fields and editors with the same text. `model` keeps its text itself and renders it again at each `beforeinput`, as large editors do. */
const FIELDS: Readonly<Record<string, string>> = {
  'a text area': `<textarea id="field" aria-label="Letter">${TEXT}</textarea>`,
  'an editor of paragraphs': `<div id="field" contenteditable role="textbox" aria-label="Letter">${paragraphs}</div>`,
  'an editor with `<br>` line breaks': `<div id="field" contenteditable role="textbox" aria-label="Letter">${LINES.join('<br>')}</div>`,
  'an editor of preformatted text': `<pre id="field" contenteditable role="textbox" aria-label="Letter">${TEXT}</pre>`,
  'an editor in a shadow root': `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = \`<div id="field" contenteditable role="textbox" aria-label="Letter">${paragraphs}</div>\`;
    document.querySelector = ((query) => (selector) => selector === '#field' ? host.shadowRoot.querySelector(selector) : query.call(document, selector))(document.querySelector)</script>`,
  'an editor that listens to `beforeinput`': `<div id="field" contenteditable role="textbox" aria-label="Letter"></div><script>
    let lines = ${JSON.stringify(LINES)};
    const draw = () => field.replaceChildren(...lines.map((line) => { const p = document.createElement('p'); p.append(line || document.createElement('br')); return p }));
    const at = (node, offset) => { const p = (node.nodeType === 1 ? node : node.parentElement).closest('p') ?? field.children[offset - 1] ?? field.lastChild;
      const row = [...field.children].indexOf(p); return lines.slice(0, row).join('\\n').length + (row > 0 ? 1 : 0) + (node.nodeType === 3 ? offset : node === field || offset > 0 ? lines[row].length : 0) };
    draw();
    field.onbeforeinput = (event) => { event.preventDefault(); const [range] = event.getTargetRanges(); const text = lines.join('\\n');
      const [start, end] = [at(range.startContainer, range.startOffset), at(range.endContainer, range.endOffset)];
      lines = (text.slice(0, start) + (event.data ?? '') + text.slice(end)).split('\\n'); draw(); field.dispatchEvent(new Event('input')) }</script>`,
};

async function open(field: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Edit</title>${field}${NOTES}`), {
    waitUntil: 'load',
  });
}

const act = (method: string, ...args: readonly string[]): Promise<ActResult> =>
  browser.driver.act({ selector: '#field', description: 'the letter', method, arguments: [...args] });

/** The text that the page is shown with. */
async function held(): Promise<unknown> {
  const { text } = await browser.page.snapshot();
  return JSON.parse(/ = ("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '""');
}

const seen = (): Promise<unknown> => browser.page.evaluate('seen.splice(0)');

describe.each(Object.entries(FIELDS))('text edits in %s', (_kind, field) => {
  test('keeps line breaks in the snapshot and edits part of the text with trusted input', async () => {
    await open(field);
    expect(await held()).toBe(TEXT);
    const { effect, message } = await act('replace', 'the blue mug is', 'all mugs are');
    expect(effect, message).toBe('changed');
    expect(await held()).toBe(TEXT.replace('the blue mug is', 'all mugs are'));
    expect(await seen()).toContain('beforeinput');
    await act('insert', 'Regards', ' and thanks');
    await act('append', ' (Shop)');
    expect(await held()).toBe('Dear Ann,\nall mugs are sold out.\n\nRegards and thanks, Bob (Shop)');
  });

  test('removes part of the text', async () => {
    await open(field);
    await act('replace', 'Dear ', '');
    expect(await held()).toBe(TEXT.replace('Dear ', ''));
  });

  test('rejects missing, repeated and empty text and changes nothing', async () => {
    await open(field);
    const missing = await failureOf(act('replace', 'the red mug', 'x'));
    expect(missing).toBeInstanceOf(DriverLocatorError);
    expect(String(missing)).toContain('"the red mug" does not occur in the field');
    expect(String(await failureOf(act('insert', 'e', 'x')))).toMatch(/"e" occurs \d+ times/);
    expect(String(await failureOf(act('replace', '', 'x')))).toContain('there is no text to search for');
    expect(String(await failureOf(act('append', '')))).toContain('there is no text to insert');
    expect(await held()).toBe(TEXT);
    expect(await seen()).toEqual([]);
  });
});

test('replaces text across several lines with text that contains a line break', async () => {
  for (const field of [FIELDS['a text area'], FIELDS['an editor of paragraphs']]) {
    await open(field ?? '');
    await act('replace', 'sold out.\n\nRegards', 'gone.\nBest');
    expect(await held()).toBe('Dear Ann,\nthe blue mug is gone.\nBest, Bob');
  }
});

test.each([
  [
    'an email input',
    '<input id="field" type="email" aria-label="To" value="ann@old.example">',
    'old',
    'new',
    'ann@new.example',
  ],
  ['a number input', '<input id="field" type="number" aria-label="To" value="1234">', '23', '9', '194'],
  ['a text input', '<input id="field" aria-label="To" value="a b c">', 'b', 'x', 'a x c'],
])('replaces part of the value of %s', async (_kind, field, before, after, value) => {
  await open(field);
  await act('replace', before, after);
  expect(await held()).toBe(value);
});

test('rejects a line break in a single-line field', async () => {
  await open('<input id="field" value="a b">');
  expect(String(await failureOf(act('replace', 'b', 'c\nd')))).toContain('the field accepts a single line');
  expect(await held()).toBe('a b');
});

test('rejects an element that is not editable and a wrong number of arguments', async () => {
  await open('<button id="field">Save</button>');
  expect(String(await failureOf(act('append', 'x')))).toContain('it is not editable');
  expect(String(await failureOf(act('replace', 'x')))).toContain('Wrong number of arguments for replace: 1');
});

test('locator.replaceText() and insertTextAfter() edit part of the text', async () => {
  await open(FIELDS['a text area'] ?? '');
  const field = browser.page.locator('#field');
  await field.replaceText('blue', 'red');
  await field.insertTextAfter('Dear', 'est');
  expect(await held()).toBe(TEXT.replace('blue', 'red').replace('Dear', 'Dearest'));
});

describe('text edits that a model proposes', () => {
  const proposing = (method: string, ...args: readonly string[]): ScriptedModel =>
    new ScriptedModel((request) => {
      const action = { ref: refOf(request, { name: 'Letter' }), method, arguments: args, description: 'Letter' };
      return { action, twoStep: false, reason: '', candidates: [] };
    });

  test('lists the edit methods in the request and runs the proposed one', async () => {
    await open(FIELDS['a text area'] ?? '');
    const model = proposing('replace', 'the blue mug is', 'the red mug is');
    await browser.driver.act('replace blue by red in the letter', { model });
    expect(await held()).toBe(TEXT.replace('blue', 'red'));
    const words = JSON.stringify(model.requests[0]);
    for (const method of ['replace', 'insert', 'append']) expect(words).toContain(`"${method}"`);
  });

  test.each([
    [
      'text that is not in the instruction',
      'replace blue by red in the letter',
      ['replace', 'the blue mug', 'the green mug'],
    ],
    [
      'a removal that the instruction does not ask for',
      'replace blue by red in the letter',
      ['replace', 'Dear Ann,', ''],
    ],
    ['an edit when the instruction asks for a click', 'click the letter', ['append', 'letter']],
  ] as const)('rejects %s', async (_what, instruction, [method, ...args]) => {
    await open(FIELDS['a text area'] ?? '');
    const failure = await failureOf(browser.driver.act(instruction, { model: proposing(method, ...args) }));
    expect(failure).toBeInstanceOf(LLMResponseError);
    expect(await held()).toBe(TEXT);
  });
});
