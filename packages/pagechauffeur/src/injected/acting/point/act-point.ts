import { interactiveRoles } from '../../aria/role-names.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import type { BlockedReason, Box, OwnerPoint, Point } from '../../contract.ts';
import { coverPhrase } from '../../element/describe.ts';
import { isFocusable } from '../../element/controls.ts';
import { childrenOf, firstChildOf, matches } from '../../native.ts';
import { roleOf } from '../../aria/role.ts';
import { listensToPointer } from '../../snapshot/clickable/listened.ts';
import { scrollingElement } from '../../native-document.ts';
import { boxOf, insideViewport, lineBoxesOf, pointAt, shownPart } from './geometry.ts';
import { elementAtPoint, isInside, reaches } from './hit-target.ts';
import { ownPositionsOf } from '../own-content.ts';
import { colorOf } from '../../snapshot/visibility/painting/color.ts';
import { isDragging } from '../input/native-drag.ts';
import { mapThroughParents } from './owner-frames.ts';

/** The action point of an element in this viewport and in those of its same-origin parents, or why there is none. */
export type ActPoint =
  | (Extract<OwnerPoint, { kind: 'ready' }> & {
      /** True if the element was scrolled into view. The page's scroll listeners run in the next frame. */
      readonly hasScrolled?: boolean;
    })
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string };

export interface PointQuery {
  readonly element: Element;
  /** Offset from the top left corner of the element. If set, no other point is tried. */
  readonly position?: Point | undefined;
  /** If false, the point only has to be visible. Another element may cover it. */
  readonly mustReceive: boolean;
  /** True if the button is down, so that the page's reaction to the drag does not count as an obstacle. */
  readonly isDrop?: boolean;
}

/** Action points to try after the center of a box, as fractions of its width and height. */
const OTHER_POINTS = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
  [0.05, 0.5],
  [0.95, 0.5],
  [0.5, 0.05],
  [0.5, 0.95],
] as const;
/** The centers of this many children are tried last. */
const MAX_CHILDREN = 12;
/**
 * Scroll alignments, in the order in which they are tried. `end` and `start` bring the element out from under sticky
 * bars.
 */
const ALIGNMENTS = ['center', 'end', 'start'] as const;
/**
 * Pause in ms before the element is scrolled again. Some pages set `pointer-events: none` for about 150 ms after each
 * scroll event, so scrolling too early would prolong that. The pause doubles each time, because a busy page receives
 * scroll events late.
 */
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 1600;

/** Elements that scrolling did not uncover, with the `performance.now()` end and the length in ms of their pause. */
const scrollPauses = new WeakMap<Element, { readonly until: number; readonly length: number }>();

/** Searches for a visible point where the element receives events. Scrolls if needed, but never waits. */
export function findActPoint(query: PointQuery): ActPoint {
  return pointOnOwnContent(query) ?? pointOnBox(query);
}

/** Returns null if the middle of the box is as good, or if the content receives no events. */
function pointOnOwnContent({ element, position: requested, mustReceive }: PointQuery): ActPoint | null {
  if (requested || !mustReceive) return null;
  for (const position of ownPositionsOf(element)) {
    const query = { element, position, mustReceive };
    const answer = pointWithoutScrolling(query);
    if (answer.kind === 'ready') return answer;
    if (isScrollingPaused(element)) continue;
    scrollPointIntoView(element, position);
    const after = pointWithoutScrolling(query);
    if (after.kind === 'ready') return { ...after, hasScrolled: true };
  }
  return null;
}

function pointOnBox(query: PointQuery): ActPoint {
  let answer = pointWithoutScrolling(query);
  if (answer.kind === 'blocked' && query.position) {
    if (!isPointInBox(query.element, query.position))
      return { kind: 'blocked', reason: 'point-outside', cover: sizeOf(query.element) };
    scrollPointIntoView(query.element, query.position);
    const after = pointWithoutScrolling(query);
    if (after.kind === 'ready') return { ...after, hasScrolled: true };
  }
  if (answer.kind === 'ready' || (answer.reason !== 'off-screen' && isScrollingPaused(query.element))) return answer;
  for (const block of ALIGNMENTS) {
    scrollIntoView(query.element, block);
    const after = pointWithoutScrolling(query);
    if (after.kind === 'ready') return { ...after, hasScrolled: true };
    if (answer.reason === 'off-screen') answer = after;
  }
  scrollIntoView(query.element, ALIGNMENTS[0]);
  pauseScrolling(query.element);
  return answer;
}

function isPointInBox(element: Element, { x, y }: Point): boolean {
  const { width, height } = boxOf(element);
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

function sizeOf(element: Element): string {
  const { width, height } = boxOf(element);
  return `${Math.round(width)}×${Math.round(height)}`;
}

/** Scrolls a point of an element that may be larger than its scroll containers or the viewport. */
function scrollPointIntoView(element: Element, { x, y }: Point): void {
  const page = scrollingElement();
  for (let node = flatParent(element); node; node = flatParent(node)) {
    const box = boxOf(element);
    const area = node === page ? { x: 0, y: 0, width: innerWidth, height: innerHeight } : boxOf(node);
    const left = distanceInto(box.x + x, area.x, area.width);
    const top = distanceInto(box.y + y, area.y, area.height);
    if (left !== 0 || top !== 0) scrollByPixels(node, { left, top });
  }
}

function scrollByPixels(element: Element, by: { readonly left: number; readonly top: number }): void {
  const scrollBy: (this: Element, options: ScrollToOptions) => void = Element.prototype.scrollBy;
  scrollBy.call(element, { ...by, behavior: 'instant' });
}

/** Returns how far to scroll so that a coordinate outside of a range gets to its middle. */
function distanceInto(value: number, start: number, length: number): number {
  return value > start && value < start + length ? 0 : value - (start + length / 2);
}

/**
 * Returns what covers the element while scrolling to it is paused. Returns null if a point is free, or if scrolling may
 * still help.
 */
export function coverWithoutScrolling(query: PointQuery): Extract<ActPoint, { kind: 'blocked' }> | null {
  const answer = pointWithoutScrolling(query);
  return answer.kind === 'blocked' && answer.reason !== 'off-screen' && isScrollingPaused(query.element)
    ? answer
    : null;
}

function pauseScrolling(element: Element): void {
  const now = performance.now();
  const earlier = scrollPauses.get(element);
  const continues = earlier !== undefined && now - earlier.until < earlier.length;
  const length = continues ? Math.min(earlier.length * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
  scrollPauses.set(element, { until: now + length, length });
}

function isScrollingPaused(element: Element): boolean {
  return performance.now() < (scrollPauses.get(element)?.until ?? 0);
}

function scrollIntoView(element: Element, block: ScrollLogicalPosition): void {
  Element.prototype.scrollIntoView.call(element, { block, inline: 'nearest', behavior: 'instant' });
}

function pointWithoutScrolling(query: PointQuery): ActPoint {
  const { element, mustReceive } = query;
  const avoidsControls = mustReceive && query.position === undefined && handlesClicks(element);
  let blocked: ActPoint = { kind: 'blocked', reason: 'off-screen' };
  let onControl: ActPoint | null = null;
  for (const point of candidatePoints(query)) {
    const answer = (mustReceive && missedAt(point, query)) || mapThroughParents(point, mustReceive);
    if (answer.kind === 'ready' && !(avoidsControls && isOnInnerControl(point, element))) return answer;
    if (answer.kind === 'ready') onControl ??= answer;
    if (answer.kind === 'blocked' && blocked.reason === 'off-screen') blocked = answer;
  }
  return onControl ?? blocked;
}

/**
 * A card or row with its own click handler must be clicked beside its inner controls. In any other container, such as a
 * plain table cell, a click on an inner control is fine.
 */
function handlesClicks(element: Element): boolean {
  return listensToPointer(element) || (isFocusable(element) && !interactiveRoles.has(roleOf(element)));
}

function isOnInnerControl(point: Point, element: Element): boolean {
  for (let node = elementAtPoint(point); node && node !== element; node = flatParent(node))
    if (isFocusable(node)) return true;
  return false;
}

/**
 * Returns null if a click at the point hits the element. If the element has `pointer-events: none`, an ancestor may
 * receive the click.
 */
function missedAt(
  point: Point,
  { element, isDrop = false }: PointQuery,
): Extract<ActPoint, { kind: 'blocked' }> | null {
  const hit = elementAtPoint(point);
  if (hit && reaches(hit, element)) return null;
  if (hit && isInside(element, hit) && getComputedStyle(element).pointerEvents === 'none')
    return isDrop ? null : { kind: 'blocked', reason: 'no-pointer' };
  if (hit && isDrop && !isDragging() && isDragOverlay(hit)) return null;
  return { kind: 'blocked', reason: 'covered', cover: hit ? coverPhrase(hit) : '<nothing>' };
}

/**
 * True for an empty transparent box. Pages lay one over frames and panes while a script handles a drag, and then use the
 * position of the pointer only.
 */
function isDragOverlay(cover: Element): boolean {
  if (firstChildOf(cover) !== null || isFocusable(cover) || matches(cover, DRAWN)) return false;
  const { position, backgroundImage, backgroundColor, opacity } = getComputedStyle(cover);
  const isClear = opacity === '0' || (colorOf(backgroundColor)[3] === 0 && backgroundImage === 'none');
  return isClear && (position === 'absolute' || position === 'fixed');
}

/** Elements that may show something without children or a background. */
const DRAWN = 'audio, canvas, embed, frame, iframe, img, object, svg, video';

function* candidatePoints({ element, position, mustReceive }: PointQuery): Iterable<Point> {
  const box = boxOf(element);
  // The hit test already excludes clipped points, so only the viewport is left to check.
  const partOf = mustReceive ? insideViewport : (one: Box): Box | null => shownPart(element, one);
  if (position) {
    const point = { x: box.x + position.x, y: box.y + position.y };
    if (partOf({ ...point, width: 1, height: 1 })) yield point;
    return;
  }
  const whole = partOf(box);
  if (whole) yield pointAt(whole, 0.5, 0.5);
  const lines = lineBoxesOf(element).map(partOf);
  const visible = [whole, ...lines].filter((part): part is Box => part !== null);
  for (const line of lines) if (line) yield pointAt(line, 0.5, 0.5);
  for (const part of visible) for (const [across, down] of OTHER_POINTS) yield pointAt(part, across, down);
  if (!mustReceive) return;
  // If controls cover most of a row, the center of another cell may be the only point that hits the row itself.
  for (const child of childrenOf(element).slice(0, MAX_CHILDREN)) {
    const part = partOf(boxOf(child));
    if (part) yield pointAt(part, 0.5, 0.5);
  }
}
