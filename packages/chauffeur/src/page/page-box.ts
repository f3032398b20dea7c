import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { Box } from '../injected/contract.ts';

/** The box of an element in the viewport of its page, whatever frame it is in; null when it has none. */
export async function boxInPage(page: PageTarget, world: World, ref: number): Promise<Box | null> {
  const element = await world.callForHandle('element', { ref });
  if (!element) return null;
  const { session } = world;
  try {
    const { model } = await session.send('DOM.getBoxModel', { objectId: element.objectId });
    const box = boxAround(model.border);
    // What the browser tells is relative to the topmost frame of the process.
    const root = page.frames.frames.find((frame) => frame.session === session);
    const { x, y } = root ? await cornerInPage(root) : { x: 0, y: 0 };
    return { ...box, x: box.x + x, y: box.y + y };
  } finally {
    await session.send('Runtime.releaseObject', { objectId: element.objectId });
  }
}

/** Where the content of a process's topmost frame begins in the viewport of the page. */
async function cornerInPage(root: FrameNode): Promise<{ x: number; y: number }> {
  if (!root.parent) return { x: 0, y: 0 };
  const { session, localRoot } = root.parent;
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: root.id });
  const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
  const { x, y } = boxAround(model.content);
  const outer = await cornerInPage(localRoot);
  return { x: x + outer.x, y: y + outer.y };
}

/** The box around a quad, which is x and y of four corners in a row. */
function boxAround(quad: readonly number[]): Box {
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
