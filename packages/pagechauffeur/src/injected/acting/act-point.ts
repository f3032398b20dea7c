import { interactiveRoles } from '../aria/role-names.ts';
import { flatParent } from '../composed-tree.ts';
import type { BlockedReason, Box, OwnerPoint, Point } from '../contract.ts';
import { coverPhrase } from '../describe.ts';
import { isFocusable } from '../focusable.ts';
import { childrenOf } from '../native.ts';
import { roleOf } from '../role.ts';
import { listensToPointer } from '../snapshot/clickable/listened.ts';
import { boxOf, insideViewport, lineBoxesOf, pointAt } from './geometry.ts';
import { elementAtPoint, isInside, reaches } from './hit-target.ts';
import { throughParents } from './owner-frames.ts';
import { shownPart } from './shown-part.ts';

/**
 * A point to act at, in this viewport and those of its ancestors up to the local root, or the reason why there is none.
 */
export type ActPoint =
  | (Extract<OwnerPoint, { kind: 'ready' }> & {
      /** True if the element was scrolled into view. The page handles the scroll event in the next frame. */
      readonly hasScrolled?: boolean;
    })
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string };

export interface PointQuery {
  readonly element: Element;
  /** Offset from the element's top left corner. No other point is tried. */
  readonly position?: Point | undefined;
  /** True if the element must be the hit target at the point. */
  readonly mustReceive: boolean;
}

/** Points to try after the center of a box, as fractions of its width and height. */
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
/** Maximum number of children whose centers are tried last. */
const MOST_CHILDREN = 12;
/** Scroll alignments to try. `end` and `start` bring the element out from under sticky bars. */
const ALIGNMENTS = ['center', 'end', 'start'] as const;
/**
 * Some pages disable pointer events during scrolling and enable them about 150 ms after the last scroll event.
 * Scrolling again during that time extends it. A busy page receives scroll events late, so each pause is twice as long
 * as the one before.
 */
const FIRST_REST_MS = 400;
const LONGEST_REST_MS = 1600;

/**
 * Elements that stayed blocked after scrolling: until when they are not scrolled again, and the length of that pause in
 * ms.
 */
const rests = new WeakMap<Element, { readonly until: number; readonly length: number }>();

/** Returns a visible point where the element receives events. Scrolls if needed; never waits. */
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

/**
 * Returns what blocks the element at its current position while scrolling to it is paused; null if a point is free or
 * scrolling may help.
 */
export function coverInPlace(query: PointQuery): Extract<ActPoint, { kind: 'blocked' }> | null {
  const answer = pointInPlace(query);
  return answer.kind === 'blocked' && answer.reason !== 'off-screen' && isResting(query.element) ? answer : null;
}

/** Pauses scrolling to an element that is still blocked after scrolling. */
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

/** Scrolls the element into view in all its scroll containers, without animation. */
function scrollIntoView(element: Element, block: ScrollLogicalPosition): void {
  Element.prototype.scrollIntoView.call(element, { block, inline: 'nearest', behavior: 'instant' });
}

function pointInPlace(query: PointQuery): ActPoint {
  const { element, mustReceive } = query;
  const avoidsControls = mustReceive && query.position === undefined && reactsItself(element);
  let blocked: ActPoint = { kind: 'blocked', reason: 'off-screen' };
  let onControl: ActPoint | null = null;
  for (const point of candidatePoints(query)) {
    const answer = (mustReceive && missedAt(point, element)) || throughParents(point, mustReceive);
    if (answer.kind === 'ready' && !(avoidsControls && isOnInnerControl(point, element))) return answer;
    if (answer.kind === 'ready') onControl ??= answer;
    if (answer.kind === 'blocked' && blocked.reason === 'off-screen') blocked = answer;
  }
  return onControl ?? blocked;
}

/**
 * True for a card or row that handles clicks itself. In others, such as a plain table cell, the control inside is
 * clicked.
 */
function reactsItself(element: Element): boolean {
  return listensToPointer(element) || (isFocusable(element) && !interactiveRoles.has(roleOf(element)));
}

/** True if a control inside the element is at the point and would receive the click. */
function isOnInnerControl(point: Point, element: Element): boolean {
  for (let node = elementAtPoint(point); node && node !== element; node = flatParent(node))
    if (isFocusable(node)) return true;
  return false;
}

/**
 * Returns why a click at the point misses the element; null if it hits. With `pointer-events: none`, an ancestor
 * receives the click.
 */
function missedAt(point: Point, element: Element): Extract<ActPoint, { kind: 'blocked' }> | null {
  const hit = elementAtPoint(point);
  if (hit && reaches(hit, element)) return null;
  if (hit && isInside(element, hit) && getComputedStyle(element).pointerEvents === 'none')
    return { kind: 'blocked', reason: 'no-pointer' };
  return { kind: 'blocked', reason: 'covered', cover: hit ? coverPhrase(hit) : '<nothing>' };
}

function* candidatePoints({ element, position, mustReceive }: PointQuery): Iterable<Point> {
  const box = boxOf(element);
  // A point that passes the hit test is not clipped, so only the viewport limits it.
  const partOf = mustReceive ? insideViewport : (one: Box): Box | null => shownPart(element, one);
  if (position) {
    const point = { x: box.x + position.x, y: box.y + position.y };
    if (partOf({ ...point, width: 1, height: 1 })) yield point;
    return;
  }
  const whole = partOf(box);
  // The center usually works.
  if (whole) yield pointAt(whole, 0.5, 0.5);
  const lines = lineBoxesOf(element).map(partOf);
  const visible = [whole, ...lines].filter((part): part is Box => part !== null);
  for (const line of lines) if (line) yield pointAt(line, 0.5, 0.5);
  for (const part of visible) for (const [across, down] of OTHER_PLACES) yield pointAt(part, across, down);
  if (!mustReceive) return;
  // In a row full of controls, only a cell without one may be free.
  for (const child of childrenOf(element).slice(0, MOST_CHILDREN)) {
    const part = partOf(boxOf(child));
    if (part) yield pointAt(part, 0.5, 0.5);
  }
}
