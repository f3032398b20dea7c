import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** How long an out-of-process frame may take to answer. Its scripts may loop forever, and that must not hang the page. */
const FRAME_ANSWER_MS = 5000;

const silentWorlds = new WeakSet<World>();

/**
 * Returns the answer of the frame's in-page program, or `undefined` if the frame is silent. A silent frame is not asked again until it has
 * answered. Frames in the page's own process hang together with the page, so they have no timeout of their own.
 */
export async function frameAnswer<T>(
  frame: FrameNode,
  world: World,
  ask: () => Promise<T>,
  timeout: number = FRAME_ANSWER_MS,
): Promise<{ readonly answer: T } | undefined> {
  if (frame.localRoot.parent === null) return { answer: await ask() };
  if (silentWorlds.has(world)) return undefined;
  const asked = ask().then((answer) => ({ answer }));
  const answered = await withTimeout(timeout, asked);
  if (!answered) {
    silentWorlds.add(world);
    const heard = (): boolean => silentWorlds.delete(world);
    asked.then(heard, heard).catch(ignoreRejection);
  }
  return answered;
}
