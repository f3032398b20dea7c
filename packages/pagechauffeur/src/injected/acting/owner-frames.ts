import type { InjectedProgram, OwnerPoint, Point } from '../contract.ts';
import { coverPhrase } from '../describe.ts';
import { frameElementOf } from '../frames.ts';
import { pointInOwner } from './frame-geometry.ts';
import { insideViewport } from './geometry.ts';
import { elementAtPoint } from './hit-target.ts';
import { shownPart } from './shown-part.ts';

/** The window of another frame, as seen from this world. */
interface ProgramWindow {
  readonly chauffeur?: InjectedProgram;
}

/** The frame element of this document and the program of the parent document, if both are accessible. */
export interface LocalParent {
  readonly frameElement: Element;
  readonly program: InjectedProgram;
}

/** Returns the parent document's side; null at the top, across origins, and where the program does not run. */
export function localParent(): LocalParent | null {
  const { frameElement } = window;
  if (!frameElement) return null;
  const { chauffeur } = parent as unknown as ProgramWindow;
  return chauffeur ? { frameElement, program: chauffeur } : null;
}

/** Maps a point of this viewport up through same-origin parents. Each parent checks that its frame element is hit. */
export function throughParents(point: Point, mustReceive: boolean): OwnerPoint {
  const above = localParent();
  if (!above) return { kind: 'ready', trail: [point] };
  const answer = above.program.throughFrame(above.frameElement, point, mustReceive);
  return answer.kind === 'ready' ? { ...answer, trail: [point, ...answer.trail] } : answer;
}

/** Maps a point of a child frame's viewport into this one and on through same-origin parents. */
export function throughFrame(frameElement: object, point: Point, mustReceive = true): OwnerPoint {
  // The child's program passes an element of this document. Only its type is lost between the frames.
  const element = frameElement as Element;
  const here = pointInOwner(element, point);
  const spot = { ...here, width: 1, height: 1 };
  if (!(mustReceive ? insideViewport(spot) : shownPart(element, spot)))
    return { kind: 'blocked', reason: 'off-screen' };
  const hit = mustReceive ? elementAtPoint(here) : element;
  if (hit !== element) return { kind: 'blocked', reason: 'covered', ...(hit && { cover: coverPhrase(hit) }) };
  return throughParents(here, mustReceive);
}

/** Maps a point for a child that cannot access this document. Scrolls its frame into view if needed. */
export function mapToParent(frameId: string, point: Point, mustReceive = true): OwnerPoint {
  const element = frameElementOf(frameId);
  return element ? throughScrolledFrame(element, point, mustReceive) : { kind: 'none' };
}

/** `throughFrame`, which scrolls the frame into view if needed. */
export function throughScrolledFrame(element: Element, point: Point, mustReceive: boolean): OwnerPoint {
  const inPlace = throughFrame(element, point, mustReceive);
  if (inPlace.kind === 'ready') return inPlace;
  scrollToPoint(element, point);
  return throughFrame(element, point, mustReceive);
}

// A frame may be larger than the viewport, so the point is scrolled to the centre after its frame.
function scrollToPoint(frameElement: Element, point: Point): void {
  frameElement.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y } = pointInOwner(frameElement, point);
  if (!insideViewport({ x, y, width: 1, height: 1 }))
    scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
}
