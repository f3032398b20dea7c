/** Text that the browser inserts once the page's listeners have run. */
interface Flight {
  /** True if the intended element still has the focus. */
  readonly isInPlace: () => boolean;
  readonly onStopped: () => void;
}

let current: (Flight & { readonly event: Event }) | null = null;

/**
 * The browser inserts text into the element that has the focus after the last listener, so a listener of the page can redirect it to
 * another element. This cancels the event as soon as its element loses the focus.
 */
export function followText(event: Event, flight: Flight): void {
  current = { ...flight, event };
  // `document.open()` removes all listeners. Adding one again has no effect if it is still there.
  for (const type of ['blur', 'focus', 'focusin']) addEventListener(type, stopIfElsewhere, true);
  watchOpening();
}

let isOpeningWatched = false;

/**
 * A listener that calls `document.open()` removes the listeners above. The mutation of the tree is reported when it returns, before the
 * text is inserted.
 */
function watchOpening(): void {
  if (isOpeningWatched) return;
  isOpeningWatched = true;
  new MutationObserver(stopIfElsewhere).observe(document, { childList: true });
}

function stopIfElsewhere(): void {
  if (current === null || current.event.eventPhase === Event.NONE || current.isInPlace()) return;
  current.event.preventDefault();
  current.onStopped();
  current = null;
}
