import type { BlockedReason, Box, OwnerPoint, Point } from '../contract.ts';
import { coverPhrase } from '../describe.ts';
import { boxOf, insideViewport, lineBoxesOf, pointAt } from './geometry.ts';
import { elementAtPoint, isInside, reaches } from './hit-target.ts';
import { throughParents } from './owner-frames.ts';
import { shownPart } from './shown-part.ts';

/** A place to act at, also seen from the local root, or why there is none. */
export type ActPoint =
  | (Extract<OwnerPoint, { kind: 'ready' }> & {
      /** It had to be scrolled into view; what the page does about that comes with the next frame. */
      readonly hasScrolled?: boolean;
    })
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string };

/** What to look for. */
export interface PointQuery {
  readonly element: Element;
  /** Offset from the element's top left corner, when the caller wants that place and no other. */
  readonly position?: Point | undefined;
  /** Whether the element must receive what happens at the point. */
  readonly mustReceive: boolean;
}

/** Places to try in a box after its centre, as fractions of its width and height. */
const OTHER_PLACES = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
  [0.05, 0.5],
  [0.95, 0.5],
  [0.5, 0.05],
  [0.5, 0.95],
] as const;
/** Where the element goes when it is scrolled into view; the later ones get it out from under sticky bars. */
const ALIGNMENTS = ['center', 'end', 'start'] as const;
/**
 * Pages that take no pointer while they are scrolled do so again some 150 ms after they have heard of the last of it, if they are let;
 * a busy one hears of it late, so each rest is twice as long as the one before.
 */
const FIRST_REST_MS = 400;
const LONGEST_REST_MS = 1600;

/** Until when elements that were scrolled about in vain are left where they are, and for how long that was. */
const rests = new WeakMap<Element, { readonly until: number; readonly length: number }>();

/** Finds a visible point of an element that would receive an event, scrolling if it has to. Nothing here waits. */
export function findActPoint(query: PointQuery): ActPoint {
  let answer = pointInPlace(query);
  if (answer.kind === 'ready' || (answer.reason !== 'off-screen' && isResting(query.element))) return answer;
  for (const block of ALIGNMENTS) {
    scrollIntoView(query.element, block);
    const after = pointInPlace(query);
    if (after.kind === 'ready') return { ...after, hasScrolled: true };
    if (answer.reason === 'off-screen') answer = after;
  }
  scrollIntoView(query.element, ALIGNMENTS[0]);
  rest(query.element);
  return answer;
}

/** What covers an element where it is, when scrolling would not help: nothing when it is in the open or it is worth scrolling. */
export function coverInPlace(query: PointQuery): Extract<ActPoint, { kind: 'blocked' }> | null {
  const answer = pointInPlace(query);
  return answer.kind === 'blocked' && answer.reason !== 'off-screen' && isResting(query.element) ? answer : null;
}

/** Leaves an element that was scrolled about in vain where it is for a while. */
function rest(element: Element): void {
  const now = performance.now();
  const earlier = rests.get(element);
  const goesOn = earlier !== undefined && now - earlier.until < earlier.length;
  const length = goesOn ? Math.min(earlier.length * 2, LONGEST_REST_MS) : FIRST_REST_MS;
  rests.set(element, { until: now + length, length });
}

function isResting(element: Element): boolean {
  return performance.now() < (rests.get(element)?.until ?? 0);
}

/** Scrolls an element into every viewport and scroller around it, at once. */
function scrollIntoView(element: Element, block: ScrollLogicalPosition): void {
  Element.prototype.scrollIntoView.call(element, { block, inline: 'nearest', behavior: 'instant' });
}

function pointInPlace(query: PointQuery): ActPoint {
  let blocked: ActPoint = { kind: 'blocked', reason: 'off-screen' };
  for (const point of candidatePoints(query)) {
    const answer = (query.mustReceive && missedAt(point, query.element)) || throughParents(point, query.mustReceive);
    if (answer.kind === 'ready') return answer;
    if (answer.kind === 'blocked' && blocked.reason === 'off-screen') blocked = answer;
  }
  return blocked;
}

/** Why the element does not receive what happens at a point; null when it does. What takes no pointer lets it through to what is around it. */
function missedAt(point: Point, element: Element): Extract<ActPoint, { kind: 'blocked' }> | null {
  const hit = elementAtPoint(point);
  if (hit && reaches(hit, element)) return null;
  if (hit && isInside(element, hit) && getComputedStyle(element).pointerEvents === 'none')
    return { kind: 'blocked', reason: 'no-pointer' };
  return { kind: 'blocked', reason: 'covered', cover: hit ? coverPhrase(hit) : '<nothing>' };
}

function* candidatePoints({ element, position, mustReceive }: PointQuery): Iterable<Point> {
  const box = boxOf(element);
  // What is hit at a point is shown there.
  const partOf = mustReceive ? insideViewport : (one: Box): Box | null => shownPart(element, one);
  if (position) {
    const point = { x: box.x + position.x, y: box.y + position.y };
    if (partOf({ ...point, width: 1, height: 1 })) yield point;
    return;
  }
  const whole = partOf(box);
  // As a rule this is the one.
  if (whole) yield pointAt(whole, 0.5, 0.5);
  const lines = lineBoxesOf(element).map(partOf);
  const visible = [whole, ...lines].filter((part): part is Box => part !== null);
  for (const line of lines) if (line) yield pointAt(line, 0.5, 0.5);
  for (const part of visible) for (const [across, down] of OTHER_PLACES) yield pointAt(part, across, down);
}
