/** DevTools takes the focus some time after its frame has loaded. */
const SETTLE_MS = 30_000;

/**
 * Moves the focus back when a loading frame takes it, because the user may be typing elsewhere. A click in the frame or
 * the Tab key may still focus it. `inert` does not keep a frame from taking the focus. Returns a function that stops
 * this.
 */
export function keepFocusFrom(frame: HTMLIFrameElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const end = (): void => ended.abort();
  let held: EventTarget | null = document.activeElement;
  let isTabbing = false;
  const onFocusOut = (): void => {
    if (document.activeElement === document.body) held = null;
  };
  const onBlur = (): void => {
    if (document.activeElement !== frame) return;
    if (isTabbing || frame.matches(':hover')) end();
    // During `blur`, the focus cannot be moved again.
    else setTimeout(() => restoreFocus(frame, held));
  };
  document.addEventListener('focusin', ({ target }) => (held = target), { signal });
  document.addEventListener('focusout', () => setTimeout(onFocusOut), { signal });
  addEventListener('keydown', ({ key }) => (isTabbing = key === 'Tab'), { signal, capture: true });
  addEventListener('keyup', () => (isTabbing = false), { signal, capture: true });
  addEventListener('blur', onBlur, { signal });
  frame.addEventListener('load', () => setTimeout(end, SETTLE_MS), { signal, once: true });
  return end;
}

function restoreFocus(frame: HTMLIFrameElement, held: EventTarget | null): void {
  if (held instanceof HTMLElement && held !== frame && held !== document.body) held.focus({ preventScroll: true });
  else frame.blur();
}
