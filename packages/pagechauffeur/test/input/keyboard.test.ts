import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { record, useInputBench } from './input-bench.ts';

const KEY_FACTS = `<script>
  window.seen = [];
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input']) addEventListener(type, (event) => {
    const modifiers = ['ctrlKey', 'altKey', 'metaKey', 'shiftKey'].filter((name) => event[name]).map((name) => name[0]).join('');
    window.seen.push(event instanceof KeyboardEvent
      ? [type, event.key, event.code, event.keyCode, event.location, modifiers, event.repeat ? 'repeat' : ''].join(' ').trim()
      : [type, event.inputType, event.data].join(' '));
  }, true);
</script>`;

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

beforeEach(async () => {
  await bench.open(
    `<textarea id="text"></textarea><input id="line"><div id="rich" contenteditable>rich words</div>${KEY_FACTS}`,
  );
  await page.evaluate('document.querySelector("#text").focus()');
});

const valueOf = (id: string): Promise<unknown> => page.evaluate(`document.querySelector('#${id}').value`);
const keys = async (): Promise<string[]> => (await bench.seen()).filter((event) => event.startsWith('key'));

describe('keyboard.down() and keyboard.up()', () => {
  it('fires key and input events in order for a pressed key', async () => {
    await page.keyboard.press('a');
    expect(await bench.seen()).toEqual([
      'keydown a KeyA 65 0',
      'keypress a KeyA 97 0',
      'beforeinput insertText a',
      'input insertText a',
      'keyup a KeyA 65 0',
    ]);
  });

  it('marks further `down()` calls of a held key as repeats', async () => {
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    expect((await keys()).filter((event) => event.startsWith('keydown'))).toEqual([
      'keydown a KeyA 65 0',
      'keydown a KeyA 65 0  repeat',
    ]);
    expect(await valueOf('text')).toBe('aa');
  });

  it.each(['Shift', 'Control', 'Alt', 'Meta'])('holds %s for later keys until it is released', async (name) => {
    await page.keyboard.down(name);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.up(name);
    await page.keyboard.press('ArrowLeft');
    const [initial] = name === 'Control' ? ['c'] : [name[0]?.toLowerCase()];
    const arrows = (await keys()).filter((event) => event.startsWith('keydown ArrowLeft'));
    expect(arrows).toEqual([`keydown ArrowLeft ArrowLeft 37 0 ${initial}`, 'keydown ArrowLeft ArrowLeft 37 0']);
  });

  it('types upper-case letters and symbols while Shift is held', async () => {
    await page.keyboard.down('Shift');
    await page.keyboard.press('a');
    await page.keyboard.press('1');
    await page.keyboard.up('Shift');
    await page.keyboard.press('a');
    expect(await valueOf('text')).toBe('A!a');
  });

  it('sets `shiftKey` on clicks while Shift is held', async () => {
    await page.evaluate(`addEventListener('click', (event) => seen.push('click ' + event.ctrlKey + event.shiftKey))`);
    await page.keyboard.down('Shift');
    await page.click(20, 10);
    await page.keyboard.up('Shift');
    await page.click(20, 10);
    expect((await bench.seen()).filter((event) => event.startsWith('click'))).toEqual([
      'click falsetrue',
      'click falsefalse',
    ]);
  });
});

describe('named keys', () => {
  it.each([
    ['Enter', 'Enter Enter 13 0'],
    ['Tab', 'Tab Tab 9 0'],
    ['Backspace', 'Backspace Backspace 8 0'],
    ['Delete', 'Delete Delete 46 0'],
    ['Escape', 'Escape Escape 27 0'],
    ['ArrowLeft', 'ArrowLeft ArrowLeft 37 0'],
    ['ArrowUp', 'ArrowUp ArrowUp 38 0'],
    ['ArrowRight', 'ArrowRight ArrowRight 39 0'],
    ['ArrowDown', 'ArrowDown ArrowDown 40 0'],
    ['Home', 'Home Home 36 0'],
    ['End', 'End End 35 0'],
    ['PageUp', 'PageUp PageUp 33 0'],
    ['PageDown', 'PageDown PageDown 34 0'],
    ['Insert', 'Insert Insert 45 0'],
    ['CapsLock', 'CapsLock CapsLock 20 0'],
    ['ContextMenu', 'ContextMenu ContextMenu 93 0'],
    ['PrintScreen', 'PrintScreen PrintScreen 44 0'],
    ['ScrollLock', 'ScrollLock ScrollLock 145 0'],
    ['Pause', 'Pause Pause 19 0'],
    ['NumLock', 'NumLock NumLock 144 0'],
    ['Space', '  Space 32 0'],
    ['Esc', 'Escape Escape 27 0'],
    ['Return', 'Enter Enter 13 0'],
    ['Del', 'Delete Delete 46 0'],
    ['Down', 'ArrowDown ArrowDown 40 0'],
    ['F1', 'F1 F1 112 0'],
    ['F12', 'F12 F12 123 0'],
    ['F24', 'F24 F24 135 0'],
    ['KeyQ', 'q KeyQ 81 0'],
    ['Digit7', '7 Digit7 55 0'],
    ['Numpad5', '5 Numpad5 101 3'],
    ['NumpadEnter', 'Enter NumpadEnter 13 3'],
    ['NumpadAdd', '+ NumpadAdd 107 3'],
    ['MediaPlayPause', 'MediaPlayPause MediaPlayPause 179 0'],
    ['AltGraph', 'AltGraph AltRight 225 0'],
    [';', '; Semicolon 186 0'],
    ['?', '? Slash 191 0'],
    ['+', '+ Equal 187 0'],
    ['-', '- Minus 189 0'],
  ])('sends key, code, key code and location of %s', async (name, facts) => {
    await page.keyPress(name);
    expect((await keys())[0]).toBe(`keydown ${facts}`);
  });

  it.each([
    ['ShiftLeft', 'Shift ShiftLeft 16 1 s'],
    ['ShiftRight', 'Shift ShiftRight 16 2 s'],
    ['ControlRight', 'Control ControlRight 17 2 c'],
    ['MetaRight', 'Meta MetaRight 92 2 m'],
  ])('reports the side of %s in code and location', async (name, facts) => {
    await page.keyPress(name);
    expect((await keys())[0]).toBe(`keydown ${facts}`);
  });

  it.each(['Foo', 'Control+Bar', 'Ctrl+', 'é', 'ab'])(
    'rejects the unknown key %s before it presses anything',
    async (name) => {
      await expect(page.keyPress(name)).rejects.toThrow(/names such as .*Unknown key /);
      await expect(page.keyboard.press(name)).rejects.toBeInstanceOf(DriverInvalidArgumentError);
      expect(await bench.seen()).toEqual([]);
    },
  );
});

describe('keys in a text field', () => {
  it.each([
    ['empties the field with Control+A and Delete', ['Control+A', 'Delete'], ''],
    ['selects all text with Cmd+A', ['Cmd+A', 'x'], 'x'],
    ['selects all text with ControlOrMeta+A', ['ControlOrMeta+A', 'y'], 'y'],
    [
      'cuts and pastes with Control+X and Control+V',
      ['Control+A', 'Control+X', 'Control+V', 'Control+V'],
      'one twoone two',
    ],
    [
      'copies and pastes with Control+C and Control+V',
      ['Control+A', 'Control+C', 'End', 'Control+V'],
      'one twoone two',
    ],
    ['undoes input with Control+Z', ['!', 'Control+Z'], ''],
    ['redoes input with Control+Shift+Z', ['!', 'Control+Z', 'Control+Shift+Z'], 'one two!'],
    ['redoes input with Control+Y', ['!', 'Control+Z', 'Control+Y'], 'one two!'],
    ['deletes a word with Control+Backspace', ['Control+Backspace'], 'one '],
    ['selects to the start of the line with Shift+Home', ['Shift+Home', 'Backspace'], ''],
    ['selects one character with each Shift+ArrowLeft', ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'Delete'], 'one t'],
    ['selects a word with Control+Shift+ArrowLeft', ['Control+Shift+ArrowLeft', 'Delete'], 'one '],
    ['deletes the first character with Home and Delete', ['Home', 'Delete'], 'ne two'],
    ['inserts a line break with Enter', ['Enter'], 'one two\n'],
    ['inserts a line break with Shift+Enter', ['Shift+Enter'], 'one two\n'],
    ['types digits and a point with the number pad', ['Numpad1', 'NumpadDecimal', 'Numpad2'], 'one two1.2'],
  ])('%s', async (_title, presses, value) => {
    await page.keyboard.type('one two');
    for (const combination of presses) await page.keyboard.press(combination);
    expect(await valueOf('text')).toBe(value);
  });

  it.each([
    ['Control+B', '<b>rich words</b>'],
    ['Control+I', '<i>rich words</i>'],
    ['Control+U', '<u>rich words</u>'],
  ])('formats an editable element with %s', async (combination, html) => {
    await page.evaluate('document.querySelector("#rich").focus()');
    await page.keyPress('Control+A');
    await page.keyPress(combination);
    expect(await page.evaluate('document.querySelector("#rich").innerHTML')).toBe(html);
  });

  it('moves the focus with Tab, submits a form with Enter and clicks a button with Space', async () => {
    await bench.open(
      `<form onsubmit="event.preventDefault(); seen.push('submitted')"><input id="a"><input id="b"><button type="button" id="c">c</button><button hidden></button></form>${record('focus', 'click')}`,
    );
    await page.evaluate('document.querySelector("#a").focus()');
    await page.keyPress('Tab');
    await page.keyPress('Shift+Tab');
    await page.keyPress('Enter');
    await page.keyPress('Tab');
    await page.keyPress('Tab');
    await page.keyPress('Space');
    expect(await bench.seen()).toEqual([
      'focus a',
      'focus b',
      'focus a',
      'click button',
      'submitted',
      'focus b',
      'focus c',
      'click c',
    ]);
  });
});

describe('typed text', () => {
  it.each([
    ['letters of other scripts', 'Ελλάδα Ж 漢字 ありがとう 한국어 עברית'],
    ['combining marks', 'é ñ'],
    ['emoji of several code points', '👩‍👩‍👧 🇨🇭 👍🏽'],
    ['line breaks', 'one\ntwo\nthree'],
    ['all symbols of the keyboard', '~`!@#$%^&*()_+-={}|[]\\:";\'<>?,./'],
  ])('types %s unchanged', async (_title, text) => {
    await page.type(text);
    expect(await valueOf('text')).toBe(text);
  });

  it('sends a character without a key as input, without key events', async () => {
    await page.type('漢');
    expect(await bench.seen()).toEqual(['beforeinput insertText 漢', 'input insertText 漢']);
  });

  it('sends the text of `insertText()` as one input event, without key events', async () => {
    await page.keyboard.insertText('abc');
    expect(await bench.seen()).toEqual(['beforeinput insertText abc', 'input insertText abc']);
  });

  it('replaces an unfinished IME composition with inserted text', async () => {
    await page.evaluate(`for (const type of ['compositionstart', 'compositionend'])
      document.querySelector('#text').addEventListener(type, (event) => seen.push(type + ' ' + event.data))`);
    await page.sendCDP('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await page.keyboard.insertText('日本');
    await page.type('go');
    expect(await valueOf('text')).toBe('日本go');
    expect((await bench.seen()).filter((event) => event.startsWith('composition'))).toEqual([
      'compositionstart ',
      'compositionend 日本',
    ]);
  });

  it('waits `delay` between characters, and between keydown and keyup', async () => {
    await page.evaluate(
      `(() => { window.times = []; for (const type of ['keydown', 'keyup']) addEventListener(type, (event) => times.push(event.timeStamp), true); })()`,
    );
    await page.keyPress('a', { delay: 40 });
    await page.type('bc', { delay: 40 });
    const times = (await page.evaluate('times')) as number[];
    const [down = 0, up = 0, b = 0, , c = 0] = times;
    expect(up - down).toBeGreaterThanOrEqual(39);
    expect(c - b).toBeGreaterThanOrEqual(39);
    expect(await valueOf('text')).toBe('abc');
  });

  it('enters no text for a key whose keydown the page cancels', async () => {
    await page.evaluate(
      `document.querySelector('#text').addEventListener('keydown', (event) => /\\d/.test(event.key) && event.preventDefault())`,
    );
    await page.type('a1b2');
    expect(await valueOf('text')).toBe('ab');
  });

  it.each([
    ['type', () => page.keyboard.type(5 as never), /text must be a string. Received the number 5/],
    ['insertText', () => page.keyboard.insertText(null as never), /text must be a string. Received null/],
    ['down', () => page.keyboard.down(''), /key must be a non-empty string/],
    ['press', () => page.keyboard.press('a', { delay: -1 }), /delay must be a number of milliseconds/],
    ['options', () => page.keyboard.type('a', 'fast' as never), /options must be an object/],
  ])('rejects invalid arguments: %s', async (_name, call, message) => {
    await expect(call()).rejects.toThrow(message);
    expect(await bench.seen()).toEqual([]);
  });

  it('sends the keys of an iframe locator to the document inside', async () => {
    await bench.open(
      `<input id=line><iframe srcdoc="<script>addEventListener('keydown', ({ key }) => parent.postMessage(key, '*'))</script>"></iframe>
      <script>window.heard = []; onmessage = ({ data }) => heard.push(data)</script>`,
    );
    await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' });
    await page.locator('iframe').press('a');
    await page.locator('iframe').type('bc');
    await expect.poll(() => page.evaluate('heard')).toEqual(['a', 'b', 'c']);
    expect(await valueOf('line')).toBe('');
  });
});

describe('long text', () => {
  const TEXT = 'long '.repeat(2000);
  const typedCount = async (): Promise<number> => ((await valueOf('text')) as string).length;
  const countIn = (message: string): number => Number(/ (\d+) of 10000 characters were typed/.exec(message)?.[1]);
  /** On a busy machine, the browser may not have confirmed the last 100 keys. The message then says "At least". */
  const expectCounted = async (message: string): Promise<void> => {
    const uncounted = (await typedCount()) - countIn(message);
    expect(uncounted).toBeGreaterThanOrEqual(0);
    expect(uncounted).toBeLessThanOrEqual(message.includes('At least') ? 100 : 0);
  };
  const ways: [string, (limits: CallOptions) => Promise<unknown>][] = [
    ['locator.type()', (limits) => page.locator('#text').type(TEXT, limits)],
    ['keyboard.type()', (limits) => page.keyboard.type(TEXT, limits)],
    [
      'act()',
      (limits) =>
        bench.driver.act({ selector: '#text', description: 'the text', method: 'type', arguments: [TEXT] }, limits),
    ],
  ];

  it.each(ways)('%s stops at its timeout, and says how much it typed', async (_name, type) => {
    const { message } = (await type({ timeout: 1000 }).catch((error: unknown) => error)) as Error;
    expect(message).toContain('Timeout 1000 ms exceeded.');
    await expectCounted(message);
    expect(await typedCount()).toBeGreaterThan(0);
  });

  it.each(ways)('%s stops when it is aborted, and says how much it typed', async (_name, type) => {
    const { message } = (await type({ signal: AbortSignal.timeout(500) }).catch((error: unknown) => error)) as Error;
    expect(message).toMatch(/abort/);
    await expectCounted(message);
  });

  it('counts the characters before and after a Tab together', async () => {
    const { message } = (await page.keyboard
      .type('ab\tcd', { delay: 400, timeout: 1000 })
      .catch((error: unknown) => error)) as Error;
    expect(message).toContain('3 of 5 characters were typed');
  });

  it('stops soon on a page that handles each key slowly', async () => {
    await page.evaluate(
      `addEventListener('keydown', () => { const start = performance.now(); while (performance.now() - start < 10); })`,
    );
    await expect(page.locator('#text').type(TEXT, { timeout: 500 })).rejects.toThrow(/t least \d+ of 10000 characters/);
    await page.title();
    expect(await typedCount()).toBeLessThanOrEqual(200);
  });

  it.each(['漢字', 'a漢', 'word '])('types all of %s, repeated', async (part) => {
    await page.locator('#text').type(part.repeat(150));
    expect(await valueOf('text')).toBe(part.repeat(150));
  });

  it('goes on in the field that the page focuses, also between two batches', async () => {
    await bench.open(
      `<input id="text" maxlength="100" oninput="if (this.value.length === 100) line.focus()"><input id="line" maxlength="100">`,
    );
    await page.locator('#text').type('x'.repeat(150));
    expect([await typedCount(), await valueOf('line')]).toEqual([100, 'x'.repeat(50)]);
  });
});

describe('a date in parts that the page edits itself', () => {
  const PARTS = `${['month', 'day', 'year'].map((part) => `<span role="spinbutton" contenteditable tabindex="0" aria-label="${part}">--</span>`).join('/')}<script>
    const most = { month: 12, day: 31, year: 9999 }; const parts = [...document.querySelectorAll('span')]; let keys = '';
    parts.forEach((part, at) => { part.onfocus = () => { keys = '' }; part.onbeforeinput = (event) => { event.preventDefault(); keys += event.data; part.textContent = Number(keys);
      if (Number(keys + '0') > most[part.ariaLabel] || keys.length === String(most[part.ariaLabel]).length) parts[at + 1]?.focus() } })</script>`;

  it.each([
    ['month', 'type', '5', '5/--/----'],
    ['month', 'fill', '5', '5/--/----'],
    ['day', 'type', '12', '--/12/----'],
    ['month', 'type', '05122027', '5/12/2027'],
  ])('types from %s on: %s %s', async (part, method, text, expected) => {
    await bench.open(PARTS);
    await bench.driver.act({ selector: `[aria-label=${part}]`, description: '', method, arguments: [text] });
    expect(await page.evaluate(`parts.map(({ textContent }) => textContent).join('/')`)).toBe(
      expected.replace('----', '--'),
    );
  });
});

describe('open picker of another control', () => {
  const CONTROLS: Readonly<Record<string, string>> = {
    'the list of a select': '<select id="other"><option>one<option>king<option>xray</select>',
    'the calendar of a date field': '<input id="other" type="date">',
    'the palette of a color field': '<input id="other" type="color">',
  };
  const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
    press: () => page.locator('#line').press('k'),
    type: () => page.locator('#line').type('k'),
    fill: () => page.locator('#line').fill('k'),
  };

  it.each(Object.keys(CONTROLS).flatMap((control) => Object.keys(CALLS).map((call) => [control, call] as const)))(
    'receives no keys meant for a field: %s, %s',
    async (control, call) => {
      await bench.open(
        `<input id="line">${CONTROLS[control]}<button onclick="document.querySelector('#other').showPicker()">Open</button>`,
      );
      await page.locator('button').click();
      await expect.poll(() => page.evaluate(`document.querySelector('#other').matches(':open')`)).toBe(true);
      const before = await valueOf('other');
      await CALLS[call]?.();
      expect([await valueOf('line'), await valueOf('other')]).toEqual(['k', before]);
    },
  );
});
