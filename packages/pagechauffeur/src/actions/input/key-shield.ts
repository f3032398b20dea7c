import { setImmediate } from 'node:timers/promises';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { AddedScript } from '../../cdp/init-scripts.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { ISOLATED_WORLD_NAME } from '../../cdp/world.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Progress } from '../../util/progress.ts';
import { withTimeout } from '../../util/with-timeout.ts';

/** A frame that hangs for this many milliseconds is not waited for any longer. */
const ANSWER_TIMEOUT_MS = 1000;

const loweringByPage = new WeakMap<PageTarget, Promise<unknown>>();

/**
 * Keeps keys that are meant for one frame from all others: the browser gives keys to whatever has the focus when they come.
 * Closes every document but the one that awaits the keys, and those that come meanwhile: a page may make frames at any time.
 */
export class KeyShield {
  readonly #page: PageTarget;
  readonly #token: number;
  readonly #script: Promise<AddedScript>;
  readonly #closingByFrame = new Map<FrameNode, Promise<void>>();

  /** Begins to close frames, before it is known for which one the keys are. */
  constructor(page: PageTarget, token: number) {
    this.#page = page;
    this.#token = token;
    this.#script = page.initScripts.add(`chauffeur.closeToKeys(${token})`, { worldName: ISOLATED_WORLD_NAME });
    this.#script.catch(ignoreRejection);
    void this.#close();
  }

  /** Waits until all of them are closed, those too that came before the script was there. */
  async raised(progress: Progress): Promise<void> {
    await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.allSettled([this.#script, ...this.#close()])));
    const closed = this.#closingByFrame.size;
    const closing = this.#close();
    if (this.#closingByFrame.size > closed) await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.all(closing)));
  }

  // A document that is alone on its page is the one that awaits the keys.
  #close(): readonly Promise<void>[] {
    const { frames } = this.#page.frames;
    for (const frame of frames.length > 1 ? frames : [])
      if (!this.#closingByFrame.has(frame)) this.#closingByFrame.set(frame, tell(frame, 'closeToKeys', this.#token));
    return [...this.#closingByFrame.values()];
  }

  /** Nobody waits for that but who presses keys next. */
  lower(): void {
    loweringByPage.set(this.#page, withTimeout(ANSWER_TIMEOUT_MS, this.#open()));
  }

  async #open(): Promise<void> {
    // The caller of the keys continues first. A call that timed out may have keys in flight.
    await setImmediate();
    await this.#page.inputTaken();
    // When the page is gone, so are its scripts.
    await this.#script.then((added) => added.remove()).catch(ignoreRejection);
    await Promise.all(this.#page.frames.frames.map((frame) => tell(frame, 'openToKeys', this.#token)));
  }
}

/** Waits until the frames of a page take keys again that were meant for one of them. */
export async function untilKeysPass(progress: Progress, page: PageTarget): Promise<void> {
  const lowering = loweringByPage.get(page);
  if (!lowering) return;
  await progress.race(lowering);
  if (loweringByPage.get(page) === lowering) loweringByPage.delete(page);
}

/** A frame that has no document now needs not be told: the next one runs the script. */
async function tell(frame: FrameNode, method: 'closeToKeys' | 'openToKeys', token: number): Promise<void> {
  await frame.worlds.isolated.then((world) => world.call(method, token)).catch(ignoreRejection);
}
