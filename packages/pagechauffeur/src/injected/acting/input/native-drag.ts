import type { Point, UnderDrag } from '../../contract.ts';

/**
 * Maximum distance in CSS pixels between a `dragover` event and the drop point. Event coordinates are whole pixels,
 * even in rotated or zoomed frames.
 */
const NEAR = 3;

let lastStart: Event | null = null;
let lastOver: DragEvent | null = null;
let dropPoint: Point | null = null;
let hasScrolled = false;

export function watchDrags(): void {
  addEventListener('dragstart', note, true);
  addEventListener('dragover', noteOver, true);
  for (const type of ['dragend', 'mousedown', 'mouseup']) addEventListener(type, forget, true);
}

export function isDragging(): boolean {
  return lastStart !== null && !lastStart.defaultPrevented;
}

export function takesDrop(): boolean {
  return lastOver?.defaultPrevented ?? false;
}

/** Sets where the drag is to end, in viewport coordinates. */
export function aimDrop(point: Point): void {
  dropPoint = point;
}

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

// On a busy machine, a `dragover` from earlier in the drag may arrive when the pointer is already far away.
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
