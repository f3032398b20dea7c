import type { ActionToken, OtherFrameReport } from '../../contract.ts';
import { EffectWatch } from './effect-watch.ts';
import { flushMutations } from './mutation-watch.ts';
import { startTimer, timersDone } from '../timer.ts';

/** A watch ends after this many ms. */
const WATCHING_TIME = 10_000;
/** Token for changes that no action caused. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

interface Watching {
  readonly watch: EffectWatch;
  readonly stopTimer: () => void;
  isOver: boolean;
}

/**
 * Watches by action token, outer actions first. After its action, a watch learns which changes the document makes
 * without one.
 */
const watchingByToken = new Map<number, Watching>();

export function watchOtherFrame({ token, within }: ActionToken): void {
  for (const other of [...watchingByToken.keys()]) if (!within.includes(other)) endWatching(other);
  watchingByToken.set(token, {
    watch: new EffectWatch(null, { scope: 'effects' }),
    stopTimer: startTimer(() => endWatching(token), WATCHING_TIME),
    isOver: false,
  });
}

export async function otherFrameEffects(token: number): Promise<OtherFrameReport> {
  await reachedThisDocument();
  const watching = watchingByToken.get(token);
  const { mutations = 0, announced = [], opened } = watching?.watch.effects() ?? {};
  if (watching) rest(watching);
  else restIfUnwatched();
  return { mutations, announced, ...(opened !== undefined && { opened }) };
}

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

// Events that the action caused here, such as a message from its document, may still be queued.
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
