import { isOnMac } from '../../cdp/browser-platform.ts';
import type { Session } from '../../cdp/session.ts';
import type { KeyStroke } from '../../injected/contract.ts';
import { keyDown, keyNamed, keyUp, type KeySequence, pressComposingKey, pressKeys } from './key-events.ts';
import { MODIFIER_BIT } from './editing-commands.ts';

/** The key that moves the caret of an editor to the end, together with Control or Meta. */
export function endStroke(session: Session): Extract<KeyStroke, { key: string }> {
  return { key: isOnMac(session) ? 'ArrowDown' : 'End' };
}

/** Adds the combination that moves the caret of an editor to the end before the keys. */
export function typedAtEnd(keys: KeySequence, session: Session): KeySequence {
  const end = endStroke(session);
  const combination = `${isOnMac(session) ? 'Meta' : 'Control'}+${end.key}`;
  return {
    strokes: [end, ...keys.strokes],
    lead: 1,
    send: (to, from, until) => [
      ...(from === 0 && until > 0 ? pressKeys(to, combination) : []),
      ...keys.send(to, Math.max(0, from - 1), Math.max(0, until - 1)),
    ],
  };
}

/** What happens to the text of the editor. In a terminal, `none`: text goes where its cursor is. */
export type EditorShortcut = 'select-all' | 'go-to-end' | 'none';

/**
 * Selects the text of an editor or moves its caret to the end, and then presses the key at which the injected script
 * inserts the text. Deletes the selection if there is no text. The key of the shortcut is released last, because the
 * injected script inserts the text at the first keyup.
 */
export function enterInEditor(session: Session, text: string, shortcut: EditorShortcut): Promise<unknown>[] {
  const enter = (): Promise<unknown>[] => (text === '' ? pressKeys(session, 'Delete') : pressComposingKey(session));
  if (shortcut === 'none') return enter();
  const key = keyNamed(shortcut === 'select-all' ? 'a' : endStroke(session).key, session);
  const modifiers = isOnMac(session) ? MODIFIER_BIT.Meta : MODIFIER_BIT.Control;
  return [keyDown(session, key, { modifiers }), ...enter(), keyUp(session, key, 0)];
}
