import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { type DriverError, DriverIframeError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { runScript, type UserScript } from './run-script.ts';

/** Maximum time in ms that a frame is without a document during a navigation or a process swap. */
const NO_DOCUMENT_MS = 5000;
/** Time in ms for the browser to report what happened to a frame whose document is gone. */
const NEWS_MS = 1000;

/** Runs a user's script in a frame. Rejects if the frame is detached or stays without a document. */
export async function evaluateInFrame(
  progress: Progress,
  { page, frame }: { readonly page: PageTarget; readonly frame: FrameNode },
  script: UserScript,
): Promise<unknown> {
  progress.throwIfEnded();
  if (frame.isDetached) throw detached(frame);
  try {
    await progress.race(documentOf(frame));
    return await runScript(progress, frame, script);
  } catch (error) {
    if (!isDocumentLoss(error)) throw error;
    await progress.race(newsOf(page, frame));
    throw frame.isDetached ? detached(frame, error) : error;
  }
}

function isDocumentLoss(error: unknown): error is DriverError {
  return error instanceof DocumentGoneError || (error instanceof Error && error.cause instanceof DocumentGoneError);
}

/** Waits until the frame has a document. */
async function documentOf(frame: FrameNode): Promise<void> {
  if ((await withTimeout(NO_DOCUMENT_MS, frame.worlds.main)) === undefined)
    throw new DriverIframeError(`The frame ${frame.url || frame.id} has no document. Wait until it has loaded.`);
}

/** A removed frame's process may report that its document is gone before the page reports that the frame is. */
async function newsOf({ frames }: PageTarget, frame: FrameNode): Promise<void> {
  if (frame.isDetached) return;
  using stops = new CleanupStack();
  const { promise, resolve } = Promise.withResolvers<void>();
  const listen = (changed: FrameNode): void => {
    if (changed === frame || frame.isDetached) resolve();
  };
  stops.defer(frames.events.on('detached', listen));
  stops.defer(frames.events.on('navigated', listen));
  await withTimeout(NEWS_MS, promise);
}

function detached(frame: FrameNode, cause?: unknown): DriverIframeError {
  return new DriverIframeError(
    `The frame ${frame.url || frame.id} has left the page. Look it up anew, as by page.frame().`,
    { cause },
  );
}
