import type { FrameNode } from '../cdp/frame-node.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverEvalError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { runScript, type UserScript } from './run-script.ts';

/** A frame on its way from one document to the next, or from one process to another, is without one for less than this. */
const NO_DOCUMENT_MS = 5000;

/** Runs a user's script in a frame; rejects when the frame has left the page or stays without a document. */
export async function evaluateInFrame(progress: Progress, frame: FrameNode, script: UserScript): Promise<unknown> {
  if (frame.isDetached) throw detached(frame);
  try {
    await progress.race(documentOf(frame));
    return await runScript(progress, frame, script);
  } catch (error) {
    const isGone = error instanceof DocumentGoneError || error instanceof DriverEvalError;
    if (isGone && frame.isDetached) throw detached(frame, error);
    throw error;
  }
}

async function documentOf(frame: FrameNode): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new DriverIframeError(`The frame ${frame.url || frame.id} has no document. Wait until it has loaded.`));
  }, NO_DOCUMENT_MS);
  try {
    await Promise.race([frame.worlds.main, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function detached(frame: FrameNode, cause?: unknown): DriverIframeError {
  return new DriverIframeError(`The frame ${frame.url || frame.id} has left the page.`, { cause });
}
