import type { EffectWatch } from './effect-watch.ts';
import type { InputObserver } from './input-observer.ts';
import { startTimer } from './timer.ts';

/** The key that ends an entry arrives within this many ms. */
const LONGEST_ENTRY = 1000;

/**
 * Inserts text between the keys of an input method: on the keyup, before the page sees it. The keys themselves carry no text. A field that
 * listens to keys alone ignores the insertion; then the page gets the whole text as keys instead of this keyup. If the page has removed the
 * field, the keyup is dropped so that it reaches no other part of the page.
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
