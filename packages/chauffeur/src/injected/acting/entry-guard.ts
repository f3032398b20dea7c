import { elementOfRef } from '../refs.ts';
import type { EffectWatch } from './effect-watch.ts';
import type { EntryWatch } from './entry-watch.ts';
import { selectContent } from './text-entry.ts';
import { startTimer } from './timer.ts';

/** The key that ends an entry comes within this many ms. */
const LONGEST_ENTRY = 1000;

let decision: Promise<boolean> = Promise.resolve(false);
let endEarlier: () => void = () => undefined;

/**
 * Watches over text that is inserted with a key after it. A field that follows keys alone takes no notice of the text;
 * the key is then kept from the page, which gets the whole text as keys instead. So is a key that would reach no field,
 * because the page has taken it away.
 */
export function guardEntry(watch: EffectWatch, entry: EntryWatch): void {
  endEarlier();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  decision = promise;
  let wasInserted = false;
  let isKept = false;
  const stopTimer = startTimer(end, LONGEST_ENTRY);
  function end(): void {
    stopTimer();
    entry.guard = null;
    resolve(entry.isTypedAgain);
  }
  endEarlier = end;
  entry.guard = (event) => {
    if (event.type === 'beforeinput') wasInserted = true;
    if (!(event instanceof KeyboardEvent)) return;
    if (event.type === 'keydown') {
      const { reach } = entry;
      entry.isTypedAgain = wasInserted && reach === 'field' && !watch.hasSeenEffect();
      isKept = entry.isTypedAgain || reach === 'none';
    }
    if (!isKept) return end();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'keyup') end();
  };
}

/** Whether the page took no notice of the text that was inserted; the element's content is selected again then. */
export async function entryIgnored(ref: number): Promise<boolean> {
  const isIgnored = await decision;
  const element = elementOfRef(ref);
  if (isIgnored && element) selectContent(element);
  return isIgnored;
}
