import type { InjectedProgram, OwnerPoint, Point } from '../contract.ts';
import { coverPhrase } from '../describe.ts';
import { frameElementOf } from '../frames.ts';
import { pointInOwner } from './frame-geometry.ts';
import { insideViewport } from './geometry.ts';
import { elementAtPoint } from './hit-target.ts';
import { shownPart } from './shown-part.ts';

/** The program of another frame, as this world sees it. */
interface ProgramWindow {
  readonly chauffeur?: InjectedProgram;
}

/** The frame element this document is in and the program of the document around it, when both are within reach. */
export interface LocalParent {
  readonly frameElement: Element;
  readonly program: InjectedProgram;
}

/** The parent document's side, null at the top, across origins, and where the program is not running. */
export function localParent(): LocalParent | null {
  const { frameElement } = window;
  if (!frameElement) return null;
  const { chauffeur } = parent as unknown as ProgramWindow;
  return chauffeur ? { frameElement, program: chauffeur } : null;
}

/** Carries a point of this viewport up through same-origin parents; each checks that its frame element receives it. */
export function throughParents(point: Point, mustReceive: boolean): OwnerPoint {
  const above = localParent();
  if (!above) return { kind: 'ready', trail: [point] };
  const answer = above.program.throughFrame(above.frameElement, point, mustReceive);
  return answer.kind === 'ready' ? { ...answer, trail: [point, ...answer.trail] } : answer;
}

/** Carries a point from a child frame's viewport into this one, and on through same-origin parents. */
export function throughFrame(frameElement: object, point: Point, mustReceive = true): OwnerPoint {
  // The child's program passes an element of this document; only its type is lost on the way.
  const element = frameElement as Element;
  const here = pointInOwner(element, point);
  const spot = { ...here, width: 1, height: 1 };
  if (!(mustReceive ? insideViewport(spot) : shownPart(element, spot)))
    return { kind: 'blocked', reason: 'off-screen' };
  const hit = mustReceive ? elementAtPoint(here) : element;
  if (hit !== element) return { kind: 'blocked', reason: 'covered', ...(hit && { cover: coverPhrase(hit) }) };
  return throughParents(here, mustReceive);
}

/** Carries a point in for a child that could not reach this document, scrolling its frame into view if it has to. */
export function mapToParent(frameId: string, point: Point, mustReceive = true): OwnerPoint {
  const element = frameElementOf(frameId);
  return element ? throughScrolledFrame(element, point, mustReceive) : { kind: 'none' };
}

/** `throughFrame`, with the frame scrolled into view if it has to be. */
export function throughScrolledFrame(element: Element, point: Point, mustReceive: boolean): OwnerPoint {
  const inPlace = throughFrame(element, point, mustReceive);
  if (inPlace.kind === 'ready') return inPlace;
  scrollToPoint(element, point);
  return throughFrame(element, point, mustReceive);
}

// A frame may be larger than the viewport, so the point itself is brought to the middle after its frame.
function scrollToPoint(frameElement: Element, point: Point): void {
  frameElement.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y } = pointInOwner(frameElement, point);
  if (!insideViewport({ x, y, width: 1, height: 1 }))
    scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
}
