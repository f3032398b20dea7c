let lastStart: Event | null = null;

/** Notes from now on when the browser itself begins to drag something in this document. */
export function watchDrags(): void {
  addEventListener('dragstart', note, true);
  for (const type of ['dragend', 'mousedown', 'mouseup']) addEventListener(type, forget, true);
}

/** Whether the browser drags something out of this document now: a draggable element, a link, a selection. */
export function isDragging(): boolean {
  return lastStart !== null && !lastStart.defaultPrevented;
}

function note(event: Event): void {
  if (event.isTrusted) lastStart = event;
}

function forget(): void {
  lastStart = null;
}
