import { keepListening } from '../own-listeners.ts';

let areRefused = false;

/** Registers listeners that run before those of the page. They have no effect until transfers are blocked. */
export function installTransferGuard(): void {
  keepListening(listen);
}

export function refuseTransfers(isOn: boolean): void {
  areRefused = isOn;
  listen();
}

// Adding a listener twice has no effect.
function listen(): void {
  addEventListener('paste', stopPaste, true);
  addEventListener('dragstart', stopTextDrag, true);
}

function stopPaste(event: Event): void {
  if (areRefused && event.isTrusted) stop(event);
}

/**
 * Dragged text has only text data. A dragged link or image also has a URL, and an element dragged by a script has no
 * data yet.
 */
function stopTextDrag(event: DragEvent): void {
  if (!areRefused || !event.isTrusted) return;
  const types = event.dataTransfer?.types ?? [];
  if (types.includes('text/plain') && !types.includes('text/uri-list')) stop(event);
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
