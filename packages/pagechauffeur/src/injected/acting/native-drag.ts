import type { Point, UnderDrag } from '../contract.ts';

/**
 * A `dragover` this near to the drop point, in CSS pixels, counts as there. The browser reports whole pixels, even in rotated or zoomed
 * frames.
 */
const NEAR = 3;

let lastStart: Event | null = null;
let lastOver: DragEvent | null = null;
let dropPoint: Point | null = null;
let hasScrolled = false;

/** Starts to record when the browser begins a native drag in this document. */
export function watchDrags(): void {
  addEventListener('dragstart', note, true);
  addEventListener('dragover', noteOver, true);
  for (const type of ['dragend', 'mousedown', 'mouseup']) addEventListener(type, forget, true);
}

/** True if the browser is dragging something out of this document: a draggable element, a link, a selection. */
export function isDragging(): boolean {
  return lastStart !== null && !lastStart.defaultPrevented;
}

/** True if the document accepted the last `dragover`. */
export function takesDrop(): boolean {
  return lastOver?.defaultPrevented ?? false;
}

/** Sets the drop point, in this viewport. */
export function aimDrop(point: Point): void {
  dropPoint = point;
}

/** Returns what the document received since the previous call. The first call starts to record scroll events. */
export function underDrag(): UnderDrag {
  addEventListener('scroll', noteScroll, true);
  addEventListener('dragover', noteOver, true);
  const answer = { hasScrolled, isReached: lastOver !== null && isAtGoal(lastOver) };
  hasScrolled = false;
  lastOver = null;
  return answer;
}

function noteScroll(): void {
  hasScrolled = true;
}

// On a busy machine, a `dragover` on the way may arrive after the pointer has moved far beyond.
function isAtGoal({ clientX, clientY }: DragEvent): boolean {
  return !dropPoint || (Math.abs(clientX - dropPoint.x) <= NEAR && Math.abs(clientY - dropPoint.y) <= NEAR);
}

function noteOver(event: DragEvent): void {
  if (event.isTrusted) lastOver = event;
}

function note(event: Event): void {
  if (event.isTrusted) lastStart = event;
}

function forget(): void {
  lastStart = null;
}
