import { quote } from '../../util/truncate.ts';
import { isOnMac } from '../../cdp/browser-platform.ts';
import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import type { KeyStroke } from '../../injected/contract.ts';
import { checkString } from '../../util/check-argument.ts';
import { editingCommands, MODIFIER_BIT } from './editing-commands.ts';
import { type KeyDefinition, keyDefinition, withShift } from './key-definitions.ts';

const SHIFT = MODIFIER_BIT.Shift;

/** Returns the CDP bits of modifiers. `ControlOrMeta` depends on the browser's operating system. */
export function modifierBits(names: readonly string[], session: Session): number {
  const platform = { onMac: isOnMac(session) };
  return names.reduce((bits, name) => bits | modifierBitOf(keyDefinition(name, platform)), 0);
}

/** Returns 0 for keys other than modifiers. */
export function modifierBitOf(key: KeyDefinition | undefined): number {
  return key && Object.hasOwn(MODIFIER_BIT, key.key) ? MODIFIER_BIT[key.key as keyof typeof MODIFIER_BIT] : 0;
}

/** Presses a combination such as `Control+A`: keys go down in order and up in reverse, in one burst. */
export function pressKeys(session: Session, combination: string, held = 0): Promise<unknown>[] {
  const strokes = keyStrokes(session, combination, held);
  return [...strokes.downs(), ...strokes.ups()];
}

/** Prepares the keydowns and keyups of a combination. Throws for an unknown key before anything is sent. */
export function keyStrokes(
  session: Session,
  combination: string,
  held: number,
): { downs(): Promise<unknown>[]; ups(): Promise<unknown>[] } {
  const keys = parseCombination(combination, held, { onMac: isOnMac(session) });
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

export interface KeySequence {
  /** The keys that the injected script accepts, and the text that it inserts by itself. */
  readonly strokes: readonly KeyStroke[];
  /** How many strokes come before the text, such as the one that moves the caret. Default 0. */
  readonly lead?: number;
  /** Set by `press`, for example `Control+A`. `undefined` for typed text. */
  readonly combination?: string;
  send(session: Session, start: number, end: number): readonly Promise<unknown>[];
}

/** Types characters one by one. The injected script inserts those that no key types, such as `漢`. */
export function typedKeys(characters: readonly string[], held: number): KeySequence {
  return {
    strokes: characters.map((character) => {
      const key = keyOf(character);
      return key ? { key: key.key } : { text: character };
    }),
    send: (session, start, end) =>
      characters.slice(start, end).flatMap((character) => {
        const key = keyOf(character);
        return key ? typeKey(session, key, held) : [];
      }),
  };
}

/** Modifiers are not counted as strokes, unless the combination has nothing else. */
export function pressedKeys(combination: string, held: number): KeySequence {
  const keys = parseCombination(combination, held);
  const acting = keys.filter((key) => modifierBitOf(key) === 0);
  const counted = acting.length > 0 ? acting : keys.slice(-1);
  return {
    strokes: counted.map(({ key }) => ({ key })),
    combination,
    send: (session) => pressKeys(session, combination, held),
  };
}

/**
 * Inserts text as an input method does: all of it between the keydown and keyup of an unidentified key, in one burst.
 */
export function composeText(session: Session, text: string): Promise<unknown>[] {
  const [down, up] = composingKey(session);
  return [down(), session.send('Input.insertText', { text }), up()];
}

function composingKey(session: Session): readonly [down: () => Promise<unknown>, up: () => Promise<unknown>] {
  const send = (type: 'rawKeyDown' | 'keyUp') => (): Promise<unknown> =>
    session.send('Input.dispatchKeyEvent', { type, ...COMPOSING_KEY });
  return [send('rawKeyDown'), send('keyUp')];
}

/** Sends the key events of {@link composeText} without the text. */
export function pressComposingKey(session: Session): Promise<unknown>[] {
  return composingKey(session).map((send) => send());
}

/** On-screen keyboards and input methods report this key (UI Events, "Legacy key and character codes": 229). */
const COMPOSING_KEY = { key: 'Unidentified', code: '', windowsVirtualKeyCode: 229 } as const;

/** Splits text into grapheme clusters, so that `é` or a flag is typed as one character. */
export function charactersOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n');
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(lines),
    ({ segment }) => segment,
  );
}

export function isTypedByKey(character: string): boolean {
  return character.length === 1 && keyDefinition(character)?.text === character;
}

function keyOf(character: string): KeyDefinition | undefined {
  if (character.length > 1) return undefined;
  return keyDefinition(character === '\n' ? 'Enter' : character === '\t' ? 'Tab' : character);
}

function typeKey(session: Session, key: KeyDefinition, held: number): Promise<unknown>[] {
  const modifiers = held | (key.isShifted ? SHIFT : 0);
  return [keyDown(session, key, { modifiers }), keyUp(session, key, modifiers)];
}

function parseCombination(combination: string, held: number, platform?: { onMac: boolean }): readonly KeyDefinition[] {
  const names =
    combination === '+'
      ? ['+']
      : combination
          .replace(/\+\+$/, '+Plus')
          .split('+')
          .map((name) => (name.trim() === '' ? name : name.trim()));
  const keys = names.map((name) => keyDefinition(name, platform) ?? noKey(name, combination));
  const isCombined = keys.length > 1 || held !== 0;
  return isCombined ? keys.map((key) => asPressed(key, keys, held)) : keys;
}

export function checkKeys(keys: unknown): asserts keys is string {
  checkString('keys', keys, { mayBeEmpty: keys === ' ' });
  parseCombination(keys, 0);
}

/**
 * Finds a key by name, code or character.
 * @throws DriverInvalidArgumentError if there is none.
 */
export function keyNamed(name: string, session: Session): KeyDefinition {
  const key = keyDefinition(name, { onMac: isOnMac(session) });
  if (key) return key;
  throw new DriverInvalidArgumentError(
    `key must be a name such as Enter or ArrowDown, a code such as KeyA, or a character. Received ${quote(name)}.`,
    { argument: 'key' },
  );
}

function noKey(name: string, combination: string): never {
  throw new DriverInvalidArgumentError(
    `keys must be key names such as Enter, combinations such as Control+A, or single characters. Unknown key ${quote(name)} in ${quote(combination)}.`,
    { argument: 'keys' },
  );
}

/** An upper-case letter does not press Shift: `Control+A` means Control and the A key. */
function asPressed(key: KeyDefinition, keys: readonly KeyDefinition[], held: number): KeyDefinition {
  if ((held & SHIFT) !== 0 || keys.some((other) => other.key === 'Shift')) return withShift(key);
  return key.isShifted ? (keyDefinition(key.key.toLowerCase()) ?? key) : key;
}

/** Sends a keydown. Includes the key's text unless Alt, Control or Meta is down. */
export function keyDown(
  session: Session,
  { key, code, keyCode, text, location = 0 }: KeyDefinition,
  { modifiers, isRepeat = false }: { modifiers: number; isRepeat?: boolean },
): Promise<unknown> {
  const typed = (modifiers & ~SHIFT) === 0 ? text : undefined;
  const commands = editingCommands(key, modifiers, { onMac: isOnMac(session) });
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
    ...(commands.length === 0 ? {} : { commands: [...commands] }),
  });
}

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
