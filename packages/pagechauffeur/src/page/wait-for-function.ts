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
  /** When to call again: on each animation frame (`raf`, default), or after a number of milliseconds. */
  polling?: 'raf' | number;
}

/** A background page has no animation frames. It is polled with this interval in ms. */
const FRAME_MS = 50;

/** Throws unless `polling` is `raf` or a number of milliseconds. */
export function checkPolling(polling: unknown): asserts polling is 'raf' | number | undefined {
  if (polling === undefined || polling === 'raf') return;
  checkWholeNumber('polling', polling, { least: 1 });
}

/** Runs a user's script repeatedly until it returns a truthy value, and returns that value. */
export async function waitForFunction(
  progress: Progress,
  frame: FrameNode,
  { polling = 'raf', ...userScript }: UserScript & { polling?: 'raf' | number },
): Promise<unknown> {
  if (typeof userScript.script !== 'function') checkString('script', userScript.script);
  progress.log('waiting for the function to return a truthy value');
  for (;;) {
    const answer = await askOnce(progress, frame, userScript);
    if (answer) return answer;
    await untilNextPoll(progress, frame, polling);
  }
}

/** A document that is replaced returns nothing. Ask the next one. */
async function askOnce(progress: Progress, frame: FrameNode, userScript: UserScript): Promise<unknown> {
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
