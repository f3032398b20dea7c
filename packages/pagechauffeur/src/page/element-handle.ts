import { MainWorld } from '../cdp/main-world.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverEvalError } from '../errors.ts';
import { isJsonData, sourceOfValue } from '../cdp/user-argument.ts';
import type { RemoteHandle } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import type { FoundElement } from './element-query.ts';
import { functionSource } from './function-source.ts';

/** Calls the user's function in the main world with the element as its first argument. Returns the result by value. */
export async function evaluateOn(
  progress: Progress,
  found: FoundElement,
  { script, argument }: { readonly script: string | ((...args: never[]) => unknown); readonly argument: unknown },
): Promise<unknown> {
  const { session } = found.world;
  const backendNodeId = await backendNodeIdOf(progress, found);
  // Without `executionContextId`, `DOM.resolveNode` returns an object in the main world.
  const { object } = await progress.race(session.send('DOM.resolveNode', { backendNodeId }));
  if (object.objectId === undefined) throw new DocumentGoneError('The element is no longer on the page.');
  const handle = { objectId: object.objectId };
  const source = typeof script === 'string' ? `element => (${script})` : functionSource(script);
  try {
    return await progress.race(
      new MainWorld(session).evaluate(source, argument === undefined ? [] : [argument], handle),
    );
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    throw new DriverEvalError(
      "The element's document was replaced while the script ran. Wait for the navigation first, for example with waitForLoadState().",
      { cause: error },
    );
  } finally {
    session.send('Runtime.releaseObject', handle).catch(ignoreRejection);
  }
}

/** Throws if the argument cannot be sent to a page function. */
export function checkSendable(argument: unknown): void {
  if (argument !== undefined && !isJsonData(argument)) sourceOfValue(argument);
}

export async function backendNodeIdOf(progress: Progress, found: FoundElement): Promise<number> {
  const handle = await handleOf(progress, found);
  const { session } = found.world;
  try {
    const { node } = await progress.race(session.send('DOM.describeNode', { objectId: handle.objectId }));
    return node.backendNodeId;
  } finally {
    session.send('Runtime.releaseObject', { objectId: handle.objectId }).catch(ignoreRejection);
  }
}

async function handleOf(progress: Progress, { world, ref }: FoundElement): Promise<RemoteHandle> {
  const handle = await progress.race(world.callForHandle('element', { ref }));
  if (handle) return handle;
  throw new DocumentGoneError('The element is no longer on the page.');
}
