import type { KeyModifier } from '../../actions/input/modifier-names.ts';

/** Key names of the library, each with the names that models use, in lower case and without `_`. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  Enter: ['return', 'enter'],
  Escape: ['esc', 'escape'],
  Backspace: ['backspace'],
  Delete: ['del', 'delete'],
  Insert: ['ins', 'insert'],
  Tab: ['tab'],
  Space: ['space', 'spacebar'],
  ArrowUp: ['up', 'arrowup', 'uparrow'],
  ArrowDown: ['down', 'arrowdown', 'downarrow'],
  ArrowLeft: ['left', 'arrowleft', 'leftarrow'],
  ArrowRight: ['right', 'arrowright', 'rightarrow'],
  Home: ['home'],
  End: ['end'],
  PageUp: ['pageup', 'pgup', 'prior'],
  PageDown: ['pagedown', 'pgdn', 'pgdown', 'next'],
  CapsLock: ['capslock'],
  NumLock: ['numlock'],
  ScrollLock: ['scrolllock'],
  PrintScreen: ['print', 'printscreen', 'sysrq'],
  Pause: ['pause', 'break'],
  ContextMenu: ['menu', 'contextmenu', 'apps'],
  Control: ['ctrl', 'control', 'controll', 'ctrll'],
  ControlRight: ['controlr', 'ctrlr'],
  Alt: ['alt', 'altl', 'option', 'opt'],
  AltRight: ['altr', 'altgr', 'isolevel3shift'],
  Shift: ['shift', 'shiftl'],
  ShiftRight: ['shiftr'],
  Meta: ['meta', 'metal', 'super', 'superl', 'win', 'windows', 'os'],
  MetaRight: ['superr', 'metar'],
  // `cmd` means the shortcut modifier of the platform: models send it on Linux, too.
  ControlOrMeta: ['cmd', 'command', 'controlormeta'],
  NumpadEnter: ['kpenter'],
  NumpadAdd: ['kpadd'],
  NumpadSubtract: ['kpsubtract'],
  NumpadMultiply: ['kpmultiply'],
  NumpadDivide: ['kpdivide'],
  NumpadDecimal: ['kpdecimal'],
  Plus: ['plus', '+'],
  '-': ['minus', 'hyphen'],
  '=': ['equal', 'equals'],
  _: ['underscore'],
  '.': ['period', 'dot'],
  ',': ['comma'],
  '/': ['slash'],
  '\\': ['backslash'],
  ';': ['semicolon'],
  ':': ['colon'],
  "'": ['apostrophe', 'quoteright'],
  '"': ['quotedbl'],
  '`': ['grave', 'quoteleft'],
  '~': ['asciitilde', 'tilde'],
  '[': ['bracketleft'],
  ']': ['bracketright'],
  '{': ['braceleft'],
  '}': ['braceright'],
  '(': ['parenleft'],
  ')': ['parenright'],
  '<': ['less'],
  '>': ['greater'],
  '?': ['question'],
  '!': ['exclam'],
  '@': ['at'],
  '#': ['numbersign'],
  $: ['dollar'],
  '%': ['percent'],
  '^': ['asciicircum'],
  '&': ['ampersand'],
  '*': ['asterisk'],
  '|': ['bar'],
};

const keyByName = new Map(Object.entries(NAMES).flatMap(([key, names]) => names.map((name) => [name, key])));

const MODIFIERS: Readonly<Record<string, KeyModifier>> = {
  Control: 'Control',
  ControlRight: 'Control',
  Alt: 'Alt',
  AltRight: 'Alt',
  Shift: 'Shift',
  ShiftRight: 'Shift',
  Meta: 'Meta',
  MetaRight: 'Meta',
  ControlOrMeta: 'ControlOrMeta',
};

/** Converts a model's key name to the library's. Returns an unknown name unchanged, so that the keyboard reports it. */
export function keyName(name: string): string {
  const plain = name.trim() === '' ? 'space' : name.trim().toLowerCase();
  const known = keyByName.get(plain.length > 1 ? plain.replaceAll('_', '') : plain);
  if (known !== undefined) return known;
  const digit = /^kp_?(\d)$/.exec(plain)?.[1];
  if (digit !== undefined) return `Numpad${digit}`;
  return /^f\d+$/.test(plain) ? plain.toUpperCase() : name.trim();
}

export function combinationOf(names: readonly string[]): string {
  return names.map(keyName).join('+');
}

/** Parses combinations in `xdotool` syntax, separated by spaces: `ctrl+shift+t Return`. */
export function combinationsIn(text: string): readonly string[] {
  if (text.trim() === '') return text === '' ? [] : [keyName(' ')];
  return text
    .trim()
    .split(/\s+/)
    .map((combination) => combinationOf(namesIn(combination)));
}

/** Splits `ctrl++` into `ctrl` and `+`. */
function namesIn(combination: string): readonly string[] {
  if (combination === '+') return ['+'];
  return combination.endsWith('++') ? [...combination.slice(0, -2).split('+'), '+'] : combination.split('+');
}

/** Returns the modifiers among the keys. Other keys cannot be held during a click. */
export function modifiersIn(names: readonly string[]): readonly KeyModifier[] {
  const found = names.map((name) => MODIFIERS[keyName(name)]).filter((modifier) => modifier !== undefined);
  return [...new Set(found)];
}

/** Parses modifiers such as `ctrl+shift`. */
export function modifiersOf(text: string | undefined): readonly KeyModifier[] {
  return text === undefined ? [] : modifiersIn(text.trim().split(/[\s+]+/));
}
