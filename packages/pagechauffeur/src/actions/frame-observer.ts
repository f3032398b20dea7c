import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { ActionToken, OtherFrameReport } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Maximum number of observed frames. Pages with ads can have many more. */
const MOST_FRAMES = 24;
/** Time in ms for a frame to report. Slower frames are left out. */
const ANSWER_TIMEOUT_MS = 1000;
/** Time in ms that an action waits for all frames to start observing. */
const BEGIN_TIMEOUT_MS = 250;

/** Observes the effect of an action in the other frames. Does nothing on a page without child frames. */
export class FrameObserver {
  readonly #owner: ActionToken;
  readonly #watching = new Map<FrameNode, Promise<World | undefined>>();

  /** Starts observing all frames, because the action's frame is not known yet. */
  constructor({ frames: { frames } }: PageTarget, owner: ActionToken) {
    this.#owner = owner;
    if (frames.length === 1) return;
    for (const frame of frames.slice(0, MOST_FRAMES)) this.#watching.set(frame, watch(frame, owner));
  }

  /**
   * Waits until all frames are observing. Otherwise input could overtake the calls that start the observers. This takes
   * no time unless a document has just loaded.
   */
  async started(progress: Progress): Promise<void> {
    if (this.#watching.size > 0)
      await progress.race(withTimeout(BEGIN_TIMEOUT_MS, Promise.all(this.#watching.values())));
  }

  /**
   * Returns the reports of all frames except the action's frame and its ancestors in the same process. Those send their
   * own report.
   */
  async reports(progress: Progress, acted: FrameNode): Promise<readonly OtherFrameReport[]> {
    const known = new Set([...acted.lineage()].filter(({ session }) => session === acted.session));
    const others = [...this.#watching].filter(([frame]) => !known.has(frame) && !frame.isDetached);
    if (others.length === 0) return [];
    const asked = others.map(([, watching]) =>
      watching.then((world) => world?.call('otherFrameEffects', this.#owner.token)).catch(nothingSeen),
    );
    const answers = Promise.all(asked.map((answer) => withTimeout(ANSWER_TIMEOUT_MS, answer)));
    return (await progress.race(answers)).filter((report) => report !== undefined);
  }
}

/** Tells the child frames that later changes are not effects, unless an action is in progress. */
export function restFrames({ frames: { frames } }: PageTarget): void {
  for (const { worlds } of frames.slice(1, MOST_FRAMES))
    worlds.isolated.then((world) => world.call('restOtherFrame')).catch(ignoreRejection);
}

async function watch(frame: FrameNode, owner: ActionToken): Promise<World | undefined> {
  try {
    const world = await frame.worlds.isolated;
    await world.call('watchOtherFrame', owner);
    return world;
  } catch {
    // The frame has no document at the moment.
    return undefined;
  }
}

function nothingSeen(): undefined {
  return undefined;
}
