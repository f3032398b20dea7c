import type { SentEntry } from '../../injected/contract.ts';
import { composeText, isTypedByKey, pressKeys, typeText } from '../input/key-events.ts';
import type { ReadyElement } from './element-action.ts';

/**
 * Replaces what a field holds, whose content is selected, in one burst: all the text at once, between the keys of an input
 * method, so that a page that waits for a key sees one with all the text there. Where that has no effect, all of it is typed.
 */
export async function enterText({ world: { session } }: ReadyElement, { text }: SentEntry): Promise<void> {
  if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else if (isTypedByKey(text)) await Promise.all(typeText(session, text));
  else await Promise.all(composeText(session, text));
}

/** Types what the page took no notice of when it was inserted. */
export async function typeInstead({ world: { session } }: ReadyElement, { text }: SentEntry): Promise<void> {
  await Promise.all(typeText(session, text));
}
