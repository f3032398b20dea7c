import type { ActionToken, OtherFrameReport } from '../contract.ts';
import { EffectWatch } from './effect-watch.ts';
import { flushMutations } from './mutation-watch.ts';
import { startTimer, timersDone } from './timer.ts';

/** A watch that nobody asks about ends after this many milliseconds. */
const WATCHING_TIME = 10_000;
/** Stands for an action where none is: what the document does then is its own doing. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

interface Watching {
  readonly watch: EffectWatch;
  readonly stopTimer: () => void;
  isOver: boolean;
}

/** By the tokens of the actions, those around others first; one that is over shows what this document does by itself. */
const watchingByToken = new Map<number, Watching>();

/** Watches what becomes of this document while something is done in another one. */
export function watchOtherFrame({ token, within }: ActionToken): void {
  for (const other of [...watchingByToken.keys()]) if (!within.includes(other)) endWatching(other);
  watchingByToken.set(token, {
    watch: new EffectWatch(null, { scope: 'effects' }),
    stopTimer: startTimer(() => endWatching(token), WATCHING_TIME),
    isOver: false,
  });
}

/** What was seen since for this action; from then on, what changes is taken for the document's own doing. */
export async function otherFrameEffects(token: number): Promise<OtherFrameReport> {
  await reachedThisDocument();
  const watching = watchingByToken.get(token);
  const { mutations = 0, announced = [], opened } = watching?.watch.effects() ?? {};
  if (watching) rest(watching);
  else restIfUnwatched();
  return { mutations, announced, ...(opened !== undefined && { opened }) };
}

/** Nothing is done now, unless an action is under way: what changes in this document is its own doing. */
export async function restOtherFrame(): Promise<void> {
  await reachedThisDocument();
  restIfUnwatched();
}

function restIfUnwatched(): void {
  if (watchingByToken.size > 0) return;
  watchOtherFrame(PAGE_ITSELF);
  const watching = watchingByToken.get(PAGE_ITSELF.token);
  if (watching) rest(watching);
}

// What reached this document before, such as a message of the one that was acted in, may not have been looked at yet.
async function reachedThisDocument(): Promise<void> {
  await timersDone(0);
  flushMutations();
}

function rest(watching: Watching): void {
  watching.isOver = true;
  const isAlone = [...watchingByToken.values()].every(({ isOver }) => isOver);
  if (isAlone) watching.watch.rest();
}

function endWatching(token: number): void {
  const watching = watchingByToken.get(token);
  watching?.stopTimer();
  watching?.watch.stop();
  watchingByToken.delete(token);
}
