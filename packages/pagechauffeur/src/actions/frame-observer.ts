import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { ActionToken, OtherFrameReport, SettleReport } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Maximum number of observed frames. Pages with ads can have hundreds. */
const MAX_FRAMES = 24;
/** Time in ms for a frame's report. Later reports are ignored. */
const ANSWER_TIMEOUT_MS = 1000;
/** Maximum time in ms to wait, before the input, until all frames observe. */
const BEGIN_TIMEOUT_MS = 250;

/** Observes an action's effect in the frames other than its own. Does nothing on a page with one frame. */
export class FrameObserver {
  readonly #owner: ActionToken;
  readonly #watching = new Map<FrameNode, Promise<World | undefined>>();

  /** The action's frame is still being searched, so observation starts in all frames. */
  constructor({ frames: { frames } }: PageTarget, owner: ActionToken) {
    this.#owner = owner;
    if (frames.length === 1) return;
    for (const frame of frames.slice(0, MAX_FRAMES)) this.#watching.set(frame, watch(frame, owner));
  }

  /** Waits at most 250 ms until all frames observe, so that they notice effects of the input. */
  async started(progress: Progress): Promise<void> {
    if (this.#watching.size > 0)
      await progress.race(withTimeout(BEGIN_TIMEOUT_MS, Promise.all(this.#watching.values())));
  }

  /** Leaves out the action's frame and the parents that the settle reports include. */
  async reports(
    progress: Progress,
    acted: FrameNode,
    settled: readonly SettleReport[],
  ): Promise<readonly OtherFrameReport[]> {
    const parents = Math.max(0, ...settled.map(({ includedParents = 0 }) => includedParents));
    const known = new Set([...acted.lineage()].slice(0, 1 + parents));
    const others = [...this.#watching].filter(([frame]) => !known.has(frame) && !frame.isDetached);
    if (others.length === 0) return [];
    const asked = others.map(([, watching]) =>
      watching.then((world) => world?.call('otherFrameEffects', this.#owner.token)).catch(noEffects),
    );
    const answers = Promise.all(asked.map((answer) => withTimeout(ANSWER_TIMEOUT_MS, answer)));
    return (await progress.race(answers)).filter((report) => report !== undefined);
  }
}

/** Lets child frames learn which changes they make without an action. Has no effect during an action. */
export function restFrames({ frames: { frames } }: PageTarget): void {
  for (const { worlds } of frames.slice(1, MAX_FRAMES))
    worlds.isolated.then((world) => world.call('restOtherFrame')).catch(ignoreRejection);
}

async function watch(frame: FrameNode, owner: ActionToken): Promise<World | undefined> {
  try {
    const world = await frame.worlds.isolated;
    await world.call('watchOtherFrame', owner);
    return world;
  } catch {
    // The frame has no document right now, or was removed.
    return undefined;
  }
}

function noEffects(): undefined {
  return undefined;
}
