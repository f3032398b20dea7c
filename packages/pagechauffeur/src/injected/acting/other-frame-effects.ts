import type { ActionToken, OtherFrameReport } from '../contract.ts';
import { EffectWatch } from './effect-watch.ts';
import { flushMutations } from './mutation-watch.ts';
import { startTimer, timersDone } from './timer.ts';

/** A watch ends after this many milliseconds if nobody reads it. */
const WATCHING_TIME = 10_000;
/** Token for changes that the document causes itself, without an action. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

interface Watching {
  readonly watch: EffectWatch;
  readonly stopTimer: () => void;
  isOver: boolean;
}

/**
 * Watches by action token, outer actions first. After the action, a watch learns which changes the document makes by
 * itself.
 */
const watchingByToken = new Map<number, Watching>();

/** Watches this document during an action in another document. */
export function watchOtherFrame({ token, within }: ActionToken): void {
  for (const other of [...watchingByToken.keys()]) if (!within.includes(other)) endWatching(other);
  watchingByToken.set(token, {
    watch: new EffectWatch(null, { scope: 'effects' }),
    stopTimer: startTimer(() => endWatching(token), WATCHING_TIME),
    isOver: false,
  });
}

/** Returns the changes of this document during the action. Later changes count as the document's own. */
export async function otherFrameEffects(token: number): Promise<OtherFrameReport> {
  await reachedThisDocument();
  const watching = watchingByToken.get(token);
  const { mutations = 0, announced = [], opened } = watching?.watch.effects() ?? {};
  if (watching) rest(watching);
  else restIfUnwatched();
  return { mutations, announced, ...(opened !== undefined && { opened }) };
}

/** Marks later changes as the document's own, unless an action is in progress. */
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

// Events such as a message from the other document may still be queued.
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
