import { ProtocolError } from '../cdp/protocol-error.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { SecretLine, SecretLines } from './secret-lines.ts';

/**
 * Hides each element with a variable value that moved, appeared or disappeared between two measurements, because a
 * screenshot may show the value anywhere in between. `restoreAfterScreenshot` shows the elements again. Returns true if
 * it hid any.
 */
export async function concealMoving(before: SecretLines, after: SecretLines): Promise<boolean> {
  const moving = [...new Map([...before, ...after])].filter(([key]) => !isSameBox(before.get(key), after.get(key)));
  const byElement = new Map(moving.map(([, line]) => [`${line.frame.id} ${line.element}`, line]));
  await Promise.all([...byElement.values()].map(concealElement));
  return moving.length > 0;
}

async function concealElement({ frame, element: backendNodeId }: SecretLine): Promise<void> {
  const world = await frame.worlds.isolated;
  const { session, contextId: executionContextId } = world;
  try {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { objectId = '' } = object;
    await world.call('conceal', { objectId });
    session.send('Runtime.releaseObject', { objectId }).catch(ignoreRejection);
  } catch (error) {
    // The element was removed meanwhile, so the next screenshot does not show it.
    if (!(error instanceof ProtocolError)) throw error;
  }
}

function isSameBox(one: SecretLine | undefined, other: SecretLine | undefined): boolean {
  if (!one || !other) return false;
  const [from, to] = [one.box, other.box];
  return from.x === to.x && from.y === to.y && from.width === to.width && from.height === to.height;
}
