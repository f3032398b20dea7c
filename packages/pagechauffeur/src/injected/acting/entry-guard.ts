import type { EffectWatch } from './effect-watch.ts';
import type { InputObserver } from './input-observer.ts';
import { startTimer } from './timer.ts';

/** The key that ends an entry comes within this many ms. */
const LONGEST_ENTRY = 1000;

/**
 * Puts text in between the keys of an input method: when the last one comes, before the page hears of it. The keys themselves
 * say nothing of the text. A field that follows keys alone takes no notice of it; the page then gets the whole of it as keys
 * instead of the last one. So that a key reaches no other part of the page, it is kept from it when the page has taken the
 * field away.
 */
export function guardEntry(watch: EffectWatch, entry: InputObserver): void {
  const stopTimer = startTimer(end, LONGEST_ENTRY);
  function end(): void {
    stopTimer();
    entry.guard = null;
  }
  entry.guard = (event) => {
    if (event.type !== 'keyup') return;
    const wasInserted = entry.insert();
    const { reach } = entry;
    const isTaken = watch.hasSeenEffect() || entry.holdsToldText;
    entry.isIgnored = wasInserted && reach === 'field' && !isTaken;
    if (entry.isIgnored || reach === 'none') event.stopImmediatePropagation();
    end();
  };
}
