import type { EffectWatch } from './effect-watch.ts';
import type { EntryWatch } from './entry-watch.ts';
import { startTimer } from './timer.ts';

/** The key that ends an entry comes within this many ms. */
const LONGEST_ENTRY = 1000;

/**
 * Watches over text that is inserted between the keys of an input method. A field that follows keys alone takes no notice
 * of the text; the page then gets the whole of it as keys instead of the last one. So that a key reaches no other part of
 * the page, it is kept from it when the page has taken the field away.
 */
export function guardEntry(watch: EffectWatch, entry: EntryWatch): void {
  let wasInserted = false;
  const stopTimer = startTimer(end, LONGEST_ENTRY);
  function end(): void {
    stopTimer();
    entry.guard = null;
  }
  entry.guard = (event) => {
    if (event.type === 'beforeinput') wasInserted = true;
    if (event.type !== 'keyup') return;
    const { reach } = entry;
    const isTaken = watch.hasSeenEffect() || entry.holdsToldText;
    entry.isIgnored = wasInserted && reach === 'field' && !isTaken;
    if (entry.isIgnored || reach === 'none') event.stopImmediatePropagation();
    end();
  };
}
