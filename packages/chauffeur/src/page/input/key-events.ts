import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkString } from '../../util/check-argument.ts';
import { type KeyDefinition, keyDefinition, withShift } from './key-definitions.ts';

/** Modifier bits of the protocol's input commands. */
const MODIFIER_BIT: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const SHIFT = 8;
const COMMAND_KEYS = 2 | 4;

/** What some shortcuts do to text; headless Chromium does not derive it from the keys alone. */
const EDITING_COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  y: 'redo',
};
/** With Shift held, some mean something else. */
const SHIFTED_COMMANDS: Readonly<Record<string, string>> = { v: 'pasteAndMatchStyle', z: 'redo' };

/** The bits of modifiers by their names. */
export function modifierBits(names: readonly string[]): number {
  return names.reduce((bits, name) => bits | modifierBitOf(keyDefinition(name)), 0);
}

/** The bit of a key when it is a modifier, else 0. */
export function modifierBitOf(key: KeyDefinition | undefined): number {
  return (key && MODIFIER_BIT[key.key]) ?? 0;
}

/** Presses a combination such as `Control+A` or `Enter`: keys down in order, up in reverse, sent in one burst. */
export function pressKeys(session: Session, combination: string, held = 0): Promise<unknown>[] {
  const strokes = keyStrokes(session, combination, held);
  return [...strokes.downs(), ...strokes.ups()];
}

/** The two halves of pressing a combination. A wrong name is refused before anything is sent. */
export function keyStrokes(
  session: Session,
  combination: string,
  held: number,
): { downs(): Promise<unknown>[]; ups(): Promise<unknown>[] } {
  const keys = parseCombination(combination, held);
  let modifiers = held;
  return {
    downs: () =>
      keys.map((key) => {
        modifiers |= modifierBitOf(key);
        return keyDown(session, key, { modifiers });
      }),
    ups: () =>
      keys.toReversed().map((key) => {
        modifiers &= ~modifierBitOf(key) | held;
        return keyUp(session, key, modifiers);
      }),
  };
}

/** Types text as key events where a key types the character, as inserted text where none does; one burst. */
export function typeText(session: Session, text: string, held = 0): Promise<unknown>[] {
  return charactersOf(text).flatMap((character) => typeCharacter(session, character, held));
}

/** What is typed one by one: what a reader takes for one character, with all its marks. */
export function charactersOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n');
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(lines),
    ({ segment }) => segment,
  );
}

/** Whether a key of the keyboard types a character. */
export function isTypedByKey(character: string): boolean {
  return character.length === 1 && keyDefinition(character)?.text === character;
}

function typeCharacter(session: Session, character: string, held: number): Promise<unknown>[] {
  const key = keyDefinition(character === '\n' ? 'Enter' : character === '\t' ? 'Tab' : character);
  if (!key || character.length > 1) return [session.send('Input.insertText', { text: character })];
  const modifiers = held | (key.isShifted ? SHIFT : 0);
  return [keyDown(session, key, { modifiers }), keyUp(session, key, modifiers)];
}

function parseCombination(combination: string, held: number): readonly KeyDefinition[] {
  const names =
    combination === '+'
      ? ['+']
      : combination
          .replace(/\+\+$/, '+Plus')
          .split('+')
          .map((name) => (name.trim() === '' ? name : name.trim()));
  const keys = names.map((name) => keyDefinition(name) ?? noKey(name, combination));
  const isCombined = keys.length > 1 || held !== 0;
  return isCombined ? keys.map((key) => asPressed(key, keys, held)) : keys;
}

/** Throws when an argument is no combination of keys. */
export function checkKeys(keys: unknown): asserts keys is string {
  checkString('keys', keys, { mayBeEmpty: keys === ' ' });
  parseCombination(keys, 0);
}

/** The key of a name; a refusal when there is none. */
export function keyNamed(name: string): KeyDefinition {
  const key = keyDefinition(name);
  if (key) return key;
  throw new DriverInvalidArgumentError(
    `key must be a name such as Enter or ArrowDown, a code such as KeyA, or a character; ${JSON.stringify(name)} is none.`,
    { argument: 'key' },
  );
}

function noKey(name: string, combination: string): never {
  throw new DriverInvalidArgumentError(
    `keys must be names such as Enter, ArrowDown or Control+A, or single characters; there is no key ${JSON.stringify(name)} in ${JSON.stringify(combination)}.`,
    { argument: 'keys' },
  );
}

/** In a shortcut the letter's case does not ask for Shift, Shift itself does: Control+A is Control and the A key. */
function asPressed(key: KeyDefinition, keys: readonly KeyDefinition[], held: number): KeyDefinition {
  if ((held & SHIFT) !== 0 || keys.some((other) => other.key === 'Shift')) return withShift(key);
  return key.isShifted ? (keyDefinition(key.key.toLowerCase()) ?? key) : key;
}

/** Sends a key going down, which types its text unless a command key is held. */
export function keyDown(
  session: Session,
  { key, code, keyCode, text, location = 0 }: KeyDefinition,
  { modifiers, isRepeat = false }: { modifiers: number; isRepeat?: boolean },
): Promise<unknown> {
  const typed = (modifiers & ~SHIFT) === 0 ? text : undefined;
  const command = editingCommand(key, modifiers);
  return session.send('Input.dispatchKeyEvent', {
    type: typed === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    location,
    modifiers,
    windowsVirtualKeyCode: keyCode,
    ...(isRepeat ? { autoRepeat: true } : {}),
    ...(location === 3 ? { isKeypad: true } : {}),
    ...(typed === undefined ? {} : { text: typed, unmodifiedText: typed }),
    ...(command === undefined ? {} : { commands: [command] }),
  });
}

function editingCommand(key: string, modifiers: number): string | undefined {
  if ((modifiers & COMMAND_KEYS) === 0) return undefined;
  const letter = key.toLowerCase();
  return ((modifiers & SHIFT) !== 0 ? SHIFTED_COMMANDS[letter] : undefined) ?? EDITING_COMMANDS[letter];
}

/** Sends a key going up. */
export function keyUp(
  session: Session,
  { key, code, keyCode, location = 0 }: KeyDefinition,
  modifiers: number,
): Promise<unknown> {
  return session.send('Input.dispatchKeyEvent', {
    type: 'keyUp',
    key,
    code,
    location,
    modifiers,
    windowsVirtualKeyCode: keyCode,
    ...(location === 3 ? { isKeypad: true } : {}),
  });
}
