/** DevTools take the focus some time after their frame has loaded, when they have read what they need. */
const SETTLE_MS = 30_000;

/**
 * Gives the focus back that a frame takes by itself while it loads: what a person types meanwhile is meant for something else.
 * Who goes there with the pointer or by Tab has it. A frame that is inert takes the focus all the same. Gives what ends it.
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
    // While the focus moves, nothing else can move it.
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
