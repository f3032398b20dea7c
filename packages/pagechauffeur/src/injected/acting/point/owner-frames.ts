import type { InjectedProgram, OwnerPoint, Point } from '../../contract.ts';
import { coverPhrase } from '../../element/describe.ts';
import { frameElementOf } from '../../tree/frames.ts';
import { pointInOwner } from './frame-geometry.ts';
import { insideViewport, shownPart } from './geometry.ts';
import { elementAtPoint } from './hit-target.ts';

/** The injected script is a global in the isolated world of each same-origin frame. */
interface ProgramWindow {
  readonly chauffeur?: InjectedProgram;
}

export interface LocalParent {
  readonly frameElement: Element;
  readonly program: InjectedProgram;
}

/** Returns null in the top frame, across origins, and if the injected script does not run in the parent. */
export function localParent(): LocalParent | null {
  const { frameElement } = window;
  if (!frameElement) return null;
  const { chauffeur } = parent as unknown as ProgramWindow;
  return chauffeur ? { frameElement, program: chauffeur } : null;
}

/** Maps a point through all same-origin parents. With `mustReceive`, each frame element must be the hit target. */
export function mapThroughParents(point: Point, mustReceive: boolean): OwnerPoint {
  const above = localParent();
  if (!above) return { kind: 'ready', trail: [point] };
  const answer = above.program.mapThroughFrame(above.frameElement, point, mustReceive);
  return answer.kind === 'ready' ? { ...answer, trail: [point, ...answer.trail] } : answer;
}

/** Maps a point in a child frame's viewport to this viewport and on through same-origin parents. */
export function mapThroughFrame(frameElement: object, point: Point, mustReceive = true): OwnerPoint {
  // The child passes its own frame element. `instanceof` would fail, because the object is from the child's realm.
  const element = frameElement as Element;
  const mapped = pointInOwner(element, point);
  const spot = { ...mapped, width: 1, height: 1 };
  if (!(mustReceive ? insideViewport(spot) : shownPart(element, spot)))
    return { kind: 'blocked', reason: 'off-screen' };
  const hit = mustReceive ? elementAtPoint(mapped) : element;
  if (hit !== element) return { kind: 'blocked', reason: 'covered', ...(hit && { cover: coverPhrase(hit) }) };
  return mapThroughParents(mapped, mustReceive);
}

/** Maps a point for a child frame that cannot access this document. Scrolls the frame into view if needed. */
export function mapToParent(frameId: string, point: Point, mustReceive = true): OwnerPoint {
  const element = frameElementOf(frameId);
  return element ? scrollAndMapThroughFrame(element, point, mustReceive) : { kind: 'none' };
}

/** Like `mapThroughFrame`, but scrolls the frame into view if needed. */
export function scrollAndMapThroughFrame(element: Element, point: Point, mustReceive: boolean): OwnerPoint {
  const unscrolled = mapThroughFrame(element, point, mustReceive);
  if (unscrolled.kind === 'ready') return unscrolled;
  scrollToPoint(element, point);
  return mapThroughFrame(element, point, mustReceive);
}

// A frame can be larger than the viewport, so scrolling to its center may leave the point outside.
function scrollToPoint(frameElement: Element, point: Point): void {
  frameElement.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y } = pointInOwner(frameElement, point);
  if (!insideViewport({ x, y, width: 1, height: 1 }))
    scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
}
