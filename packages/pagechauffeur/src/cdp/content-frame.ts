import type { FrameNode } from './frame-node.ts';
import type { PageTarget } from './page-target.ts';
import { DocumentGoneError } from './protocol-error.ts';
import type { World } from './world.ts';
import { ignoreRejection } from '../util/deferred.ts';

/**
 * Returns the frame of a frame element: by the frame id that the document knows or, for a new frame, by asking the
 * browser.
 * Returns `undefined` if the element has no frame.
 * @throws DocumentGoneError if the element or its frame is being added or removed. The caller must find the element
 * again.
 */
export async function contentFrame(
  page: PageTarget,
  world: World,
  held: { readonly ref: number; readonly frameId: string },
): Promise<FrameNode | undefined> {
  const known = page.frames.frame(held.frameId);
  if (known) return known;
  const element = await world.callForHandle('element', { ref: held.ref });
  if (!element) throw new DocumentGoneError('The frame element is no longer on the page.');
  const { node } = await world.session.send('DOM.describeNode', { objectId: element.objectId });
  world.session.send('Runtime.releaseObject', { objectId: element.objectId }).catch(ignoreRejection);
  const frame = node.frameId === undefined ? undefined : page.frames.frame(node.frameId);
  if (frame) return frame;
  const isStillThere = (await world.call('describe', { ref: held.ref })) !== null;
  if (isStillThere && node.frameId === undefined) return undefined;
  throw new DocumentGoneError('The frame is being attached or detached.');
}
