import type { SentEntry } from '../../injected/contract.ts';
import { composeText, isTypedByKey, pressKeys, typeText } from '../input/key-events.ts';
import type { ReadyElement } from './element-action.ts';

/** What is told of text that was typed because it had no effect when it was inserted. */
export const TYPED_AGAIN = 'typed again';

/**
 * Replaces what a field holds, whose content is selected, in one burst: all the text at once, between the keys of an input
 * method, so that a page that waits for a key sees one with all the text there. Where that has no effect, all of it is typed.
 */
export async function enterText(
  { world, element }: ReadyElement,
  { text }: SentEntry,
): Promise<typeof TYPED_AGAIN | undefined> {
  const { session } = world;
  if (text === '' || isTypedByKey(text)) {
    await Promise.all(text === '' ? pressKeys(session, 'Delete') : typeText(session, text));
    return undefined;
  }
  const [isIgnored] = await Promise.all([world.call('entryIgnored', element.ref), ...composeText(session, text)]);
  if (!isIgnored) return undefined;
  await Promise.all(typeText(session, text));
  return TYPED_AGAIN;
}
