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
