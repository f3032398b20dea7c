/** DevTools take the focus some time after their frame has loaded. */
const SETTLE_MS = 30_000;

/**
 * Returns the focus that a frame takes while it loads, because the user may be typing elsewhere.
 * Pointer and Tab may still focus the frame. `inert` does not prevent a frame from taking the focus. Returns a function
 * that stops this.
 */
export function keepFocusFrom(frame: HTMLIFrameElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const end = (): void => ended.abort();
  let held: EventTarget | null = document.activeElement;
  let isTabbing = false;
  const onOut = (): void => {
    if (document.activeElement === document.body) held = null;
  };
  const onBlur = (): void => {
    if (document.activeElement !== frame) return;
    if (isTabbing || frame.matches(':hover')) end();
    // The focus cannot be moved again while it moves.
    else setTimeout(() => giveBack(frame, held));
  };
  document.addEventListener('focusin', ({ target }) => (held = target), { signal });
  document.addEventListener('focusout', () => setTimeout(onOut), { signal });
  addEventListener('keydown', ({ key }) => (isTabbing = key === 'Tab'), { signal, capture: true });
  addEventListener('keyup', () => (isTabbing = false), { signal, capture: true });
  addEventListener('blur', onBlur, { signal });
  frame.addEventListener('load', () => setTimeout(end, SETTLE_MS), { signal, once: true });
  return end;
}

function giveBack(frame: HTMLIFrameElement, held: EventTarget | null): void {
  if (held instanceof HTMLElement && held !== frame && held !== document.body) held.focus({ preventScroll: true });
  else frame.blur();
}
