import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeBegun } from '../../../src/injected/contract.ts';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

async function fill(selector: string, text: string): Promise<void> {
  const ready = await page.ready(selector, 'fill');
  expect(ready.textEntry).toBe('keys');
  await page.enter(text);
}

async function set(selector: string, ...values: string[]): Promise<ChangeBegun> {
  const { element } = await page.ready(selector, 'fill');
  return page.call('beginChange', { token: page.owner.token, ref: element.ref, values, keyboard: 'none' });
}

async function valueOf(selector: string): Promise<unknown> {
  const answer = await page.call('read', { selector }, 'inputValue');
  return answer.kind === 'value' ? answer.value : answer;
}

test.each([
  ['<input id="t" value="old">', '#t'],
  ['<input type="email" id="t" value="old@x">', '#t'],
  ['<input type="password" id="t" value="old">', '#t'],
  ['<textarea id="t">old\nlines</textarea>', '#t'],
  ['<label for="t" id="l">Name</label><input id="t" value="old">', '#l'],
  ['<label id="l">Name <input id="t" value="old"></label>', '#l'],
  ['<div id="w"><span>icon</span><input id="t" value="old"></div>', '#w'],
])('fill replaces the old value of a text field: %s', async (html, selector) => {
  await page.show(html);
  await fill(selector, 'new@y');
  expect(await valueOf('#t')).toBe('new@y');
});

test('fill replaces the text of an editable element and of a field inside a custom element', async () => {
  await page.show(`<div id="e" contenteditable="true"><b>old</b> text</div><x-field id="x"></x-field>
    <script>document.getElementById('x').attachShadow({ mode: 'open' }).innerHTML = '<input id="in" value="old">';</script>`);
  await fill('#e', 'new');
  expect(await page.call('read', { selector: '#e' }, 'innerText')).toEqual({ kind: 'value', value: 'new' });
  await fill('#x', 'inner');
  expect(await valueOf('#in')).toBe('inner');
});

test('fill with an empty string clears the field', async () => {
  await page.show('<input id="t" value="old">');
  await fill('#t', '');
  expect(await valueOf('#t')).toBe('');
});

test('type appends to the existing text, also in an e-mail field and an editable element', async () => {
  await page.show(
    '<input id="t" value="one"><input type="email" id="m" value="a@b"><div id="e" contenteditable>one</div>',
  );
  for (const selector of ['#t', '#m', '#e']) {
    await page.ready(selector, 'type');
    await page.insert('.two');
  }
  expect(await valueOf('#t')).toBe('one.two');
  expect(await valueOf('#m')).toBe('a@b.two');
  expect(await valueOf('#e')).toBe('one.two');
});

test('blocks fill on a non-editable, read-only or disabled element, and behind a modal dialog', async () => {
  await page.show(
    '<p id="p">text</p><input id="r" readonly><input id="d" disabled><input id="c" type="checkbox"><input id="i"><dialog id="modal">hello</dialog>',
  );
  expect(await page.prepare('#p', 'fill')).toMatchObject({ kind: 'blocked', reason: 'not-editable' });
  expect(await page.prepare('#c', 'fill')).toMatchObject({ kind: 'blocked', reason: 'not-editable' });
  expect(await page.prepare('#r', 'fill', { timeout: 50 })).toMatchObject({ kind: 'blocked', reason: 'read-only' });
  expect(await page.prepare('#d', 'fill', { timeout: 50 })).toMatchObject({ kind: 'blocked', reason: 'disabled' });
  await page.evaluate(`document.getElementById('modal').showModal()`);
  expect(await page.prepare('#i', 'fill', { timeout: 50 })).toMatchObject({ kind: 'blocked', reason: 'covered' });
});

test('fills a field that is read-only until it gets the focus', async () => {
  await page.show('<input id="t" readonly onfocus="this.removeAttribute(\'readonly\')">');
  await fill('#t', 'words');
  expect(await valueOf('#t')).toBe('words');
});

test.each([
  ['date', '2026-03-31', '31.3.2026', 'YYYY-MM-DD'],
  ['time', '14:30', 'half past two', 'HH:MM'],
  ['datetime-local', '2026-03-31T14:30', '2026-03-31', 'YYYY-MM-DDTHH:MM'],
  ['month', '2026-03', 'March', 'YYYY-MM'],
  ['week', '2026-W13', '13', 'YYYY-Www'],
  ['color', '#1e90ff', 'sky', '#rrggbb'],
  ['number', '12.5', 'abc', '12.5'],
  ['range', '30', '300', 'from 0 to 100'],
])('sets a %s input to %s, and refuses %s with the accepted format', async (type, good, bad, words) => {
  await page.show(
    `<input id="t" type="${type}"><script>window.log = []; for (const type of ['input', 'change']) t.addEventListener(type, () => log.push(type + ' ' + t.value));</script>`,
  );
  expect(await page.ready('#t', 'fill')).toMatchObject({ textEntry: 'set' });
  expect(await set('#t', good)).toEqual({ kind: 'set', values: [good] });
  expect(await page.evaluate('log')).toEqual([`input ${good}`, `change ${good}`]);
  expect(await set('#t', bad)).toEqual({ kind: 'refused', message: expect.stringContaining(words) });
  expect(await valueOf('#t')).toBe(good);
  expect(await page.evaluate('log.length')).toBe(2);
});

test('changes a value so that a framework that tracks the `value` property notices', async () => {
  await page.show(`<input id="t" type="date"><script>
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let tracked = '';
    Object.defineProperty(t, 'value', { get() { return own.get.call(this); }, set(value) { tracked = value; own.set.call(this, value); } });
    t.addEventListener('input', () => { window.seen = own.get.call(t) === tracked ? 'no change' : own.get.call(t); });</script>`);
  await set('#t', '2026-01-02');
  expect(await page.evaluate('seen')).toBe('2026-01-02');
});

const SELECT = `<label for="s">Size</label><select id="s"><option value="">Choose</option><option value="s">Small  size</option><option value="m">Medium</option>
  <option value="l" disabled>Large</option></select><select id="many" multiple><option>red<option>green<option>blue</select>
  <script>window.log = []; for (const type of ['input', 'change']) s.addEventListener(type, () => log.push(type));</script>`;

test.each([
  ['Medium', 'm'],
  ['m', 'm'],
  [' small size ', 's'],
  ['index=1', 's'],
])('selects an option by %j', async (name, value) => {
  await page.show(SELECT);
  expect(await set('label=Size', name)).toEqual({ kind: 'set', values: [value] });
  expect(await page.evaluate('log')).toEqual(['input', 'change']);
  expect(await set('#s', name)).toEqual({ kind: 'set', values: [value] });
  expect(await page.evaluate('log.length')).toBe(2);
});

test('refuses a missing, disabled or second option, names similar options and changes nothing', async () => {
  await page.show(SELECT);
  expect(await set('#s', 'Medium large')).toEqual({
    kind: 'refused',
    message: expect.stringContaining('Similar options: "Medium", "Large"'),
  });
  expect(await set('#s', 'Huge')).toEqual({ kind: 'refused', message: expect.stringContaining('"Small size"') });
  expect(await set('#s', 'Large')).toEqual({ kind: 'refused', message: expect.stringContaining('disabled') });
  expect(await set('#s', 'Medium', 'Small size')).toEqual({
    kind: 'refused',
    message: expect.stringContaining('one option'),
  });
  expect(await set('#many', 'red', 'pink')).toMatchObject({ kind: 'refused' });
  expect(await page.evaluate('[s.value, many.selectedOptions.length, log.length]')).toEqual(['', 0, 0]);
});

test('selects several options of a multiple select, or none', async () => {
  await page.show(SELECT);
  expect(await set('#many', 'red', 'blue')).toEqual({ kind: 'set', values: ['red', 'blue'] });
  expect(await set('#many')).toEqual({ kind: 'set', values: [] });
});

test('blocks select on a button, and redirects upload from a wrapper to its file input', async () => {
  await page.show('<div id="w"><input type="file" style="display:none" id="f"><button id="b">Choose</button></div>');
  expect(await page.prepare('#b', 'select')).toMatchObject({ kind: 'blocked', reason: 'not-a-select' });
  expect(await page.prepare('#b', 'upload')).toMatchObject({ kind: 'ready', element: { tag: '<button#b>' } });
  expect(await page.prepare('#w', 'upload')).toMatchObject({ kind: 'ready', element: { tag: '<input#f>' } });
});

test('read() returns the text, visibility, states, attributes and refs of elements', async () => {
  await page.show(
    '<p id="p">a <b>bold</b><i style="display:none">secret</i></p><input id="c" type="checkbox" checked><input id="r" readonly value="v">',
  );
  const read = async (selector: string, fact: Parameters<typeof page.call<'read'>>[2]): Promise<unknown> => {
    const answer = await page.call('read', { selector }, fact);
    return answer.kind === 'value' ? answer.value : answer.kind;
  };
  expect(await read('#p', 'textContent')).toBe('a boldsecret');
  expect(await read('#p', 'innerText')).toBe('a bold');
  expect(await read('#p', 'innerHTML')).toContain('<b>bold</b>');
  expect(await read('i', 'isVisible')).toBe(false);
  expect(await read('#c', 'isChecked')).toBe(true);
  expect(await read('#r', 'isEditable')).toBe(false);
  expect(await read('#r', 'isEnabled')).toBe(true);
  expect(await read('#r', 'attribute:readonly')).toBe('');
  expect(await read('#p', 'shownRef')).toBe(await read('#p', 'ref'));
  expect(await read('i', 'shownRef')).toBe(null);
  expect(await read('#none', 'isVisible')).toBe('none');
});
