/** A key of a US keyboard, with the fields of `Input.dispatchKeyEvent`. */
export interface KeyDefinition {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** Text that the key types without Alt, Control or Meta. */
  readonly text?: string;
  readonly location?: number;
  /** True if a user must hold Shift to type the character. */
  readonly isShifted?: boolean;
}

/** From the W3C note "UI Events KeyboardEvent code Values" and "key Values". */
const NAMED_KEYS: readonly KeyDefinition[] = [
  { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' },
  { key: 'Tab', code: 'Tab', keyCode: 9 },
  { key: 'Backspace', code: 'Backspace', keyCode: 8 },
  { key: 'Delete', code: 'Delete', keyCode: 46 },
  { key: 'Escape', code: 'Escape', keyCode: 27 },
  { key: ' ', code: 'Space', keyCode: 32, text: ' ' },
  { key: 'ArrowLeft', code: 'ArrowLeft', keyCode: 37 },
  { key: 'ArrowUp', code: 'ArrowUp', keyCode: 38 },
  { key: 'ArrowRight', code: 'ArrowRight', keyCode: 39 },
  { key: 'ArrowDown', code: 'ArrowDown', keyCode: 40 },
  { key: 'Home', code: 'Home', keyCode: 36 },
  { key: 'End', code: 'End', keyCode: 35 },
  { key: 'PageUp', code: 'PageUp', keyCode: 33 },
  { key: 'PageDown', code: 'PageDown', keyCode: 34 },
  { key: 'Insert', code: 'Insert', keyCode: 45 },
  { key: 'CapsLock', code: 'CapsLock', keyCode: 20 },
  { key: 'ContextMenu', code: 'ContextMenu', keyCode: 93 },
  { key: 'PrintScreen', code: 'PrintScreen', keyCode: 44 },
  { key: 'ScrollLock', code: 'ScrollLock', keyCode: 145 },
  { key: 'Pause', code: 'Pause', keyCode: 19 },
  { key: 'NumLock', code: 'NumLock', keyCode: 144 },
  { key: 'Shift', code: 'ShiftLeft', keyCode: 16, location: 1 },
  { key: 'Control', code: 'ControlLeft', keyCode: 17, location: 1 },
  { key: 'Alt', code: 'AltLeft', keyCode: 18, location: 1 },
  { key: 'Meta', code: 'MetaLeft', keyCode: 91, location: 1 },
  { key: 'AltGraph', code: 'AltRight', keyCode: 225 },
  { key: 'Clear', code: 'Clear', keyCode: 12 },
  { key: 'Help', code: 'Help', keyCode: 47 },
  { key: 'Cancel', code: 'Abort', keyCode: 3 },
  { key: 'Select', code: 'Select', keyCode: 41 },
  { key: 'Convert', code: 'Convert', keyCode: 28 },
  { key: 'NonConvert', code: 'NonConvert', keyCode: 29 },
  { key: 'BrowserBack', code: 'BrowserBack', keyCode: 166 },
  { key: 'BrowserForward', code: 'BrowserForward', keyCode: 167 },
  { key: 'BrowserRefresh', code: 'BrowserRefresh', keyCode: 168 },
  { key: 'BrowserSearch', code: 'BrowserSearch', keyCode: 170 },
  { key: 'BrowserFavorites', code: 'BrowserFavorites', keyCode: 171 },
  { key: 'BrowserHome', code: 'BrowserHome', keyCode: 172 },
  { key: 'AudioVolumeMute', code: 'AudioVolumeMute', keyCode: 173 },
  { key: 'AudioVolumeDown', code: 'AudioVolumeDown', keyCode: 174 },
  { key: 'AudioVolumeUp', code: 'AudioVolumeUp', keyCode: 175 },
  { key: 'MediaTrackNext', code: 'MediaTrackNext', keyCode: 176 },
  { key: 'MediaTrackPrevious', code: 'MediaTrackPrevious', keyCode: 177 },
  { key: 'MediaStop', code: 'MediaStop', keyCode: 178 },
  { key: 'MediaPlayPause', code: 'MediaPlayPause', keyCode: 179 },
];

/** The right one of two keys with the same name. Users select it by its code, such as `ShiftRight`. */
const RIGHT_KEYS: readonly KeyDefinition[] = [
  { key: 'Shift', code: 'ShiftRight', keyCode: 16, location: 2 },
  { key: 'Control', code: 'ControlRight', keyCode: 17, location: 2 },
  { key: 'Alt', code: 'AltRight', keyCode: 18, location: 2 },
  { key: 'Meta', code: 'MetaRight', keyCode: 92, location: 2 },
];

const NUMPAD_DIGITS: readonly KeyDefinition[] = Array.from({ length: 10 }, (_, digit) => ({
  key: String(digit),
  code: `Numpad${digit}`,
  keyCode: 96 + digit,
  text: String(digit),
  location: 3,
}));

const NUMPAD_KEYS: readonly KeyDefinition[] = [
  ...NUMPAD_DIGITS,
  { key: '*', code: 'NumpadMultiply', keyCode: 106, text: '*', location: 3 },
  { key: '+', code: 'NumpadAdd', keyCode: 107, text: '+', location: 3 },
  { key: '-', code: 'NumpadSubtract', keyCode: 109, text: '-', location: 3 },
  { key: '.', code: 'NumpadDecimal', keyCode: 110, text: '.', location: 3 },
  { key: '/', code: 'NumpadDivide', keyCode: 111, text: '/', location: 3 },
  { key: 'Enter', code: 'NumpadEnter', keyCode: 13, text: '\r', location: 3 },
];

const FUNCTION_KEYS: readonly KeyDefinition[] = Array.from({ length: 24 }, (_, index) => ({
  key: `F${index + 1}`,
  code: `F${index + 1}`,
  keyCode: 112 + index,
}));

const LETTERS: readonly KeyDefinition[] = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => {
  const upper = letter.toUpperCase();
  const shared = { code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
  return [
    { key: letter, text: letter, ...shared },
    { key: upper, text: upper, isShifted: true, ...shared },
  ];
});

/** Each row: code, key code, character, character with Shift. */
const CHARACTER_ROWS: readonly (readonly [code: string, keyCode: number, plain: string, shifted: string])[] = [
  ['Digit1', 49, '1', '!'],
  ['Digit2', 50, '2', '@'],
  ['Digit3', 51, '3', '#'],
  ['Digit4', 52, '4', '$'],
  ['Digit5', 53, '5', '%'],
  ['Digit6', 54, '6', '^'],
  ['Digit7', 55, '7', '&'],
  ['Digit8', 56, '8', '*'],
  ['Digit9', 57, '9', '('],
  ['Digit0', 48, '0', ')'],
  ['Minus', 189, '-', '_'],
  ['Equal', 187, '=', '+'],
  ['BracketLeft', 219, '[', '{'],
  ['BracketRight', 221, ']', '}'],
  ['Backslash', 220, '\\', '|'],
  ['Semicolon', 186, ';', ':'],
  ['Quote', 222, "'", '"'],
  ['Backquote', 192, '`', '~'],
  ['Comma', 188, ',', '<'],
  ['Period', 190, '.', '>'],
  ['Slash', 191, '/', '?'],
];

const CHARACTERS: readonly KeyDefinition[] = CHARACTER_ROWS.flatMap(([code, keyCode, plain, shifted]) => [
  { key: plain, code, keyCode, text: plain },
  { key: shifted, code, keyCode, text: shifted, isShifted: true },
]);

const shiftedByCode = new Map(
  [...LETTERS, ...CHARACTERS].filter(({ isShifted }) => isShifted).map((definition) => [definition.code, definition]),
);

/** Returns the key that the user gets by holding Shift: `1` becomes `!`. */
export function withShift(definition: KeyDefinition): KeyDefinition {
  return shiftedByCode.get(definition.code) ?? definition;
}

const ALIASES: Readonly<Record<string, string>> = {
  Space: ' ',
  Esc: 'Escape',
  Return: 'Enter',
  Del: 'Delete',
  Ctrl: 'Control',
  Cmd: 'Meta',
  Command: 'Meta',
  Option: 'Alt',
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
  Plus: '+',
};

const definitionByKey = new Map(
  [...NAMED_KEYS, ...FUNCTION_KEYS, ...LETTERS, ...CHARACTERS].map((definition) => [definition.key, definition]),
);
const definitionByLowerName = new Map(
  [...NAMED_KEYS, ...FUNCTION_KEYS].map((definition) => [definition.key.toLowerCase(), definition]),
);

const definitionByCode = new Map(
  [...NAMED_KEYS, ...CHARACTERS, ...LETTERS, ...NUMPAD_KEYS, ...RIGHT_KEYS]
    .filter(({ isShifted }) => !isShifted)
    .map((definition) => [definition.code, definition]),
);

/** Finds a key by name, code or character. Returns `undefined` if there is none. */
export function keyDefinition(name: string, { onMac = false } = {}): KeyDefinition | undefined {
  const exact = definitionByKey.get(name) ?? definitionByCode.get(name);
  if (exact) return exact;
  if (name === 'ControlOrMeta') return definitionByKey.get(onMac ? 'Meta' : 'Control');
  const alias = Object.entries(ALIASES).find(([from]) => from.toLowerCase() === name.toLowerCase());
  return alias ? definitionByKey.get(alias[1]) : definitionByLowerName.get(name.toLowerCase());
}
