import { keepListening } from '../keep-listening.ts';

let areRefused = false;

/** Registers the listeners before those of the page. They do nothing until transfers are refused. */
export function installTransferGuard(): void {
  keepListening(listen);
}

/** Stops pastes into this document, and drags of its text, until it is called with `false`. */
export function refuseTransfers(isOn: boolean): void {
  areRefused = isOn;
  listen();
}

// Adding a listener that is already there has no effect.
function listen(): void {
  addEventListener('paste', stopPaste, true);
  addEventListener('dragstart', stopTextDrag, true);
}

function stopPaste(event: Event): void {
  if (areRefused && event.isTrusted) stop(event);
}

/** A selection carries a text. A link or an image also carries a URL, and an element that a script drags carries nothing yet. */
function stopTextDrag(event: DragEvent): void {
  if (!areRefused || !event.isTrusted) return;
  const types = event.dataTransfer?.types ?? [];
  if (types.includes('text/plain') && !types.includes('text/uri-list')) stop(event);
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
