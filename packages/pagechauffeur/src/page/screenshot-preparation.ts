import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError, DriverIframeError } from '../errors.ts';
import type { ScreenshotChanges, PictureFacts } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A frame that has no document after this time in ms is not shown. */
const DOCUMENT_MS = 500;

interface PreparedFrame {
  readonly world: World;
  readonly facts: PictureFacts;
}

/** The documents of a page during a screenshot. */
export class PreparedPage implements Disposable {
  readonly #frames: readonly PreparedFrame[];

  private constructor(frames: readonly PreparedFrame[]) {
    this.#frames = frames;
  }

  /** Prepares the documents of all frames. */
  static async dress(progress: Progress, page: PageTarget, dressing: ScreenshotChanges): Promise<PreparedPage> {
    return new PreparedPage(await prepareFrames(progress, page, dressing));
  }

  /** Device pixels per CSS pixel. */
  get devicePixelRatio(): number {
    return this.#frames[0]?.facts.devicePixelRatio ?? 1;
  }

  [Symbol.dispose](): void {
    for (const { world } of this.#frames) world.call('undress').catch(ignoreRejection);
  }
}

async function prepareFrames(
  progress: Progress,
  page: PageTarget,
  dressing: ScreenshotChanges,
): Promise<PreparedFrame[]> {
  const frames = page.frames.frames.map((frame) => prepareFrame(frame, dressing));
  return (await progress.race(Promise.all(frames))).filter((frame) => frame !== undefined);
}

async function prepareFrame(frame: FrameNode, dressing: ScreenshotChanges): Promise<PreparedFrame | undefined> {
  try {
    const world = await withTimeout(DOCUMENT_MS, frame.worlds.isolated);
    return world && { world, facts: await world.call('dress', dressing) };
  } catch (error) {
    return ignoreGone(error);
  }
}

/** Ignores documents and elements that are gone, because the screenshot does not show them. */
function ignoreGone(error: unknown): undefined {
  if ([DocumentGoneError, DriverIframeError, DriverClosedError].some((kind) => error instanceof kind)) return undefined;
  throw error;
}
