/** Text that the browser is about to put in once the page has heard of it. */
interface Flight {
  /** Whether the element that the text is for still has the focus. */
  readonly isInPlace: () => boolean;
  readonly onStopped: () => void;
}

let current: (Flight & { readonly event: Event }) | null = null;

/**
 * The browser puts text into whatever has the focus after the last listener, so a listener of the page can give it to another element.
 * Cancels the event in the moment in which its element loses the focus.
 */
export function followText(event: Event, flight: Flight): void {
  current = { ...flight, event };
  // `document.open()` takes all listeners away; adding one that is there already changes nothing.
  for (const type of ['blur', 'focus', 'focusin']) addEventListener(type, stopIfElsewhere, true);
  watchOpening();
}

let isOpeningWatched = false;

/** A listener that opens the document anew takes those above away. What it does to the tree is told when it returns, before the text is put in. */
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
