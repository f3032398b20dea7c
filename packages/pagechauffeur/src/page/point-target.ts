import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Session } from '../cdp/session.ts';
import type { Point } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';

/** What is at a point of a page's viewport, and where input for it goes. */
export interface PointTarget {
  /** The absolute XPath of the innermost element, on through frames; `''` when there is none. */
  readonly xpath: string;
  /** The innermost frame there, and the point in its own viewport. */
  readonly frame: FrameNode;
  readonly place: Point;
  /** The process whose frame the point is in, and the point in that frame's viewport. */
  readonly session: Session;
  readonly point: Point;
}

/**
 * Looks up what is at a point. Input for a frame in another process is sent to that process: sent to the page,
 * the first click after a load is lost.
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
    const child = await progress.race(contentFrame(page, world, held));
    if (!child) return { xpath, frame, place, ...input };
    frame = child;
    place = hit.framePoint;
    if (frame.isLocalRoot) input = { session: frame.session, point: place };
  }
}
