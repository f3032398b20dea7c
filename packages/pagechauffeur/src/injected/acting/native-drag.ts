import type { Point, UnderDrag } from '../contract.ts';

/** What is held over a spot comes this near to it, in CSS pixels: the browser tells whole ones, also of frames that are turned or zoomed. */
const NEAR = 3;

let lastStart: Event | null = null;
let lastOver: DragEvent | null = null;
let dropPoint: Point | null = null;
let hasScrolled = false;

/** Notes from now on when the browser itself begins to drag something in this document. */
export function watchDrags(): void {
  addEventListener('dragstart', note, true);
  addEventListener('dragover', noteOver, true);
  for (const type of ['dragend', 'mousedown', 'mouseup']) addEventListener(type, forget, true);
}

/** Whether the browser drags something out of this document now: a draggable element, a link, a selection. */
export function isDragging(): boolean {
  return lastStart !== null && !lastStart.defaultPrevented;
}

/** Whether the document takes what was dragged over it last. */
export function takesDrop(): boolean {
  return lastOver?.defaultPrevented ?? false;
}

/** Takes note of where something is to be dropped, in this viewport. */
export function aimDrop(point: Point): void {
  dropPoint = point;
}

/** What has come to the document since this was asked last; nothing when it is asked first. */
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

// On a busy machine what was held over the way there may come when the pointer is far beyond.
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
