import type { FrameNode } from '../cdp/frame-node.ts';
import type { MainWorld } from '../cdp/main-world.ts';
import { DocumentGoneError, ProtocolError } from '../cdp/protocol-error.ts';
import { type DriverError, DriverEvalError, DriverIframeError } from '../errors.ts';
import { checkString } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import { functionSource } from './function-source.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A user's script: an expression, or a function with at most one argument. */
export interface UserScript {
  readonly script: string | ((argument: never) => unknown);
  readonly argument?: unknown;
}

/**
 * Runs a script in the frame's main world and returns the result by value. Tries again in the next document if the
 * current one was replaced before the script started.
 */
export async function runScript(progress: Progress, frame: FrameNode, userScript: UserScript): Promise<unknown> {
  if (typeof userScript.script !== 'function') checkString('script', userScript.script);
  for (;;) {
    try {
      const world = await progress.race(frame.worlds.main);
      return await progress.race(runIn(world, userScript));
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      progress.throwIfEnded();
      if (frame.isDetached || hasBegun(error)) throw interrupted(error);
    }
  }
}

function runIn(world: MainWorld, { script, argument }: UserScript): Promise<unknown> {
  return typeof script === 'function'
    ? world.evaluate(functionSource(script), [argument])
    : world.evaluate(script, null);
}

/**
 * True if the script may have started. The error `Cannot find … context` means that the world was gone before the
 * command arrived.
 */
function hasBegun({ cause }: DocumentGoneError): boolean {
  return cause !== undefined && !(cause instanceof ProtocolError && /Cannot find .*context/.test(cause.reason));
}

function interrupted(cause: DocumentGoneError): DriverEvalError {
  return new DriverEvalError(
    'The page navigated while the script ran in it. Wait for the navigation first, for example with waitForLoadState().',
    { cause },
  );
}

/** Maximum time in ms that a frame may have no document during a navigation or process swap. */
const NO_DOCUMENT_MS = 5000;
/** Maximum time in ms to wait for the event that explains the loss of a document. */
const FRAME_EVENT_MS = 1000;

/** Like `runScript`, but throws a `DriverIframeError` if the frame is detached or has no document for 5 s. */
export async function evaluateInFrame(
  progress: Progress,
  { page, frame }: { readonly page: PageTarget; readonly frame: FrameNode },
  script: UserScript,
): Promise<unknown> {
  progress.throwIfEnded();
  if (frame.isDetached) throw detached(frame);
  try {
    await progress.race(waitForDocument(frame));
    return await runScript(progress, frame, script);
  } catch (error) {
    if (!isDocumentLoss(error)) throw error;
    await progress.race(untilFrameEvent(page, frame));
    throw frame.isDetached ? detached(frame, error) : error;
  }
}

function isDocumentLoss(error: unknown): error is DriverError {
  return error instanceof DocumentGoneError || (error instanceof Error && error.cause instanceof DocumentGoneError);
}

async function waitForDocument(frame: FrameNode): Promise<void> {
  if ((await withTimeout(NO_DOCUMENT_MS, frame.worlds.main)) === undefined)
    throw new DriverIframeError(`The frame ${frame.url || frame.id} has no document. Wait until it has loaded.`);
}

/**
 * Waits until the frame is detached or navigates. The frame's process may report the loss of the document before the
 * page reports the cause.
 */
async function untilFrameEvent({ frames }: PageTarget, frame: FrameNode): Promise<void> {
  if (frame.isDetached) return;
  using stops = new CleanupStack();
  const { promise, resolve } = Promise.withResolvers<void>();
  const listen = (changed: FrameNode): void => {
    if (changed === frame || frame.isDetached) resolve();
  };
  stops.defer(frames.events.on('detached', listen));
  stops.defer(frames.events.on('navigated', listen));
  await withTimeout(FRAME_EVENT_MS, promise);
}

function detached(frame: FrameNode, cause?: unknown): DriverIframeError {
  return new DriverIframeError(
    `The frame ${frame.url || frame.id} is no longer on the page. Get it again, for example with page.frame().`,
    { cause },
  );
}
