import type { FrameNode } from '../cdp/frame-node.ts';
import type { MainWorld } from '../cdp/main-world.ts';
import { DocumentGoneError, ProtocolError } from '../cdp/protocol-error.ts';
import { DriverEvalError } from '../errors.ts';
import { checkString } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import { functionSource } from './function-source.ts';

/** A user's script: an expression, or a function with at most one argument. */
export interface UserScript {
  readonly script: string | ((argument: never) => unknown);
  readonly argument?: unknown;
}

/** Runs a user's script in the main world of a frame. Returns the result by value. */
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

/** True if the script may have run. It has not if there was no world when the command arrived. */
function hasBegun({ cause }: DocumentGoneError): boolean {
  return cause !== undefined && !(cause instanceof ProtocolError && /Cannot find .*context/.test(cause.reason));
}

function interrupted(cause: DocumentGoneError): DriverEvalError {
  return new DriverEvalError(
    'The page navigated while the script ran in it. Wait for the navigation first, as by waitForLoadState().',
    { cause },
  );
}
