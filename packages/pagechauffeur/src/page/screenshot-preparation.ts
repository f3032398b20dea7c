import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError, DriverIframeError } from '../errors.ts';
import type { ScreenshotChanges, DocumentMetrics } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Frames without a document after this time in ms are skipped. */
const DOCUMENT_MS = 500;

/**
 * Chromium takes about 30 µs per element to report the painted text. Above these limits, the variable values to mask
 * are searched in the DOM only.
 */
const LARGE = { elements: 5000, characters: 300_000 };

export interface PreparedFrame {
  readonly frame: FrameNode;
  readonly world: World;
  readonly facts: DocumentMetrics;
}

/** A page whose frames are styled for a screenshot. Disposing it removes the styles. */
export class PreparedPage implements Disposable {
  readonly frames: readonly PreparedFrame[];

  private constructor(frames: readonly PreparedFrame[]) {
    this.frames = frames;
  }

  static async create(progress: Progress, page: PageTarget, changes: ScreenshotChanges): Promise<PreparedPage> {
    return new PreparedPage(await prepareFrames(progress, page, changes));
  }

  get devicePixelRatio(): number {
    return this.frames[0]?.facts.devicePixelRatio ?? 1;
  }

  /** True if reading the painted text of all frames would take too long. */
  get isLarge(): boolean {
    const sum = (of: (facts: DocumentMetrics) => number): number =>
      this.frames.reduce((total, { facts }) => total + of(facts), 0);
    return sum(({ elements }) => elements) > LARGE.elements || sum(({ characters }) => characters) > LARGE.characters;
  }

  [Symbol.dispose](): void {
    for (const { world } of this.frames) world.call('restoreAfterScreenshot').catch(ignoreRejection);
  }
}

async function prepareFrames(
  progress: Progress,
  page: PageTarget,
  changes: ScreenshotChanges,
): Promise<PreparedFrame[]> {
  const frames = page.frames.frames.map((frame) => prepareFrame(frame, changes));
  return (await progress.race(Promise.all(frames))).filter((frame) => frame !== undefined);
}

async function prepareFrame(frame: FrameNode, changes: ScreenshotChanges): Promise<PreparedFrame | undefined> {
  try {
    const world = await withTimeout(DOCUMENT_MS, frame.worlds.isolated);
    return world && { frame, world, facts: await world.call('prepareScreenshot', changes) };
  } catch (error) {
    return ignoreGone(error);
  }
}

/** A frame whose document no longer exists needs no preparation. */
function ignoreGone(error: unknown): undefined {
  if ([DocumentGoneError, DriverIframeError, DriverClosedError].some((kind) => error instanceof kind)) return undefined;
  throw error;
}
