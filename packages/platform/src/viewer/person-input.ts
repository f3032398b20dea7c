import type { MouseButton, ViewRequest } from '../view/view-wire.ts';

/** Where what a person does goes to. */
interface InputTarget {
  readonly screen: HTMLCanvasElement;
  /** Takes what is typed on a phone, where keys are no keys but text. */
  readonly typing: HTMLTextAreaElement;
  /** Size of the page that is shown, in CSS pixels. */
  readonly size: () => { readonly width: number; readonly height: number };
  /** Whether this person has taken over. */
  readonly isMine: () => boolean;
  readonly send: (request: ViewRequest) => void;
  /** The keyboard goes back to the page around the screen. */
  readonly leave: () => void;
}

const BUTTONS: readonly MouseButton[] = ['left', 'middle', 'right'];
/** A line and a page of a wheel that does not count pixels. */
const WHEEL_PIXELS: readonly number[] = [1, 16, 400];

/** Sends on what a person does on the screen with mouse, wheel, fingers and keys. */
export function takeInput(target: InputTarget): void {
  takeMouse(target);
  takeWheel(target);
  takeTouch(target);
  takeKeys(target);
  takeText(target);
}

function takeMouse(target: InputTarget): void {
  const { screen } = target;
  let moved: MouseEvent | undefined;
  const send = (event: MouseEvent, kind: 'mousePressed' | 'mouseReleased' | 'mouseMoved'): void => {
    const isMove = kind === 'mouseMoved';
    const button: MouseButton = isMove ? 'none' : (BUTTONS[event.button] ?? 'none');
    const clickCount = isMove ? 0 : Math.min(event.detail, 3);
    const { buttons } = event;
    const modifiers = modifiersOf(event);
    target.send({ type: 'mouse', event: kind, ...placeOf(target, event), button, buttons, clickCount, modifiers });
  };
  screen.addEventListener('mousedown', (event) => {
    if (!target.isMine()) return;
    event.preventDefault();
    screen.focus();
    send(event, 'mousePressed');
    // Where it is let go may lie outside.
    addEventListener('mouseup', (end) => send(end, 'mouseReleased'), { once: true });
  });
  // More moves than pictures are of no use.
  screen.addEventListener('mousemove', (event) => {
    if (!target.isMine()) return;
    if (!moved)
      requestAnimationFrame(() => {
        if (moved) send(moved, 'mouseMoved');
        moved = undefined;
      });
    moved = event;
  });
  screen.addEventListener('contextmenu', (event) => target.isMine() && event.preventDefault());
}

function takeWheel(target: InputTarget): void {
  target.screen.addEventListener(
    'wheel',
    (event) => {
      if (!target.isMine()) return;
      event.preventDefault();
      const unit = WHEEL_PIXELS[event.deltaMode] ?? 1;
      const deltas = { deltaX: event.deltaX * unit, deltaY: event.deltaY * unit };
      target.send({ type: 'wheel', ...placeOf(target, event), ...deltas, modifiers: modifiersOf(event) });
    },
    { passive: false },
  );
}

function takeTouch(target: InputTarget): void {
  const kinds = {
    touchstart: 'touchStart',
    touchmove: 'touchMove',
    touchend: 'touchEnd',
    touchcancel: 'touchCancel',
  } as const;
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)[keyof typeof kinds]][])
    target.screen.addEventListener(
      name,
      (event) => {
        if (!target.isMine()) return;
        // No mouse is to be made of it, and the page around does not scroll.
        event.preventDefault();
        const points = [...event.touches].slice(0, 10).map((touch) => ({
          ...placeOf(target, touch),
          id: Math.abs(touch.identifier) % 100,
        }));
        target.send({ type: 'touch', event: kind, points: kind === 'touchEnd' ? [] : points, modifiers: 0 });
      },
      { passive: false },
    );
}

function takeKeys(target: InputTarget): void {
  const take = (event: KeyboardEvent): void => {
    if (!target.isMine() || event.isComposing) return;
    if (isWayOut(event)) {
      event.preventDefault();
      return target.leave();
    }
    event.preventDefault();
    target.send(keyRequest(event));
  };
  target.screen.addEventListener('keydown', take);
  target.screen.addEventListener('keyup', take);
}

/** The keys by which remote desktops are left. */
function isWayOut({ key, ctrlKey, altKey, type }: KeyboardEvent): boolean {
  return type === 'keydown' && key === 'Home' && ctrlKey && altKey;
}

function keyRequest(event: KeyboardEvent): ViewRequest {
  const { key, code, repeat, ctrlKey, metaKey, altKey } = event;
  const isText = key.length === 1 && !metaKey && ctrlKey === altKey;
  return {
    type: 'key',
    event: event.type === 'keydown' ? 'keyDown' : 'keyUp',
    key,
    code,
    // oxlint-disable-next-line typescript/no-deprecated -- pages still read it, and nothing else says it
    keyCode: Math.min(255, event.keyCode),
    text: key === 'Enter' ? '\r' : isText ? key : '',
    modifiers: modifiersOf(event),
    isRepeat: repeat,
  };
}

/** Keyboards on glass tell what they write, not which key was touched. */
function takeText({ typing, send, isMine }: InputTarget): void {
  const press = (key: string, keyCode: number, text = ''): void => {
    for (const event of ['keyDown', 'keyUp'] as const)
      send({
        type: 'key',
        event,
        key,
        code: key,
        keyCode,
        text: event === 'keyDown' ? text : '',
        modifiers: 0,
        isRepeat: false,
      });
  };
  typing.addEventListener('beforeinput', (event) => {
    if (!isMine() || event.isComposing) return;
    event.preventDefault();
    if (event.inputType.startsWith('delete')) press('Backspace', 8);
    else if (event.inputType === 'insertLineBreak' || event.data === '\n') press('Enter', 13, '\r');
    else if (event.data) send({ type: 'text', text: event.data });
  });
  typing.addEventListener('compositionend', ({ data }) => {
    if (isMine() && data) send({ type: 'text', text: data });
    typing.value = '';
  });
}

function placeOf(
  { screen, size }: InputTarget,
  { clientX, clientY }: { clientX: number; clientY: number },
): { x: number; y: number } {
  const box = screen.getBoundingClientRect();
  const { width, height } = size();
  return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height };
}

function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): number {
  return (altKey ? 1 : 0) + (ctrlKey ? 2 : 0) + (metaKey ? 4 : 0) + (shiftKey ? 8 : 0);
}
