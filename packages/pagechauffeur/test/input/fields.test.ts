import { beforeAll, describe, expect, it } from 'vitest';
import { DriverElementNotFoundError, DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { document, record, useInputBench } from './input-bench.ts';

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

describe('an input of type', () => {
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
  ])('%s takes %s', async (type, value, kept) => {
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
  ])('%s refuses %s with the reason, and nothing changes', async (type, value, reason) => {
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
  ])('%s is checked, and stays as it is when it is already', async (type) => {
    await bench.open(`<input id="field" type="${type}">${record('input', 'change', 'click')}`);
    await page.locator('#field').check();
    await page.locator('#field').check();
    expect(await bench.seen()).toEqual(['click field', 'input field', 'change field']);
    expect(await page.locator('#field').isChecked()).toBe(true);
  });

  it.each(['checkbox', 'radio', 'button', 'submit', 'file', 'image', 'hidden'])('%s takes no text', async (type) => {
    await bench.open(`<input id="field" type="${type}">`);
    await expect(page.locator('#field').fill('x')).rejects.toThrow(/is not editable|hidden/);
  });

  it.each(['date', 'number', 'range', 'color', 'time'])('%s is set with input and change events', async (type) => {
    const value = { date: '2026-01-02', number: '5', range: '7', color: '#112233', time: '10:00' }[type] ?? '';
    await bench.open(`<input id="field" type="${type}">${record('focus', 'input', 'change')}`);
    await page.locator('#field').fill(value);
    const events = (await bench.seen()).map((event) => event.replace('!', ''));
    expect(events).toEqual(['focus field', 'input field', 'change field']);
  });

  it('a checkbox is unchecked, and a box that is neither becomes one', async () => {
    await bench.open(
      '<input id="on" type="checkbox" checked><input id="mixed" type="checkbox"><script>mixed.indeterminate = true</script>',
    );
    await page.locator('#on').uncheck();
    await page.locator('#mixed').check();
    expect(await page.evaluate('[on.checked, mixed.checked, mixed.indeterminate].join()')).toBe('false,true,false');
  });

  it('one radio of a group is on at a time', async () => {
    await bench.open('<input type="radio" name="g" id="a" checked><input type="radio" name="g" id="b">');
    await page.locator('#b').check();
    expect(await page.evaluate('[a.checked, b.checked].join()')).toBe('false,true');
  });
});

describe('filling', () => {
  it.each([
    ['at once', 'this.setSelectionRange(3, 3)'],
    ['a task later', 'setTimeout(() => this.setSelectionRange(3, 3))'],
    ['a microtask later', 'Promise.resolve().then(() => this.setSelectionRange(3, 3))'],
  ])(
    'replaces all that a field held whose page puts the caret elsewhere %s when it gets the focus',
    async (_, script) => {
      await bench.open(`<input id="field" value="old words" onfocus="${script}">`);
      await page.locator('#field').fill('new');
      expect(await page.locator('#field').inputValue()).toBe('new');
    },
  );

  it('replaces what was there, with the trusted events of an input method, the last of them of a key', async () => {
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
    ['an ending without a key', 'Zürich – 漢字'],
    ['an ending with marks', 'cafés é'],
    ['several lines', 'one\ntwo\n'],
    ['quotes and brackets', `"a" 'b' {c} [d] <e> \\ %f%`],
    ['spaces around', '  in the middle  '],
    ['much text', 'lorem ipsum '.repeat(500)],
  ])('enters %s in a text area', async (_title, text) => {
    await bench.open('<textarea id="field">before</textarea>');
    await page.locator('#field').fill(text);
    expect(await page.locator('#field').inputValue()).toBe(text);
  });

  it('an end of line at the end sends nothing', async () => {
    await bench.open(
      `<form onsubmit="event.preventDefault(); seen.push('sent')"><textarea id="field" onkeydown="if (event.key === 'Enter') seen.push('enter')"></textarea></form>${record()}`,
    );
    await page.locator('#field').fill('a\n');
    expect(await bench.seen()).toEqual([]);
  });

  it('with nothing empties the field', async () => {
    await bench.open(`<input id="field" value="before">${record('input')}`);
    await page.locator('#field').clear();
    expect(await page.locator('#field').inputValue()).toBe('');
    expect(await bench.seen()).toEqual(['input field']);
  });

  it('stops at the length that the field takes', async () => {
    await bench.open('<input id="field" maxlength="3">');
    await page.locator('#field').fill('abcdef');
    expect(await page.locator('#field').inputValue()).toBe('abc');
  });

  it('goes to the field of a label, and to the only field of a wrapper', async () => {
    await bench.open(
      '<label id="label" for="a">Name</label><input id="a"><div id="wrap"><span>Town</span><input id="b"></div>',
    );
    await page.locator('#label').fill('Ada');
    await page.locator('#wrap').fill('Zug');
    expect(await page.evaluate('[a.value, b.value].join()')).toBe('Ada,Zug');
  });

  it('a field that works with keys alone gets them', async () => {
    await bench.open(
      `<input id="field"><script>let text = ''; field.addEventListener('beforeinput', (event) => event.preventDefault());
      field.addEventListener('keydown', (event) => { if (event.key.length === 1) { text += event.key; field.value = text; } });</script>`,
    );
    await page.locator('#field').fill('1234');
    expect(await page.locator('#field').inputValue()).toBe('1234');
  });

  it('a field that takes what is entered by itself has it', async () => {
    await bench.open(
      `<input id="field"><script>field.addEventListener('beforeinput', (event) => { event.preventDefault(); field.value = (field.selectionStart === 0 ? '' : field.value) + event.data.toUpperCase(); });</script>`,
    );
    await page.locator('#field').fill('shout');
    expect(await page.locator('#field').inputValue()).toBe('SHOUT');
  });

  it('a page that waits for keys sees one with all the text there', async () => {
    await bench.open(
      `<input id="field"><script>window.seen = []; field.onkeyup = () => seen.push(field.value);</script>`,
    );
    await page.locator('#field').fill('search me');
    expect(await bench.seen()).toEqual(['search me']);
  });

  it('what an input method left unfinished is replaced', async () => {
    await bench.open('<input id="field">');
    await page.locator('#field').focus();
    await page.sendCDP('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await page.locator('#field').fill('日本');
    expect(await page.locator('#field').inputValue()).toBe('日本');
  });
});

describe('an editable element', () => {
  it.each([
    ['contenteditable', '<div id="field" contenteditable>before</div>'],
    ['contenteditable="true" with elements in it', '<div id="field" contenteditable="true"><p>be</p><b>fore</b></div>'],
    ['contenteditable="plaintext-only"', '<div id="field" contenteditable="plaintext-only">before</div>'],
    ['part of an editable element', '<div contenteditable><p id="field">before</p></div>'],
    [
      'in a shadow root',
      '<div id="host"><template shadowrootmode="open"><div id="field" contenteditable>before</div></template></div>',
    ],
  ])('%s is filled and typed into', async (_title, html) => {
    await bench.open(html);
    await page.locator('#field').fill('one two');
    expect((await page.locator('#field').innerText()).trim()).toBe('one two');
    await page.locator('#field').type('!');
    expect((await page.locator('#field').innerText()).trim()).toBe('one two!');
  });

  it('a frame in design mode is filled', async () => {
    bench.server.page('/design', document('<p>before</p><script>document.designMode = "on"</script>'));
    await bench.open('<iframe src="/design"></iframe>');
    await page.locator('iframe >> body').fill('written');
    expect((await page.locator('iframe >> body').innerText()).trim()).toBe('written');
  });

  it('lines stay lines', async () => {
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

  it.each(['open', 'closed'])('that belong to a form take text through an %s root', async (mode) => {
    await bench.open(`${FIELD.replace('MODE', mode)}<form id="form"><x-field id="field" name="town"></x-field></form>`);
    await page.locator('#field').fill('Zug');
    expect(await page.evaluate('new FormData(form).get("town")')).toBe('Zug');
  });

  it('that their fieldset disables refuse it', async () => {
    await bench.open(`${FIELD.replace('MODE', 'open')}<fieldset disabled><x-field id="field"></x-field></fieldset>`);
    await expect(page.locator('#field').fill('Zug', { timeout: 300 })).rejects.toThrow(/disabled/);
  });

  it.each(['checkbox', 'switch', 'radio', 'menuitemcheckbox'])(
    'with the role of a %s are checked by a click',
    async (role) => {
      await bench.open(
        `<div id="field" role="${role}" aria-checked="false" tabindex="0" onclick="this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true'))">box</div>`,
      );
      await page.locator('#field').check();
      await page.locator('#field').check();
      expect(await page.locator('#field').getAttribute('aria-checked')).toBe('true');
    },
  );

  it('a label checks the box that a style hides', async () => {
    await bench.open(
      '<style>input { position: absolute; opacity: 0; width: 0; height: 0 }</style><label>Agree <input id="field" type="checkbox"></label>',
    );
    await page.locator('#field').check();
    expect(await page.locator('#field').isChecked()).toBe(true);
  });
});

describe('what cannot be filled', () => {
  it.each([
    ['a disabled field', '<input id="field" disabled>', /disabled/],
    ['a read-only field', '<input id="field" readonly>', /read-only/],
    ['a hidden field', '<input id="field" hidden>', /hidden/],
    ['an inert field', '<div inert><input id="field"></div>', /inert/],
    ['a paragraph', '<p id="field">text</p>', /is not editable/],
  ])('%s is refused', async (_title, html, message) => {
    await bench.open(html);
    await expect(page.locator('#field').fill('x', { timeout: 300 })).rejects.toThrow(message);
  });

  it('a field that is not there', async () => {
    await bench.open('');
    await expect(page.locator('#field').fill('x', { timeout: 300 })).rejects.toBeInstanceOf(DriverElementNotFoundError);
  });
});
