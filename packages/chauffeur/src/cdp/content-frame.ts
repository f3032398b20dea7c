import type { FrameNode } from './frame-node.ts';
import type { PageTarget } from './page-target.ts';
import type { World } from './world.ts';

/**
 * The frame that an element of a world's document holds: by the id that the document knows, else, when the frame
 * is too new for that, by asking the browser. Undefined when the element holds none.
 */
export async function contentFrame(page: PageTarget, world: World, held: { readonly ref: number; readonly frameId: string }): Promise<FrameNode | undefined> {
  const known = page.frames.frame(held.frameId);
  if (known) return known;
  const element = await world.callForHandle('element', { ref: held.ref });
  if (!element) return undefined;
  const { node } = await world.session.send('DOM.describeNode', { objectId: element.objectId });
  return node.frameId === undefined ? undefined : page.frames.frame(node.frameId);
}
