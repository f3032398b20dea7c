import { beforeAll, describe, expect, it } from 'vitest';
import { DriverElementNotFoundError, DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { document, record, useInputBench } from './input-bench.ts';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

describe('input types', () => {
  it.each([
    ['text', 'plain words', 'plain words'],
    ['search', 'a blue mug', 'a blue mug'],
    ['tel', '+41 44 668 18 00', '+41 44 668 18 00'],
    ['url', 'https://example.org/?a=b', 'https://example.org/?a=b'],
    ['email', 'ada@example.org', 'ada@example.org'],
    ['password', 's3cret!', 's3cret!'],
    ['number', '12.5', '12.5'],
    ['number', '-3', '-3'],
    ['number', '1e3', '1e3'],
    ['range', '70', '70'],
    ['color', '#1e90ff', '#1e90ff'],
    ['color', '#1E90FF', '#1e90ff'],
    ['date', '2026-03-31', '2026-03-31'],
    ['time', '14:30', '14:30'],
    ['time', '14:30:15', '14:30:15'],
    ['datetime-local', '2026-03-31T14:30', '2026-03-31T14:30'],
    ['month', '2026-03', '2026-03'],
    ['week', '2026-W13', '2026-W13'],
    ['unheard-of', 'is text', 'is text'],
  ])('fills an input of type %s with %s', async (type, value, kept) => {
    await bench.open(`<input id="field" type="${type}" step="any">${record('input', 'change')}`);
    await page.locator('#field').fill(value);
    expect(await page.locator('#field').inputValue()).toBe(kept);
    expect((await bench.seen()).some((event) => event.startsWith('input field'))).toBe(true);
  });

  it.each([
    ['number', 'twelve', 'a number'],
    ['range', '500', 'number from 0 to 100'],
    ['range', 'much', 'number from 0 to 100'],
    ['color', 'blue', '#rrggbb'],
    ['date', '31.3.2026', 'YYYY-MM-DD'],
    ['date', '2026-02-30', 'YYYY-MM-DD'],
    ['time', '25:00', 'HH:MM'],
    ['datetime-local', '2026-03-31', 'YYYY-MM-DDTHH:MM'],
    ['month', 'March', 'YYYY-MM'],
    ['week', '13', 'YYYY-Www'],
  ])('rejects the %s value %s with the reason, and keeps the old value', async (type, value, reason) => {
    await bench.open(`<input id="field" type="${type}">${record('input', 'change')}`);
    const before = await page.locator('#field').inputValue();
    const failure = page.locator('#field').fill(value);
    await expect(failure).rejects.toBeInstanceOf(DriverInvalidArgumentError);
    await expect(failure).rejects.toThrow(reason);
    expect(await page.locator('#field').inputValue()).toBe(before);
    expect(await bench.seen()).toEqual([]);
  });

  it.each([
    ['checkbox', true],
    ['radio', true],
  ])('checks a %s, and does nothing when it is already checked', async (type) => {
    await bench.open(`<input id="field" type="${type}">${record('input', 'change', 'click')}`);
    await page.locator('#field').check();
    await page.locator('#field').check();
    expect(await bench.seen()).toEqual(['click field', 'input field', 'change field']);
    expect(await page.locator('#field').isChecked()).toBe(true);
  });

  it.each(['checkbox', 'radio', 'button', 'submit', 'file', 'image', 'hidden'])(
    'rejects text for an input of type %s',
    async (type) => {
      await bench.open(`<input id="field" type="${type}">`);
      await expect(page.locator('#field').fill('x')).rejects.toThrow(/is not editable|hidden/);
    },
  );

  it.each(['date', 'number', 'range', 'color', 'time'])(
    'fires focus, input and change when it sets a %s',
    async (type) => {
      const value = { date: '2026-01-02', number: '5', range: '7', color: '#112233', time: '10:00' }[type] ?? '';
      await bench.open(`<input id="field" type="${type}">${record('focus', 'input', 'change')}`);
      await page.locator('#field').fill(value);
      const events = (await bench.seen()).map((event) => event.replace('!', ''));
      expect(events).toEqual(['focus field', 'input field', 'change field']);
    },
  );

  it.each([
    ['number', '42', '7'],
    ['date', '2026-01-02', '2026-03-31'],
  ])('sends no event and takes no focus after a %s is filled', async (type, first, second) => {
    await bench.open(`<input id="field" type="${type}"><input id="next">${record('focus', 'input', 'change')}`);
    await page.locator('#field').fill(first);
    await page.locator('#field').fill(second);
    await page.locator('#next').focus();
    await bench.seen();
    // Text that a field did not get as keys is inserted after 500 ms.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 700))');
    expect(await page.locator('#field').inputValue()).toBe(second);
    expect(await bench.seen()).toEqual([]);
  });

  it('unchecks a checkbox, and checks an indeterminate one', async () => {
    await bench.open(
      '<input id="on" type="checkbox" checked><input id="mixed" type="checkbox"><script>mixed.indeterminate = true</script>',
    );
    await page.locator('#on').uncheck();
    await page.locator('#mixed').check();
    expect(await page.evaluate('[on.checked, mixed.checked, mixed.indeterminate].join()')).toBe('false,true,false');
  });

  it('unchecks the other radio of the group', async () => {
    await bench.open('<input type="radio" name="g" id="a" checked><input type="radio" name="g" id="b">');
    await page.locator('#b').check();
    expect(await page.evaluate('[a.checked, b.checked].join()')).toBe('false,true');
  });
});

describe('fill()', () => {
  it.each([
    ['synchronously', 'this.setSelectionRange(3, 3)'],
    ['in a task', 'setTimeout(() => this.setSelectionRange(3, 3))'],
    ['in a microtask', 'Promise.resolve().then(() => this.setSelectionRange(3, 3))'],
  ])('replaces the whole value when the page moves the caret %s on focus', async (_, script) => {
    await bench.open(`<input id="field" value="old words" onfocus="${script}">`);
    await page.locator('#field').fill('new');
    expect(await page.locator('#field').inputValue()).toBe('new');
  });

  it('replaces the value with trusted input events between keydown and keyup', async () => {
    await bench.open(
      `<input id="field" value="before">${record('focus', 'keydown', 'beforeinput', 'input', 'keyup', 'change')}`,
    );
    await page.locator('#field').fill('after');
    expect(await page.locator('#field').inputValue()).toBe('after');
    expect(await bench.seen()).toEqual([
      'focus field',
      'keydown field Unidentified',
      'beforeinput field',
      'input field',
      'keyup field Unidentified',
    ]);
  });

  it.each([
    ['one character', 'x'],
    ['a last character without a key', 'Zürich – 漢字'],
    ['a last character with combining marks', 'cafés é'],
    ['several lines', 'one\ntwo\n'],
    ['quotes and brackets', `"a" 'b' {c} [d] <e> \\ %f%`],
    ['surrounding spaces', '  in the middle  '],
    ['6,000 characters', 'lorem ipsum '.repeat(500)],
  ])('fills a textarea with %s', async (_title, text) => {
    await bench.open('<textarea id="field">before</textarea>');
    await page.locator('#field').fill(text);
    expect(await page.locator('#field').inputValue()).toBe(text);
  });

  it('does not press Enter or submit the form for a trailing line break', async () => {
    await bench.open(
      `<form onsubmit="event.preventDefault(); seen.push('sent')"><textarea id="field" onkeydown="if (event.key === 'Enter') seen.push('enter')"></textarea></form>${record()}`,
    );
    await page.locator('#field').fill('a\n');
    expect(await bench.seen()).toEqual([]);
  });

  it('`clear()` empties the field', async () => {
    await bench.open(`<input id="field" value="before">${record('input')}`);
    await page.locator('#field').clear();
    expect(await page.locator('#field').inputValue()).toBe('');
    expect(await bench.seen()).toEqual(['input field']);
  });

  it('enters no more than `maxlength` characters', async () => {
    await bench.open('<input id="field" maxlength="3">');
    await page.locator('#field').fill('abcdef');
    expect(await page.locator('#field').inputValue()).toBe('abc');
  });

  it('fills the field of a label, and the only field of a wrapper', async () => {
    await bench.open(
      '<label id="label" for="a">Name</label><input id="a"><div id="wrap"><span>Town</span><input id="b"></div>',
    );
    await page.locator('#label').fill('Ada');
    await page.locator('#wrap').fill('Zug');
    expect(await page.evaluate('[a.value, b.value].join()')).toBe('Ada,Zug');
  });

  it('fills a field that reads only keydown events', async () => {
    await bench.open(
      `<input id="field"><script>let text = ''; field.addEventListener('beforeinput', (event) => event.preventDefault());
      field.addEventListener('keydown', (event) => { if (event.key.length === 1) { text += event.key; field.value = text; } });</script>`,
    );
    await page.locator('#field').fill('1234');
    expect(await page.locator('#field').inputValue()).toBe('1234');
  });

  it('fills a field that cancels beforeinput and sets its value itself', async () => {
    await bench.open(
      `<input id="field"><script>field.addEventListener('beforeinput', (event) => { event.preventDefault(); field.value = (field.selectionStart === 0 ? '' : field.value) + event.data.toUpperCase(); });</script>`,
    );
    await page.locator('#field').fill('shout');
    expect(await page.locator('#field').inputValue()).toBe('SHOUT');
  });

  it('fires one keyup after the whole text is in the field', async () => {
    await bench.open(
      `<input id="field"><script>window.seen = []; field.onkeyup = () => seen.push(field.value);</script>`,
    );
    await page.locator('#field').fill('search me');
    expect(await bench.seen()).toEqual(['search me']);
  });

  it('replaces an unfinished IME composition', async () => {
    await bench.open('<input id="field">');
    await page.locator('#field').focus();
    await page.sendCDP('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await page.locator('#field').fill('日本');
    expect(await page.locator('#field').inputValue()).toBe('日本');
  });
});

describe('editable elements', () => {
  it.each([
    ['a contenteditable element', '<div id="field" contenteditable>before</div>'],
    ['contenteditable="true" with child elements', '<div id="field" contenteditable="true"><p>be</p><b>fore</b></div>'],
    ['contenteditable="plaintext-only"', '<div id="field" contenteditable="plaintext-only">before</div>'],
    ['a child of an editable element', '<div contenteditable><p id="field">before</p></div>'],
    [
      'an editable element in a shadow root',
      '<div id="host"><template shadowrootmode="open"><div id="field" contenteditable>before</div></template></div>',
    ],
  ])('fills and types into %s', async (_title, html) => {
    await bench.open(html);
    await page.locator('#field').fill('one two');
    expect((await page.locator('#field').innerText()).trim()).toBe('one two');
    await page.locator('#field').type('!');
    expect((await page.locator('#field').innerText()).trim()).toBe('one two!');
  });

  it('fills a frame in design mode', async () => {
    bench.server.page('/design', document('<p>before</p><script>document.designMode = "on"</script>'));
    await bench.open('<iframe src="/design"></iframe>');
    await page.locator('iframe >> body').fill('written');
    expect((await page.locator('iframe >> body').innerText()).trim()).toBe('written');
  });

  it('keeps line breaks of typed text', async () => {
    await bench.open('<div id="field" contenteditable></div>');
    await page.locator('#field').type('one\ntwo');
    expect((await page.locator('#field').innerText()).replaceAll(/\n+/g, '\n').trim()).toBe('one\ntwo');
  });
});

describe('custom elements', () => {
  const FIELD = `<script>customElements.define('x-field', class extends HTMLElement {
    static formAssociated = true;
    constructor() {
      super();
      this.internals = this.attachInternals();
      this.attachShadow({ mode: 'MODE', delegatesFocus: true }).innerHTML = '<input>';
      const inner = this.internals.shadowRoot.querySelector('input');
      inner.oninput = () => this.internals.setFormValue(inner.value);
    }
  });</script>`;

  it.each(['open', 'closed'])('fills a form-associated element with a shadow root (%s)', async (mode) => {
    await bench.open(`${FIELD.replace('MODE', mode)}<form id="form"><x-field id="field" name="town"></x-field></form>`);
    await page.locator('#field').fill('Zug');
    expect(await page.evaluate('new FormData(form).get("town")')).toBe('Zug');
  });

  it('rejects text for an element in a disabled fieldset', async () => {
    await bench.open(`${FIELD.replace('MODE', 'open')}<fieldset disabled><x-field id="field"></x-field></fieldset>`);
    await expect(page.locator('#field').fill('Zug', { timeout: 300 })).rejects.toThrow(/disabled/);
  });

  it.each(['checkbox', 'switch', 'radio', 'menuitemcheckbox'])(
    'checks an element with the role %s, and keeps it checked',
    async (role) => {
      await bench.open(
        `<div id="field" role="${role}" aria-checked="false" tabindex="0" onclick="this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true'))">box</div>`,
      );
      await page.locator('#field').check();
      await page.locator('#field').check();
      expect(await page.locator('#field').getAttribute('aria-checked')).toBe('true');
    },
  );

  it('checks a checkbox that a style hides', async () => {
    await bench.open(
      '<style>input { position: absolute; opacity: 0; width: 0; height: 0 }</style><label>Agree <input id="field" type="checkbox"></label>',
    );
    await page.locator('#field').check();
    expect(await page.locator('#field').isChecked()).toBe(true);
  });
});

describe('fill() failures', () => {
  it.each([
    ['a disabled field', '<input id="field" disabled>', /disabled/],
    ['a read-only field', '<input id="field" readonly>', /read-only/],
    ['a hidden field', '<input id="field" hidden>', /hidden/],
    ['an inert field', '<div inert><input id="field"></div>', /inert/],
    ['a field that a style makes inert', '<input id="field" style="interactivity: inert">', /inert part/],
    [
      'a field whose focus another field takes',
      '<input id="field" onfocus="other.focus()"><input id="other">',
      /cannot keep the focus: <input#other> takes it, and nothing was typed/,
    ],
    [
      'a field that gives up its focus',
      '<input id="field" onfocus="this.blur()">',
      /cannot keep the focus, and nothing was typed/,
    ],
    ['a paragraph', '<p id="field">text</p>', /is not editable/],
  ])('rejects text for %s', async (_title, html, message) => {
    await bench.open(html);
    await expect(page.locator('#field').fill('x', { timeout: 300 })).rejects.toThrow(message);
  });

  it('type() rejects for an element that cannot have the focus, with a text area elsewhere', async () => {
    await bench.open('<div id="field">Editor</div><textarea style="position: absolute; left: -999px"></textarea>');
    await expect(page.locator('#field').type('x', { timeout: 300 })).rejects.toThrow(
      /can take neither text nor the focus/,
    );
  });

  it('rejects with DriverElementNotFoundError when the field does not exist', async () => {
    await bench.open('');
    await expect(page.locator('#field').fill('x', { timeout: 300 })).rejects.toBeInstanceOf(DriverElementNotFoundError);
  });
});
