import type { FrameNode } from '../cdp/frame-node.ts';
import { frameOfElement } from '../cdp/frame-resolver.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Session } from '../cdp/session.ts';
import type { Point } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';

/** The element at a viewport point, and the session for input there. */
export interface PointTarget {
  /** Absolute XPath of the innermost element through frames, or `''`. */
  readonly xpath: string;
  /** The innermost frame at the point. */
  readonly frame: FrameNode;
  /** The point in the viewport of that frame. */
  readonly place: Point;
  /** The session of the frame's process. */
  readonly session: Session;
  /** The point in the viewport of that process. */
  readonly point: Point;
}

/**
 * Finds the element at a point. Input for an out-of-process frame must be sent to its process; if it were sent to the
 * page, the first click after a load would be lost.
 */
export function targetAtPoint(progress: Progress, page: PageTarget, start: Point): Promise<PointTarget> {
  return onCurrentDocument(progress, () => lookUp(progress, page, start));
}

async function lookUp(progress: Progress, page: PageTarget, start: Point): Promise<PointTarget> {
  let frame = page.frames.main;
  let place = start;
  let input = { session: page.session, point: start };
  for (let xpath = ''; ;) {
    const world = await progress.race(frame.worlds.isolated);
    const hit = await progress.race(world.call('describePoint', place));
    if (!hit) return { xpath, frame, place, ...input };
    xpath += hit.element.xpath;
    if (!hit.framePoint) return { xpath, frame, place, ...input };
    const held = { ref: hit.element.ref, frameId: hit.frameId ?? '' };
    const child = await progress.race(frameOfElement(page, world, held));
    if (!child) return { xpath, frame, place, ...input };
    frame = child;
    place = hit.framePoint;
    if (frame.isLocalRoot) input = { session: frame.session, point: place };
  }
}
