import type { FrameNode } from './frame-node.ts';
import type { World } from './world.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { withTimeout } from '../util/with-timeout.ts';

/**
 * Timeout in ms for an out-of-process frame. Its scripts can loop forever, which must not block a snapshot of the page.
 */
const FRAME_TIMEOUT_MS = 5000;

/** Time in ms to wait for the document of a child frame. Some frames never get one. */
export const FRAME_DOCUMENT_WAIT_MS = 1000;

const silentWorlds = new WeakSet<World>();

/**
 * Calls the injected script of a frame. Returns `undefined` if the frame does not respond in time. Such a frame is not
 * called again until it has responded. Frames in the page's own process have no timeout, because they hang together
 * with the page.
 */
export async function frameAnswer<T>(
  frame: FrameNode,
  world: World,
  ask: () => Promise<T>,
  timeout: number = FRAME_TIMEOUT_MS,
): Promise<{ readonly answer: T } | undefined> {
  if (frame.localRoot.parent === null) return { answer: await ask() };
  if (silentWorlds.has(world)) return undefined;
  const request = ask().then((answer) => ({ answer }));
  const answered = await withTimeout(timeout, request);
  if (!answered) {
    silentWorlds.add(world);
    const markResponsive = (): boolean => silentWorlds.delete(world);
    request.then(markResponsive, markResponsive).catch(ignoreRejection);
  }
  return answered;
}
