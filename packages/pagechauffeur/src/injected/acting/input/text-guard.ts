import { keepListening } from '../../own-listeners.ts';

/** Text between its event and its insertion. The browser inserts it after the last listener of the page. */
interface Flight {
  /** True if the intended element still has focus. */
  readonly isStillFocused: () => boolean;
  readonly onStopped: () => void;
}

let current: (Flight & { readonly event: Event }) | null = null;

/**
 * Cancels a text event as soon as its element loses focus. Otherwise a listener of the page could redirect the text,
 * because the browser inserts it into the element that has focus after the last listener.
 */
export function followText(event: Event, flight: Flight): void {
  current = { ...flight, event };
  // Repeated for each event, because `document.open()` removes listeners. Adding a listener twice has no effect.
  for (const type of ['blur', 'focus', 'focusin']) addEventListener(type, stopIfElsewhere, true);
  watchOpening();
}

let isOpeningWatched = false;

/**
 * A listener of the page may call `document.open()`, which removes the listeners above. The mutation is delivered when
 * that listener returns, before the text is inserted.
 */
function watchOpening(): void {
  if (isOpeningWatched) return;
  isOpeningWatched = true;
  new MutationObserver(stopIfElsewhere).observe(document, { childList: true });
}

function stopIfElsewhere(): void {
  if (current === null || current.event.eventPhase === Event.NONE || current.isStillFocused()) return;
  // If the page has canceled the event before, it handles the text itself, and the browser inserts nothing.
  if (!current.event.defaultPrevented) {
    current.event.preventDefault();
    current.onStopped();
  }
  current = null;
}

let areRefused = false;

/** Registers listeners that run before those of the page. They have no effect until transfers are blocked. */
export function installTransferGuard(): void {
  keepListening(listenForTransfers);
}

export function refuseTransfers(isOn: boolean): void {
  areRefused = isOn;
  listenForTransfers();
}

// Adding a listener twice has no effect.
function listenForTransfers(): void {
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
