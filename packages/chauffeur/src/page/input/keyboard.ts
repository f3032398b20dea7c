import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { type KeyDefinition, keyDefinition, withShift } from './key-definitions.ts';

/** Modifier bits of the protocol's input commands. */
const MODIFIER_BIT: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** What some shortcuts do to text; headless Chromium on Linux does not derive it from the keys alone. */
const EDITING_COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  y: 'redo',
};

/** Presses a combination such as `Control+A` or `Enter`: keys down in order, up in reverse, sent in one burst. */
export function pressKeys(session: Session, combination: string): Promise<unknown>[] {
  const keys = parseCombination(combination);
  const commands: Promise<unknown>[] = [];
  let modifiers = 0;
  for (const key of keys) {
    modifiers |= MODIFIER_BIT[key.key] ?? 0;
    commands.push(keyDown(session, key, modifiers));
  }
  for (const key of keys.toReversed()) {
    modifiers &= ~(MODIFIER_BIT[key.key] ?? 0);
    commands.push(keyUp(session, key, modifiers));
  }
  return commands;
}

/** Types text as key events where a key types the character, as inserted text where none does; one burst. */
export function typeText(session: Session, text: string): Promise<unknown>[] {
  return [...text.replaceAll('\r\n', '\n')].flatMap((character) => typeCharacter(session, character));
}

function typeCharacter(session: Session, character: string): Promise<unknown>[] {
  const key = keyDefinition(character === '\n' ? 'Enter' : character === '\t' ? 'Tab' : character);
  if (!key || character.length > 2) return [session.send('Input.insertText', { text: character })];
  const modifiers = key.isShifted ? (MODIFIER_BIT.Shift ?? 0) : 0;
  return [keyDown(session, key, modifiers), keyUp(session, key, modifiers)];
}

function parseCombination(combination: string): readonly KeyDefinition[] {
  const names =
    combination === '+'
      ? ['+']
      : combination
          .replace(/\+\+$/, '+Plus')
          .split('+')
          .map((name) => (name.trim() === '' ? name : name.trim()));
  const keys = names.map((name) => {
    const key = keyDefinition(name);
    if (key) return key;
    throw new DriverInvalidArgumentError(
      `There is no key ${JSON.stringify(name)} in ${JSON.stringify(combination)}. Use names such as Enter, ArrowDown, Control+A or single characters.`,
      { argument: 'keys' },
    );
  });
  return keys.length === 1 ? keys : keys.map((key) => asPressed(key, keys));
}

/** In a shortcut the letter's case does not ask for Shift, Shift itself does: Control+A is Control and the A key. */
function asPressed(key: KeyDefinition, keys: readonly KeyDefinition[]): KeyDefinition {
  if (keys.some((other) => other.key === 'Shift')) return withShift(key);
  return key.isShifted ? (keyDefinition(key.key.toLowerCase()) ?? key) : key;
}

function keyDown(session: Session, definition: KeyDefinition, modifiers: number): Promise<unknown> {
  const { key, code, keyCode, text, location = 0 } = definition;
  const hasCommandKey = (modifiers & ~(MODIFIER_BIT.Shift ?? 0)) !== 0;
  const typed = hasCommandKey ? undefined : text;
  const command =
    (modifiers & ((MODIFIER_BIT.Control ?? 0) | (MODIFIER_BIT.Meta ?? 0))) !== 0
      ? EDITING_COMMANDS[key.toLowerCase()]
      : undefined;
  return session.send('Input.dispatchKeyEvent', {
    type: typed === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    location,
    modifiers,
    windowsVirtualKeyCode: keyCode,
    ...(typed === undefined ? {} : { text: typed, unmodifiedText: typed }),
    ...(command === undefined ? {} : { commands: [command] }),
  });
}

function keyUp(
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
  });
}
