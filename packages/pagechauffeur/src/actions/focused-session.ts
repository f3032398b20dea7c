import type { FrameNode } from '../cdp/frame-node.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Session } from '../cdp/session.ts';
import type { Progress } from '../util/progress.ts';
import { untilKeysPass } from './input/key-shield.ts';

/** Keys must be sent through the session of the process that has the focused frame. */
export async function focusedSession(progress: Progress, page: PageTarget): Promise<Session> {
  await untilKeysPass(progress, page);
  // Within one process, the browser routes keys to the focused frame.
  if (!hasRemoteFrames(page)) return page.session;
  return (await focusedFrame(progress, page)).session;
}

/** Follows the focus from the main frame into child frames. */
export function focusedFrame(progress: Progress, page: PageTarget): Promise<FrameNode> {
  return onCurrentDocument(progress, async () => {
    let frame: FrameNode = page.frames.main;
    for (let next: FrameNode | undefined = frame; next; next = await progress.race(focusedChild(page, frame)))
      frame = next;
    return frame;
  });
}

export function hasRemoteFrames(page: PageTarget): boolean {
  return page.frames.frames.some(({ session }) => session !== page.session);
}

/** Reads `activeElement`, because focus emulation makes `document.hasFocus()` true in every frame. */
async function focusedChild(page: PageTarget, frame: FrameNode): Promise<FrameNode | undefined> {
  if (frame.children.size === 0) return undefined;
  const world = await frame.worlds.isolated;
  const { result } = await world.callFunction(FOCUSED_FRAME_ELEMENT, [], false);
  if (result.objectId === undefined) return undefined;
  const { node } = await world.session.send('DOM.describeNode', { objectId: result.objectId });
  return node.frameId === undefined ? undefined : page.frames.frame(node.frameId);
}

const FOCUSED_FRAME_ELEMENT = `() => {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active && /^i?frame$/i.test(active.localName) ? active : null;
}`;
