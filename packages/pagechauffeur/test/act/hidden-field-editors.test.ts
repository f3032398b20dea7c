import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failure-of.ts';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

/** Hides the typing field as editors do. */
const HIDDEN: Readonly<Record<string, string>> = {
  'clipped to nothing':
    '<div style="overflow: hidden; position: relative; width: 3px; height: 0"><textarea style="position: absolute; width: 1000px; height: 1em"></textarea></div>',
  'of one pixel': '<textarea style="position: absolute; width: 1px; height: 1px; padding: 0; border: 0"></textarea>',
  'that is transparent':
    '<textarea style="position: absolute; left: -9999px; width: 9px; height: 18px; padding: 0; border: 0; opacity: 0"></textarea>',
};

/**
 * Renders its lines in an animation frame, at most `shown` of them, and takes keys through a hidden field. Indents
 * lines that are typed or inserted, but not pasted ones.
 */
const SCRIPT = `function edit(root, text, shown, takesPaste) {
  const field = root.querySelector('textarea'), code = root.querySelector('.code'), caret = { from: 0, to: 0 };
  const render = () => {
    const lines = text.split('\\n').slice(-shown).map((line) => { const pre = document.createElement('pre'); pre.textContent = line || '\\u200b'; pre.style.margin = 0; return pre });
    code.replaceChildren(...lines);
  };
  const draw = () => requestAnimationFrame(render);
  const put = (added) => { text = text.slice(0, caret.from) + added + text.slice(caret.to); caret.from = caret.to = caret.from + added.length; draw() };
  field.addEventListener('keydown', (event) => {
    const { key, ctrlKey } = event;
    if (ctrlKey && key === 'a') [caret.from, caret.to] = [0, text.length];
    else if (ctrlKey && key === 'End') caret.from = caret.to = text.length;
    else if (key === 'Delete') put('');
    else if (key === 'Enter') put('\\n  ');
    else return;
    event.preventDefault();
  });
  field.addEventListener('input', () => { put(field.value.replaceAll('\\n', '\\n  ')); field.value = '' });
  if (takesPaste) field.addEventListener('paste', (event) => { put(event.clipboardData.getData('text/plain')); event.preventDefault() });
  root.querySelector('.text').addEventListener('mousedown', (event) => { event.preventDefault(); field.focus() });
  render();
  return () => text;
}`;

function editor(field: string, text: string, { shown = 10, takesPaste = true } = {}): string {
  return `<div class="editor" style="position: relative; width: 400px; height: 160px; overflow: hidden">${field}
    <div><div class="text" style="cursor: text; font-family: monospace"><div class="code" role="presentation"></div></div></div></div>
    <script>${SCRIPT}; window.read = edit(document.querySelector('.editor'), ${JSON.stringify(text)}, ${shown}, ${takesPaste})</script>`;
}

const [[, CLIPPED] = ['', '']] = Object.entries(HIDDEN);
const read = (): Promise<unknown> => odd.page.evaluate('read()');
const CODE = 'function f(a) {\n  if (a) {\n    return "x";\n  }\n}';

describe.each(Object.entries(HIDDEN))('an editor with a field %s', (_kind, field) => {
  test('is shown as editable, with its lines', async () => {
    await odd.open(editor(field, 'let a\nlet b'));
    expect(await odd.text()).toMatch(
      /e\d+ generic .*editable\n e\d+ generic "let a" clickable\n e\d+ generic "let b" clickable/,
    );
    await odd.open(editor(field, ''));
    expect(await odd.text()).toMatch(/e\d+ generic editable/);
  });

  test.each(['.text', 'pre', '.editor', 'textarea'])('is filled through %s', async (selector) => {
    await odd.open(editor(field, 'let a\nlet b'));
    const { effect, message } = await odd.act(selector, 'fill', CODE);
    expect(effect, message).toBe('changed');
    expect(message).not.toContain('the field');
    expect(await read()).toBe(CODE);
    await odd.act(selector, 'fill', 'q');
    expect(await read()).toBe('q');
    await odd.act(selector, 'fill', '');
    expect(await read()).toBe('');
  });

  test('takes typed and pressed keys at the end of its text', async () => {
    await odd.open(editor(field, 'let a\nlet b'));
    await odd.act('pre', 'type', '+1');
    await odd.act('pre', 'press', 'Enter');
    await odd.act('pre', 'append', '\nlet c');
    expect(await read()).toBe('let a\nlet b+1\n  \nlet c');
  });

  test('says that a part of its text cannot be replaced', async () => {
    await odd.open(editor(field, 'let a'));
    expect(String(await failureOf(odd.act('pre', 'replace', 'a', 'b')))).toContain('Use fill with the whole text');
    expect(await read()).toBe('let a');
  });
});

test('accepts text of which the editor renders only some lines', async () => {
  await odd.open(editor(CLIPPED, '', { shown: 3 }));
  const text = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
  expect((await odd.act('.text', 'fill', text)).message).not.toContain('the field');
  expect(await read()).toBe(text);
});

test('reports an editor that shows different text', async () => {
  await odd.open(`${editor(CLIPPED, '')}<script>
    document.querySelector('textarea').addEventListener('paste', (event) => { event.preventDefault(); event.stopImmediatePropagation();
      document.querySelector('.code').innerHTML = '<pre>other</pre>' }, true)</script>`);
  expect((await odd.act('.text', 'fill', 'word')).message).toContain('the field contains different text');
});

test('inserts text into an editor that ignores a paste', async () => {
  await odd.open(editor(CLIPPED, 'old', { takesPaste: false }));
  const { message } = await odd.act('.text', 'fill', 'new');
  expect(message).not.toContain('the field');
  expect(await read()).toBe('new');
});

test('fills editors in frames and in shadow roots', async () => {
  const inner = editor(CLIPPED, 'old').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  await odd.open(`<iframe srcdoc="${inner}" width="500" height="300"></iframe>`);
  const [, ref = ''] = /(f\d+e\d+) generic .*editable/.exec(await odd.text()) ?? [];
  expect(ref).not.toBe('');
  await odd.act('iframe >> .text', 'fill', CODE);
  expect(await odd.page.evaluate('frames[0].read()')).toBe(CODE);
  const [html = '', script = ''] = editor(CLIPPED, 'old').split('<script>');
  await odd.open(`<div id="host"></div><script>const root = document.querySelector('#host').attachShadow({ mode: 'open' });
    root.innerHTML = ${JSON.stringify(html)}; ${script.replace("document.querySelector('.editor')", "root.querySelector('.editor')")}`);
  expect(await odd.text()).toMatch(/generic .*editable/);
  await odd.act('.text', 'fill', CODE);
  expect(await read()).toBe(CODE);
});

test('adds text where the cursor of a terminal is', async () => {
  await odd.open(`<div class="terminal" style="cursor: text; width: 400px; height: 100px">
    <textarea aria-label="Terminal input" aria-multiline="false" style="position: absolute; width: 9px; height: 18px; opacity: 0"></textarea><pre>$ </pre></div>
    <script>window.keys = []; const field = document.querySelector('textarea'); field.onkeydown = ({ key }) => keys.push(key);
    field.oninput = () => { document.querySelector('pre').textContent += field.value; field.value = '' }</script>`);
  await odd.act('pre', 'type', 'ls');
  await odd.act('pre', 'fill', ' -a');
  expect(await odd.page.evaluate(`document.querySelector('pre').textContent`)).toBe('$ ls -a');
  expect(await odd.page.evaluate('keys')).toEqual(['l', 's', 'Unidentified']);
  expect(String(await failureOf(odd.act('pre', 'fill', '')))).toContain('the text of a terminal cannot be removed');
});

const PARTS = 'display: flex; width: 300px; height: 32px; border: 1px solid';
test.each([
  ['a text area', '<textarea class="field">old</textarea>', '.field', 'new'],
  [
    'a hidden field in a form with a visible one',
    '<form><textarea style="position: absolute; width: 1px; height: 1px"></textarea><label style="cursor: text; display: block">Name</label><input class="field"></form>',
    '.field',
    'new',
  ],
  [
    'a transparent field over the boxes of a code',
    `<div style="${PARTS}; position: relative; cursor: text"><i>1</i><i>2</i><input class="field" style="position: absolute; inset: 0; width: 300px; opacity: 0"></div>`,
    '.field',
    '123',
  ],
  [
    'the search field of a custom select',
    `<div style="${PARTS}; cursor: text"><span>Red <button>×</button></span><input class="field" role="combobox" style="width: 4px; border: 0"></div>`,
    '.field',
    'Blue',
  ],
  [
    'the growing field of a list of tags',
    `<div style="${PARTS}; cursor: text"><span>Red</span><input class="field" style="width: 2px; border: 0; padding: 0"></div>`,
    '.field',
    'Blue',
  ],
])('leaves %s alone', async (_kind, html, selector, value) => {
  await odd.open(html);
  expect(await odd.text()).not.toContain('editable');
  await odd.act(selector, 'fill', value);
  expect(await odd.page.locator(selector).inputValue()).toBe(value);
});
