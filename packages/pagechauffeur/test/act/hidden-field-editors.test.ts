import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failure-of.ts';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

/** An editor turns off what would change its code. */
const RAW = 'autocorrect="off" autocapitalize="off" spellcheck="false"';

/** Hides the typing field as editors do. */
const HIDDEN: Readonly<Record<string, string>> = {
  'clipped to nothing': `<div style="overflow: hidden; position: relative; width: 3px; height: 0"><textarea ${RAW} style="position: absolute; width: 1000px; height: 1em"></textarea></div>`,
  'of one pixel': `<textarea ${RAW} style="position: absolute; width: 1px; height: 1px; padding: 0; border: 0"></textarea>`,
  'that is transparent': `<textarea ${RAW} style="position: absolute; left: 8px; width: 9px; height: 18px; padding: 0; border: 0; opacity: 0"></textarea>`,
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

test('recognizes an editor whose field has scrolled out of its wrapper', async () => {
  await odd.open(
    `${editor(CLIPPED, 'let a')}<script>document.querySelector('textarea').parentNode.scrollLeft = 900</script>`,
  );
  expect(await odd.text()).toMatch(/generic .*editable/);
  await odd.act('pre', 'fill', 'let b');
  expect(await read()).toBe('let b');
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

/** Where the page stops the paste, and an editor that then reads the input. */
const STOPPED: readonly [string, string][] = [
  ['on an ancestor', "document.querySelector('.editor').parentNode"],
  ['on the editor', "document.querySelector('.editor')"],
];

test.each(STOPPED)('inserts text once if the page stops the paste %s', async (_where, target) => {
  const page = editor(CLIPPED, 'old', { takesPaste: false });
  await odd.open(
    `<section>${page}</section><script>${target}.addEventListener('paste', (event) => event.stopPropagation())</script>`,
  );
  const { message } = await odd.act('.text', 'fill', 'new');
  expect(message).not.toContain('the field');
  expect(await read()).toBe('new');
  await odd.act('.text', 'append', '+1');
  expect(await read()).toBe('new+1');
});

test('inserts text once if the editor takes a paste that it only stops', async () => {
  const page = editor(CLIPPED, 'old').replace(
    "getData('text/plain')); event.preventDefault()",
    "getData('text/plain')); event.stopPropagation()",
  );
  await odd.open(page);
  for (const text of ['new', 'new', CODE]) {
    await odd.act('.text', 'fill', text);
    expect(await read()).toBe(text);
  }
  await odd.act('.text', 'append', '\n//');
  expect(await read()).toBe(`${CODE}\n//`);
});

test('inserts text once into a terminal that stops a paste and prints the text later', async () => {
  await odd.open(`<div class="terminal" style="cursor: text; width: 400px; height: 100px">
    <textarea ${RAW} aria-multiline="false" style="position: absolute; width: 9px; height: 18px; opacity: 0"></textarea><pre>$ </pre></div>
    <script>const field = document.querySelector('textarea'), print = (text) => setTimeout(() => (document.querySelector('pre').textContent += text), 300);
    field.onpaste = (event) => { event.stopPropagation(); print(event.clipboardData.getData('text/plain')) };
    field.oninput = () => { print(field.value); field.value = '' }</script>`);
  await odd.act('pre', 'fill', 'ls -a');
  await expect.poll(() => odd.page.evaluate(`document.querySelector('pre').textContent`)).toBe('$ ls -a');
});

test('counts only typed characters if it stops', async () => {
  await odd.open(`${editor(CLIPPED, '')}<script>
    document.querySelector('textarea').addEventListener('keydown', ({ key }) => { if (key === 'c') document.querySelector('textarea').disabled = true })</script>`);
  expect(String(await failureOf(odd.act('.text', 'type', 'abcdef')))).toContain(' 2 of 6 characters were typed');
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
    <textarea ${RAW} aria-label="Terminal input" aria-multiline="false" style="position: absolute; left: -9999em; width: 9px; height: 18px; opacity: 0"></textarea><pre>$ </pre></div>
    <script>window.keys = []; const field = document.querySelector('textarea'); field.onkeydown = ({ key }) => keys.push(key);
    field.oninput = () => { document.querySelector('pre').textContent += field.value; field.value = '' }</script>`);
  await odd.act('pre', 'type', 'ls');
  await odd.act('pre', 'fill', ' -a');
  expect(await odd.page.evaluate(`document.querySelector('pre').textContent`)).toBe('$ ls -a');
  expect(await odd.page.evaluate('keys')).toEqual(['l', 's', 'Unidentified']);
  expect(String(await failureOf(odd.act('pre', 'fill', '')))).toContain('the text of a terminal cannot be removed');
});

/** Other controls in the root of an editor, and an element in each that may be the target of an action. */
const NEIGHBORS: Readonly<Record<string, string>> = {
  button: '<div role="button" tabindex="0" class="target">Run</div>',
  'roving button': '<button tabindex="-1" class="target">Run</button>',
  'text of a button': '<button><span class="target">Run</span></button>',
  link: '<a href="#"><b class="target">12</b></a>',
  'tree item': '<div role="tree"><div role="treeitem" tabindex="-1" class="target">main.js</div></div>',
  option: '<div role="listbox" tabindex="0"><div role="option" class="target">12</div></div>',
  list: '<ul tabindex="0" class="target"><li>main.js</li></ul>',
  panel: '<p class="target">Saved</p>',
};

describe.each(Object.entries(NEIGHBORS))('a %s beside the lines of an editor', (_kind, html) => {
  const page = editor(CLIPPED, 'let a').replace('</textarea></div>', `</textarea></div>${html}`);

  test('keeps its keys', async () => {
    await odd.open(page);
    for (const [method, text] of Object.entries({ press: 'Enter', focus: '', type: 'x', fill: 'x' })) {
      const action = { selector: '.target', description: '', method, arguments: [text] };
      // Elements that cannot have the focus take no keys at all.
      await odd.driver.act(action, { timeout: 500 }).catch(() => undefined);
      expect(await odd.page.evaluate('document.activeElement.tagName'), method).not.toBe('TEXTAREA');
    }
    expect(await read()).toBe('let a');
  });
});

test('gives keys for a line number to the editor', async () => {
  const number = '<div style="position: absolute; right: 0">1</div>';
  await odd.open(editor(CLIPPED, 'let a').replace('</textarea></div>', `</textarea></div>${number}`));
  await odd.act('text="1"', 'type', '+1');
  expect(await read()).toBe('let a+1');
});

test('gives keys for a focusable cell to the cell, and text to the editor in it', async () => {
  await odd.open(`<div class="cell" tabindex="0" onkeydown="if (event.target === this) title = event.key">
    ${editor(CLIPPED, 'let a').replace('<div><div class="text"', '<div tabindex="-1"><div class="text"')}</div>`);
  await odd.act('.cell', 'press', 'b');
  expect(await odd.page.evaluate(`document.querySelector('.cell').title`)).toBe('b');
  expect(await read()).toBe('let a');
  await odd.act('.cell', 'fill', 'let b');
  await odd.act('pre', 'press', 'Enter');
  expect(await read()).toBe('let b\n  ');
});

const TEXT = '<div class="text" style="cursor: text; width: 400px"><p>Your code is 1234</p></div>';
const COPIED = 'position: absolute; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0';
test.each([
  ['without the attributes of code', `<textarea style="${COPIED}"></textarea>${TEXT}`],
  ['outside of the tab order', `<textarea ${RAW} readonly tabindex="-1" style="${COPIED}"></textarea>${TEXT}`],
  ['hidden from screen readers', `<textarea ${RAW} aria-hidden="true" style="${COPIED}"></textarea>${TEXT}`],
  ['at a fixed position', `<textarea ${RAW} style="${COPIED}; position: fixed"></textarea>${TEXT}`],
  ['far from the text', `<textarea ${RAW} style="${COPIED}; left: -9999px"></textarea>${TEXT}`],
  ['beside plain text', `<textarea ${RAW} style="${COPIED}"></textarea>${TEXT.replaceAll(/<\/?p>/g, '')}`],
  ['beside a button', `<textarea ${RAW} style="${COPIED}"></textarea>${TEXT.replace('<div', '<div role="button"')}`],
])('leaves a hidden field for the clipboard alone: %s', async (_kind, html) => {
  await odd.open(`<div style="position: relative; width: 400px">${html}<div tabindex="0" id="list">First</div></div>
    <script>document.querySelector('.text').onmousedown = () => undefined</script>`);
  expect(await odd.text()).not.toContain('editable');
  await odd.act('#list', 'press', 'q');
  expect(await odd.page.evaluate('document.activeElement.id')).toBe('list');
  expect(String(await failureOf(odd.act('.text', 'fill', 'hello')))).toMatch(/editable|text field|fill/i);
  expect(await odd.page.evaluate(`document.querySelector('textarea').value`)).toBe('');
});

const PARTS = 'display: flex; width: 300px; height: 32px; border: 1px solid';
test.each([
  ['a text area', '<textarea class="field">old</textarea>', '.field', 'new'],
  [
    'a hidden field in a form with a visible one',
    `<form style="position: relative"><textarea ${RAW} style="position: absolute; width: 1px; height: 1px"></textarea><label style="cursor: text; display: block">Name</label><input class="field"></form>`,
    '.field',
    'new',
  ],
  [
    'a transparent field over the boxes of a code',
    `<div style="${PARTS}; position: relative; cursor: text"><i>1</i><i>2</i><input class="field" ${RAW} style="position: absolute; inset: 0; width: 300px; opacity: 0"></div>`,
    '.field',
    '123',
  ],
  [
    'the search field of a custom select',
    `<div style="${PARTS}; cursor: text"><span>Red <button>×</button></span><input class="field" ${RAW} role="combobox" style="width: 4px; border: 0"></div>`,
    '.field',
    'Blue',
  ],
  [
    'the growing field of a list of tags',
    `<div style="${PARTS}; cursor: text"><span>Red</span><input class="field" ${RAW} style="width: 2px; border: 0; padding: 0"></div>`,
    '.field',
    'Blue',
  ],
])('leaves %s alone', async (_kind, html, selector, value) => {
  await odd.open(html);
  expect(await odd.text()).not.toContain('editable');
  await odd.act(selector, 'fill', value);
  expect(await odd.page.locator(selector).inputValue()).toBe(value);
});
