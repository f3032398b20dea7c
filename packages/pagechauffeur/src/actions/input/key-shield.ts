import { setImmediate } from 'node:timers/promises';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { AddedScript } from '../../cdp/init-scripts.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { ISOLATED_WORLD_NAME } from '../../cdp/world.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { withTimeout } from '../../util/with-timeout.ts';

/** Time in ms for all frames to respond. A frame that hangs never responds. */
const ANSWER_TIMEOUT_MS = 1000;

const loweringByPage = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Blocks keys in every document except the one that expects them, because the browser sends keys to whichever element
 * has the focus when they arrive. Also blocks documents that load later, because a page can add frames at any time.
 */
export class KeyShield {
  readonly #page: PageTarget;
  readonly #token: number;
  readonly #script: Promise<AddedScript>;
  readonly #closingByFrame = new Map<FrameNode, Promise<void>>();

  /** Starts blocking all frames, because the frame of the keys is not known yet. */
  constructor(page: PageTarget, token: number) {
    this.#page = page;
    this.#token = token;
    this.#script = page.initScripts.add(`chauffeur.closeToKeys(${token})`, { worldName: ISOLATED_WORLD_NAME });
    this.#script.catch(ignoreRejection);
    void this.#close();
  }

  /** Waits until all frames block keys, including frames that were added before the init script was installed. */
  async raised(progress: Progress): Promise<void> {
    await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.allSettled([this.#script, ...this.#close()])));
    const closed = this.#closingByFrame.size;
    const closing = this.#close();
    if (this.#closingByFrame.size > closed) await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.all(closing)));
  }

  // If the page has only one frame, the keys are for this frame, so nothing is blocked.
  #close(): readonly Promise<void>[] {
    const { frames } = this.#page.frames;
    for (const frame of frames.length > 1 ? frames : [])
      if (!this.#closingByFrame.has(frame)) this.#closingByFrame.set(frame, tell(frame, 'closeToKeys', this.#token));
    return [...this.#closingByFrame.values()];
  }

  /** Ends the block without waiting. The next call that presses keys waits for it; see {@link untilKeysPass}. */
  lower(): void {
    loweringByPage.set(this.#page, withTimeout(ANSWER_TIMEOUT_MS, this.#open()));
  }

  async #open(): Promise<void> {
    // Lets the caller of the keys continue first. If that call timed out, the browser may still be processing its keys.
    await setImmediate();
    await this.#page.inputTaken();
    // Fails if the page has closed, which also removes its init scripts.
    await this.#script.then((added) => added.remove()).catch(ignoreRejection);
    await Promise.all(this.#page.frames.frames.map((frame) => tell(frame, 'openToKeys', this.#token)));
  }
}

/** Waits until all frames of a page accept keys again after a {@link KeyShield}. */
export async function untilKeysPass(progress: Progress, page: PageTarget): Promise<void> {
  const lowering = loweringByPage.get(page);
  if (!lowering) return;
  await progress.race(lowering);
  if (loweringByPage.get(page) === lowering) loweringByPage.delete(page);
}

/** Calls a method in a frame. Ignores frames without a document: the next document runs the init script. */
async function tell(frame: FrameNode, method: 'closeToKeys' | 'openToKeys', token: number): Promise<void> {
  await frame.worlds.isolated.then((world) => world.call(method, token)).catch(ignoreRejection);
}
