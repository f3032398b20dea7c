import type { Session } from '../../cdp/session.ts';
import type { SentEntry } from '../../injected/contract.ts';
import { isTypedByKey, pressKeys, typeText } from '../input/key-events.ts';
import type { ReadyElement } from './element-action.ts';

/** What is told of text that was typed because it had no effect when it was inserted. */
export const TYPED_AGAIN = 'typed again';

/** Replaces what a field holds, whose content is selected, in one burst. Where inserted text alone has no effect, all of it is typed. */
export async function enterText(
  { world, element }: ReadyElement,
  { text, isLastTyped }: SentEntry,
): Promise<typeof TYPED_AGAIN | undefined> {
  const { session } = world;
  const start = isLastTyped ? text.slice(0, -1) : text;
  const inserted = start === '' ? [] : [session.send('Input.insertText', { text: start })];
  const typed = isLastTyped ? typeLast(session, text) : [];
  if (inserted.length === 0 || typed.length === 0) {
    await Promise.all([...inserted, ...typed]);
    return undefined;
  }
  const [isIgnored] = await Promise.all([world.call('entryIgnored', element.ref), ...inserted, ...typed]);
  if (!isIgnored) return undefined;
  await Promise.all(typeText(session, text));
  return TYPED_AGAIN;
}

/**
 * How a text goes into a field: at once but for its last character, which is typed, so that a page that waits for keys
 * sees one with all the text there. A page that puts a new field in the place of one that tells of text gets all at once
 * when it is tried again.
 */
export function entryOf(text: string, isAgain: boolean): SentEntry {
  return { text, isLastTyped: text === '' || (!isAgain && isTypedByKey(text.slice(-1))) };
}

function typeLast(session: Session, text: string): Promise<unknown>[] {
  return text === '' ? pressKeys(session, 'Delete') : typeText(session, text.slice(-1));
}
