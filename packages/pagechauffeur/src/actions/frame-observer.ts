import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { ActionToken, OtherFrameReport } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A page may hold very many frames of advertisers; the first of them are looked at. */
const MOST_FRAMES = 24;
/** A frame that does not answer within this many milliseconds is left out. */
const ANSWER_TIMEOUT_MS = 1000;
/** An action does not wait longer than this for a frame that is blocked. */
const BEGIN_TIMEOUT_MS = 250;

/** Looks at what an action does in frames other than the one that it is done in. Costs nothing on a page without frames. */
export class FrameObserver {
  readonly #owner: ActionToken;
  readonly #watching = new Map<FrameNode, Promise<World | undefined>>();

  /** Begins to watch, before it is known in which frame the action will be. */
  constructor({ frames: { frames } }: PageTarget, owner: ActionToken) {
    this.#owner = owner;
    if (frames.length === 1) return;
    for (const frame of frames.slice(0, MOST_FRAMES)) this.#watching.set(frame, watch(frame, owner));
  }

  /**
   * Waits until all of them watch, as they do by then unless a document has only just come: input may overtake the call
   * that tells them to.
   */
  async started(progress: Progress): Promise<void> {
    if (this.#watching.size > 0)
      await progress.race(withTimeout(BEGIN_TIMEOUT_MS, Promise.all(this.#watching.values())));
  }

  /** What was seen in the frames that are neither the one acted in nor around it in the same process, which watch for themselves. */
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

/** Nothing is done from now on, unless an action is under way: what changes in frames is their own doing. */
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
    // The frame has no document now, so nothing is to be seen in it.
    return undefined;
  }
}

function nothingSeen(): undefined {
  return undefined;
}
