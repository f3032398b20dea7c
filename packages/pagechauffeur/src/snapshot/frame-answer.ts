import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** How long a frame in another process may take to answer. Its scripts may run without end, which must not hang the page. */
const FRAME_ANSWER_MS = 5000;

const silentWorlds = new WeakSet<World>();

/**
 * The answer of a frame's program; undefined if the frame is silent. A frame that was silent is not waited for again until
 * it has answered. Frames in the page's own process hang with the page, so they have no limit of their own.
 */
export async function frameAnswer<T>(
  frame: FrameNode,
  world: World,
  ask: () => Promise<T>,
  patience: number = FRAME_ANSWER_MS,
): Promise<{ readonly answer: T } | undefined> {
  if (frame.localRoot.parent === null) return { answer: await ask() };
  if (silentWorlds.has(world)) return undefined;
  const asked = ask().then((answer) => ({ answer }));
  const answered = await withTimeout(patience, asked);
  if (!answered) {
    silentWorlds.add(world);
    const heard = (): boolean => silentWorlds.delete(world);
    asked.then(heard, heard).catch(ignoreRejection);
  }
  return answered;
}
