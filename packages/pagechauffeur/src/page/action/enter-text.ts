import { DriverElementNotFoundError } from '../../errors.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { SentEntry } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type GuardedKeys, typeGuarded } from '../input/guarded-keys.ts';
import {
  charactersOf,
  composeText,
  isTypedByKey,
  pressComposingKey,
  pressKeys,
  strokesOf,
} from '../input/key-events.ts';
import { KeyShield } from '../input/key-shield.ts';
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
export async function enterText(progress: Progress, { page, ready }: TextPlace, { text }: SentEntry): Promise<void> {
  const { session } = ready.world;
  throwIfGone(ready);
  if (ready.insertion === undefined && isTypedByKey(text))
    await typeOnReady(progress, { page, ready, characters: [text], modifiers: 0, isJudgedAfter: true });
  else if (ready.document) await Promise.all(pressComposingKey(session));
  else if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else await Promise.all(composeText(session, text));
}

/** Types what the page took no notice of when it was inserted. */
export async function typeInstead(progress: Progress, { page, ready }: TextPlace, { text }: SentEntry): Promise<void> {
  const { token } = ready.turn.owner;
  const characters = charactersOf(text);
  const shield = new KeyShield(page, token, { isForOneDocument: ready.document !== undefined });
  try {
    const begun = ready.world.call('beginTyping', token, ready.element.ref, strokesOf(characters));
    await progress.race(Promise.all([begun, shield.raised(progress)]));
    await typeOnReady(progress, { page, ready, characters, modifiers: 0 });
  } finally {
    shield.lower();
  }
}

/** Types characters that the element was made ready for. */
export function typeOnReady(
  progress: Progress,
  { page, ready, ...typing }: TextPlace & Pick<GuardedKeys, 'characters' | 'modifiers' | 'isJudgedAfter'>,
): Promise<void> {
  const { world, turn, target } = ready;
  const { session } = world;
  throwIfGone(ready);
  return typeGuarded({ progress, page, session, world, token: turn.owner.token, label: target.label, ...typing });
}

/** Nothing is sent where the element is no more; that its document has gone would otherwise count as what the text brought. */
function throwIfGone({ world, element: { tag }, target: { label } }: ReadyElement): void {
  if (world.isGone)
    throw new DriverElementNotFoundError(`${tag} left the page before its text was typed.`, { selectors: [label] });
}
