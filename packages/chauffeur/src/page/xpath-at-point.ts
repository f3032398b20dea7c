import type { PageTarget } from '../cdp/page-target.ts';
import type { Point } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';

/** The absolute XPath of what is at a point of the page's viewport, on through frames; `''` when nothing is. */
export async function xpathAtPoint(progress: Progress, page: PageTarget, point: Point): Promise<string> {
  let frame = page.frames.main;
  let place = point;
  for (let path = ''; ; ) {
    const world = await progress.race(frame.worlds.isolated);
    const hit = await progress.race(world.call('describePoint', place));
    if (!hit) return path;
    path += hit.element.xpath;
    const child = hit.frameId === undefined ? undefined : page.frames.frame(hit.frameId);
    if (!child || !hit.framePoint) return path;
    frame = child;
    place = hit.framePoint;
  }
}
