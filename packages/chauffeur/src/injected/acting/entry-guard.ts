import { elementOfRef } from '../refs.ts';
import type { EffectWatch } from './effect-watch.ts';
import { selectContent } from './text-entry.ts';
import { startTimer } from './timer.ts';

/** The key that ends an entry comes within this many ms. */
const LONGEST_ENTRY = 1000;
const KEYS = ['keydown', 'keyup'] as const;

let decision: Promise<boolean> = Promise.resolve(false);
let endEarlier: () => void = () => undefined;

/**
 * Watches over text that is inserted with a key after it. A field that follows keys alone takes no notice of the text;
 * the key is then kept from the page, which gets the whole text as keys instead.
 */
export function guardEntry(watch: EffectWatch): void {
  endEarlier();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  decision = promise;
  let wasInserted = false;
  let isIgnored = false;
  const onInsert = (event: Event): void => {
    wasInserted ||= event.isTrusted;
  };
  const onKey = (event: Event): void => {
    if (!event.isTrusted) return;
    if (event.type === 'keydown') isIgnored = wasInserted && !watch.hasSeenEffect();
    if (!isIgnored) return end();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'keyup') end();
  };
  const stopTimer = startTimer(end, LONGEST_ENTRY);
  function end(): void {
    stopTimer();
    removeEventListener('beforeinput', onInsert, true);
    for (const type of KEYS) removeEventListener(type, onKey, true);
    resolve(isIgnored);
  }
  endEarlier = end;
  addEventListener('beforeinput', onInsert, true);
  for (const type of KEYS) addEventListener(type, onKey, true);
}

/** Whether the page took no notice of the text that was inserted; the element's content is selected again then. */
export async function entryIgnored(ref: number): Promise<boolean> {
  const isIgnored = await decision;
  const element = elementOfRef(ref);
  if (isIgnored && element) selectContent(element);
  return isIgnored;
}
