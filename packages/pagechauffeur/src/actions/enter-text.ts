import { DriverElementNotFoundError } from '../errors.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { type EditorShortcut, enterInEditor } from './input/editor-keys.ts';
import { type GuardedKeys, sendGuarded, withTypedText } from './input/guarded-keys.ts';
import {
  charactersOf,
  composeText,
  type KeySequence,
  pressComposingKey,
  pressKeys,
  typedKeys,
} from './input/key-events.ts';
import { KeyShield } from './input/key-shield.ts';
import type { ReadyElement } from './element-action.ts';

interface TextField {
  readonly page: PageTarget;
  readonly ready: ReadyElement;
}

/**
 * Replaces the selected content of a field in one burst. Text that is not a single key goes between the keydown and
 * keyup of an input method, so that a keyup listener of the page sees all of it. If the page ignores it,
 * {@link typeInstead} types the text.
 *
 * The browser inserts text into whichever element has the focus. {@link KeyShield} blocks it in every other document,
 * and the injected script inserts text that did not arrive in the field. If the text is bound to an origin and not a
 * single key, only that script inserts it, and the browser sends only the two key events.
 */
export async function enterText(
  progress: Progress,
  { ready, keys }: { readonly ready: ReadyElement; readonly keys: KeySequence | undefined },
  { text }: SentEntry,
): Promise<void> {
  const { session } = ready.world;
  throwIfGone(ready);
  if (ready.editor) await Promise.all(enterInEditor(session, text, shortcutFor(ready)));
  else if (ready.insertion === undefined && keys)
    await sendToReady(progress, { ready, keys, isVerifiedByCaller: true });
  else if (ready.document) await Promise.all(pressComposingKey(session));
  else if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else await Promise.all(composeText(session, text));
}

/** `insertion` is set for an edit, which can only add text at the end of an editor. */
function shortcutFor({ editor, insertion }: ReadyElement): EditorShortcut {
  if (editor === 'terminal') return 'none';
  return insertion === undefined ? 'select-all' : 'go-to-end';
}

/** Types text that the page ignored when it was inserted. */
export async function typeInstead(progress: Progress, { page, ready }: TextField, { text }: SentEntry): Promise<void> {
  const { token } = ready.turn.owner;
  const keys = typedKeys(charactersOf(text), 0);
  const shield = new KeyShield(page, token);
  try {
    const begun = ready.world.call('beginTyping', token, ready.element.ref, keys.strokes);
    await progress.race(Promise.all([begun, shield.raised(progress)]));
    await sendToReady(progress, { ready, keys });
  } finally {
    shield.lower();
  }
}

/** Sends keys that only this element can receive. */
export function sendToReady(
  progress: Progress,
  { ready, ...sent }: { readonly ready: ReadyElement } & Pick<GuardedKeys, 'keys' | 'isVerifiedByCaller'>,
): Promise<void> {
  const { world, turn, target } = ready;
  const { session } = world;
  throwIfGone(ready);
  const { token } = turn.owner;
  const guarded = { progress, session, world, token, label: target.label, closesPopups: true, ...sent };
  if (sent.keys.combination !== undefined) return sendGuarded(guarded);
  const { strokes, lead = 0 } = sent.keys;
  return withTypedText(progress, strokes.length - lead, (text) => sendGuarded({ ...guarded, text }));
}

/** If the document was replaced before the keys are sent, its navigation must not be reported as their effect. */
function throwIfGone({ world, element: { tag }, target: { label } }: ReadyElement): void {
  if (world.isGone)
    throw new DriverElementNotFoundError(`${tag} was removed from the page before the keys were sent.`, {
      selectors: [label],
    });
}
