import type { BystanderReport } from '../contract.ts';
import { EffectWatch } from './effect-watch.ts';
import { flushMutations } from './mutation-watch.ts';
import { startTimer, timersDone } from './timer.ts';

/** A watch that nobody asks about ends after this many milliseconds. */
const WATCHING_TIME = 10_000;

let watching: { readonly watch: EffectWatch; readonly stopTimer: () => void } | null = null;

/** Watches what becomes of this document while something is done in another one. */
export function watchFromAside(): void {
  endWatching();
  watching = { watch: new EffectWatch(null, { scope: 'effects' }), stopTimer: startTimer(endWatching, WATCHING_TIME) };
}

/** What was seen since; from then on, what changes is taken for the document's own doing. */
export async function seenFromAside(): Promise<BystanderReport> {
  // What reached this document before, such as a message of the one that was acted in, may not have been looked at yet.
  await timersDone(0);
  flushMutations();
  if (!watching) watchFromAside();
  const { mutations = 0, announced = [], opened } = watching?.watch.effects() ?? {};
  watching?.watch.rest();
  return { mutations, announced, ...(opened !== undefined && { opened }) };
}

function endWatching(): void {
  watching?.stopTimer();
  watching?.watch.stop();
  watching = null;
}
