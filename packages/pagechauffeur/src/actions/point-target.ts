import type { FrameNode } from '../cdp/frame-node.ts';
import { frameOfElement } from '../cdp/frame-resolver.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Session } from '../cdp/session.ts';
import type { Point } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';

export interface PointTarget {
  /** Absolute XPath of the innermost element, from the main frame through child frames. `''` if there is none. */
  readonly xpath: string;
  readonly frame: FrameNode;
  /** In the viewport of `frame`. */
  readonly framePoint: Point;
  /** Send input through this session, to `point`. */
  readonly session: Session;
  /** In the viewport of the session's topmost frame. */
  readonly point: Point;
}

/**
 * Finds the innermost element at a point of the page's viewport. For an out-of-process frame, returns the frame's
 * session: through the page's session, the first click after a load would be lost.
 */
export function targetAtPoint(progress: Progress, page: PageTarget, start: Point): Promise<PointTarget> {
  return onCurrentDocument(progress, () => lookUp(progress, page, start));
}

async function lookUp(progress: Progress, page: PageTarget, start: Point): Promise<PointTarget> {
  let frame = page.frames.main;
  let framePoint = start;
  let input = { session: page.session, point: start };
  for (let xpath = ''; ;) {
    const world = await progress.race(frame.worlds.isolated);
    const hit = await progress.race(world.call('describePoint', framePoint));
    if (!hit) return { xpath, frame, framePoint, ...input };
    xpath += hit.element.xpath;
    if (!hit.framePoint) return { xpath, frame, framePoint, ...input };
    const held = { ref: hit.element.ref, frameId: hit.frameId ?? '' };
    const child = await progress.race(frameOfElement(page, world, held));
    if (!child) return { xpath, frame, framePoint, ...input };
    frame = child;
    framePoint = hit.framePoint;
    if (frame.isLocalRoot) input = { session: frame.session, point: framePoint };
  }
}
