let lastStart: Event | null = null;
let lastOver: Event | null = null;

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

function noteOver(event: Event): void {
  if (event.isTrusted) lastOver = event;
}

function note(event: Event): void {
  if (event.isTrusted) lastStart = event;
}

function forget(): void {
  lastStart = null;
}
