import { DriverElementNotFoundError } from '../errors.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { type GuardedKeys, sendGuarded } from './input/guarded-keys.ts';
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

/** Where text goes. */
interface TextPlace {
  readonly page: PageTarget;
  readonly ready: ReadyElement;
}

/**
 * Replaces what a field holds, whose content is selected, in one burst: all the text at once, between the keys of an input
 * method, so that a page that waits for a key sees one with all the text there. Where that has no effect, all of it is typed.
 *
 * The browser gives text to whatever has the focus. Every other document stops it, see {@link KeyShield}, and the program in the field's
 * document puts it in when it has not come. Of a value that is bound to an origin nothing leaves that program: only the keys, which
 * say nothing of the text, come from the browser.
 */
export async function enterText(
  progress: Progress,
  { ready, keys }: { readonly ready: ReadyElement; readonly keys: KeySequence | undefined },
  { text }: SentEntry,
): Promise<void> {
  const { session } = ready.world;
  throwIfGone(ready);
  if (ready.insertion === undefined && keys) await sendToReady(progress, { ready, keys, isJudgedAfter: true });
  else if (ready.document) await Promise.all(pressComposingKey(session));
  else if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else await Promise.all(composeText(session, text));
}

/** Types what the page took no notice of when it was inserted. */
export async function typeInstead(progress: Progress, { page, ready }: TextPlace, { text }: SentEntry): Promise<void> {
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

/** Sends the keys that the element is prepared for. */
export function sendToReady(
  progress: Progress,
  { ready, ...sent }: { readonly ready: ReadyElement } & Pick<GuardedKeys, 'keys' | 'isJudgedAfter'>,
): Promise<void> {
  const { world, turn, target } = ready;
  const { session } = world;
  throwIfGone(ready);
  return sendGuarded({ progress, session, world, token: turn.owner.token, label: target.label, ...sent });
}

/** Nothing is sent where the element is no more; that its document has gone would otherwise count as what the text brought. */
function throwIfGone({ world, element: { tag }, target: { label } }: ReadyElement): void {
  if (world.isGone)
    throw new DriverElementNotFoundError(`${tag} left the page before its keys were sent.`, { selectors: [label] });
}
