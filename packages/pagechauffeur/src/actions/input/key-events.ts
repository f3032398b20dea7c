import { isOnMac } from '../../cdp/browser-platform.ts';
import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import type { KeyStroke } from '../../injected/contract.ts';
import { checkString } from '../../util/check-argument.ts';
import { editingCommands, MODIFIER_BIT } from './editing-commands.ts';
import { type KeyDefinition, keyDefinition, withShift } from './key-definitions.ts';

const SHIFT = MODIFIER_BIT.Shift;

/** The bits of modifiers by their names; which key `ControlOrMeta` is, the browser's platform decides. */
export function modifierBits(names: readonly string[], session: Session): number {
  const platform = { onMac: isOnMac(session) };
  return names.reduce((bits, name) => bits | modifierBitOf(keyDefinition(name, platform)), 0);
}

/** The bit of a key when it is a modifier, else 0. */
export function modifierBitOf(key: KeyDefinition | undefined): number {
  return key && Object.hasOwn(MODIFIER_BIT, key.key) ? MODIFIER_BIT[key.key as keyof typeof MODIFIER_BIT] : 0;
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

/** A sequence of keys for one element. */
export interface KeySequence {
  /** The keys that the injected script lets pass, and the texts that it inserts itself. */
  readonly strokes: readonly KeyStroke[];
  /** The pressed combination; undefined for typed text. */
  readonly combination?: string;
  /** Sends the strokes from `start` to `end` in one burst. */
  send(session: Session, start: number, end: number): readonly Promise<unknown>[];
}

/** Types characters by keys. The injected script inserts those that no key types. */
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

/** Presses a combination. Modifiers count as strokes only if nothing else is pressed. */
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

/** Puts text in as an input method does: at once, between the two events of a key that nobody knows; one burst. */
export function composeText(session: Session, text: string): Promise<unknown>[] {
  const [down, up] = composingKey(session);
  return [down(), session.send('Input.insertText', { text }), up()];
}

/** The two halves of the key that an input method presses around its text. */
function composingKey(session: Session): readonly [down: () => Promise<unknown>, up: () => Promise<unknown>] {
  const send = (type: 'rawKeyDown' | 'keyUp') => (): Promise<unknown> =>
    session.send('Input.dispatchKeyEvent', { type, ...COMPOSING_KEY });
  return [send('rawKeyDown'), send('keyUp')];
}

/** Presses the key of `composeText` without the text, of which it says nothing. */
export function pressComposingKey(session: Session): Promise<unknown>[] {
  return composingKey(session).map((send) => send());
}

/** What keyboards on a screen and input methods send (UI Events, "Legacy key and character codes": 229). */
const COMPOSING_KEY = { key: 'Unidentified', code: '', windowsVirtualKeyCode: 229 } as const;

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

/** Throws when an argument is no combination of keys. */
export function checkKeys(keys: unknown): asserts keys is string {
  checkString('keys', keys, { mayBeEmpty: keys === ' ' });
  parseCombination(keys, 0);
}

/** The key of a name; a refusal when there is none. */
export function keyNamed(name: string, session: Session): KeyDefinition {
  const key = keyDefinition(name, { onMac: isOnMac(session) });
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
