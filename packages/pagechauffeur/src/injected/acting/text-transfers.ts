import { keepListening } from '../keep-listening.ts';

let areRefused = false;

/** Registers the listeners before those of the page. They have no effect until transfers are blocked. */
export function installTransferGuard(): void {
  keepListening(listen);
}

/** Blocks pastes into this document and drags of its text until it is called with `false`. */
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
 * Stops drags of selected text, which have only text data. A dragged link or image also has a URL, and an element that
 * a script drags has no data yet.
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
