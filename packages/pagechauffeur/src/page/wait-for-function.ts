import type { FrameNode } from '../cdp/frame-node.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverEvalError } from '../errors.ts';
import { checkString, checkWholeNumber } from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { pause } from '../util/pause.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { runScript, type UserScript } from './run-script.ts';

/** Options of `waitForFunction()`. */
export interface WaitForFunctionOptions extends CallOptions {
  /** `raf` (default) calls the script on each animation frame; a number is an interval in ms. */
  polling?: 'raf' | number;
}

/** Polling interval in ms for a background page, which has no animation frames. */
const FRAME_MS = 50;

export function checkPolling(polling: unknown): asserts polling is 'raf' | number | undefined {
  if (polling === undefined || polling === 'raf') return;
  checkWholeNumber('polling', polling, { least: 1 });
}

export async function waitForFunction(
  progress: Progress,
  frame: FrameNode,
  { polling = 'raf', ...userScript }: UserScript & { polling?: 'raf' | number },
): Promise<unknown> {
  if (typeof userScript.script !== 'function') checkString('script', userScript.script);
  progress.log('waiting for the function to return a truthy value');
  for (;;) {
    const answer = await evaluateOnce(progress, frame, userScript);
    if (answer) return answer;
    await untilNextPoll(progress, frame, polling);
  }
}

/** Returns `undefined` if the document is replaced meanwhile: the next poll runs in the new document. */
async function evaluateOnce(progress: Progress, frame: FrameNode, userScript: UserScript): Promise<unknown> {
  try {
    return await runScript(progress, frame, userScript);
  } catch (error) {
    if (!(error instanceof DriverEvalError && error.cause instanceof DocumentGoneError) || frame.isDetached)
      throw error;
    progress.log('the page navigated; evaluating in the new document');
    return undefined;
  }
}

async function untilNextPoll(progress: Progress, frame: FrameNode, polling: 'raf' | number): Promise<void> {
  if (polling !== 'raf') return pause(progress, polling);
  try {
    const world = await progress.race(frame.worlds.isolated);
    await progress.race(withTimeout(FRAME_MS, world.evaluate(NEXT_FRAME, null)));
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    progress.throwIfEnded();
  }
}

const NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => done()))';
