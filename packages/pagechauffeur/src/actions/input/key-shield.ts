import { setImmediate } from 'node:timers/promises';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { AddedScript } from '../../cdp/init-scripts.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { ISOLATED_WORLD_NAME } from '../../cdp/world.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { withTimeout } from '../../util/with-timeout.ts';

/** Time in ms for all frames to respond. Some may hang. */
const ANSWER_TIMEOUT_MS = 1000;

const loweringByPage = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Blocks keys in every document except the one that expects them, because the browser sends keys to whichever element
 * has the focus when they arrive. An init script blocks keys in documents that load later, because a page can add
 * frames at any time.
 */
export class KeyShield {
  readonly #page: PageTarget;
  readonly #token: number;
  readonly #script: Promise<AddedScript>;
  readonly #closingByFrame = new Map<FrameNode, Promise<void>>();

  /** The frame that expects the keys is still being searched, so all frames are blocked at first. */
  constructor(page: PageTarget, token: number) {
    this.#page = page;
    this.#token = token;
    this.#script = page.initScripts.add(`chauffeur.closeToKeys(${token})`, { worldName: ISOLATED_WORLD_NAME });
    this.#script.catch(ignoreRejection);
    void this.#close();
  }

  /** Waits until all frames block keys, including those added before the init script was installed. */
  async raised(progress: Progress): Promise<void> {
    await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.allSettled([this.#script, ...this.#close()])));
    const closed = this.#closingByFrame.size;
    const closing = this.#close();
    if (this.#closingByFrame.size > closed) await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.all(closing)));
  }

  // A page with one frame needs no block: the keys are meant for it.
  #close(): readonly Promise<void>[] {
    const { frames } = this.#page.frames;
    for (const frame of frames.length > 1 ? frames : [])
      if (!this.#closingByFrame.has(frame))
        this.#closingByFrame.set(frame, callInFrame(frame, 'closeToKeys', this.#token));
    return [...this.#closingByFrame.values()];
  }

  /** Ends the block in the background. The next call that sends keys waits for this with {@link untilKeysPass}. */
  lower(): void {
    loweringByPage.set(this.#page, withTimeout(ANSWER_TIMEOUT_MS, this.#open()));
  }

  async #open(): Promise<void> {
    // The caller continues first. If its call timed out, the browser may still be processing keys.
    await setImmediate();
    await this.#page.inputTaken();
    // If the page has closed, its init scripts are gone too.
    await this.#script.then((added) => added.remove()).catch(ignoreRejection);
    await Promise.all(this.#page.frames.frames.map((frame) => callInFrame(frame, 'openToKeys', this.#token)));
  }
}

/** Waits until a {@link KeyShield} of an earlier call has been removed from all frames. */
export async function untilKeysPass(progress: Progress, page: PageTarget): Promise<void> {
  const lowering = loweringByPage.get(page);
  if (!lowering) return;
  await progress.race(lowering);
  if (loweringByPage.get(page) === lowering) loweringByPage.delete(page);
}

/** Ignores a frame without a document: its next document runs the init script. */
async function callInFrame(frame: FrameNode, method: 'closeToKeys' | 'openToKeys', token: number): Promise<void> {
  await frame.worlds.isolated.then((world) => world.call(method, token)).catch(ignoreRejection);
}
