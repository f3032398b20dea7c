import type { UnderDrag } from '../contract.ts';

let lastStart: Event | null = null;
let lastOver: Event | null = null;
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

/** What has come to the document since this was asked last; nothing when it is asked first. */
export function underDrag(): UnderDrag {
  addEventListener('scroll', noteScroll, true);
  addEventListener('dragover', noteOver, true);
  const answer = { hasScrolled, isReached: lastOver !== null };
  hasScrolled = false;
  lastOver = null;
  return answer;
}

function noteScroll(): void {
  hasScrolled = true;
}

function noteOver(event: Event): void {
  if (event.isTrusted) lastOver = event;
}

function note(event: Event): void {
  if (event.isTrusted) lastStart = event;
}

function forget(): void {
  lastStart = null;
}
