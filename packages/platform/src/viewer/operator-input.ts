import type { MouseButton, ViewRequest } from '../view/view-wire.ts';
import { modifiersOf } from './operator-keys.ts';

interface InputTarget {
  readonly screen: HTMLCanvasElement;
  /** Viewport size of the page in CSS pixels. */
  readonly size: () => { readonly width: number; readonly height: number };
  /** True if this user is in control. */
  readonly isMine: () => boolean;
  readonly send: (request: ViewRequest) => void;
  /** Focuses the element that receives keyboard input. */
  readonly focus: () => void;
}

const BUTTONS: readonly MouseButton[] = ['left', 'middle', 'right'];
/** Pixels per unit of `deltaMode`: pixels, lines, pages. */
const WHEEL_PIXELS: readonly number[] = [1, 16, 400];

/** Sends mouse, wheel and touch events on the screen to the page. */
export function takeInput(target: InputTarget): void {
  takeMouse(target);
  takeWheel(target);
  takeTouch(target);
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
    target.send({ type: 'mouse', event: kind, ...positionOf(target, event), button, buttons, clickCount, modifiers });
  };
  const pressed = new Set<number>();
  const release = (event: MouseEvent): void => {
    if (!pressed.delete(event.button)) return;
    if (pressed.size === 0) removeEventListener('mouseup', release);
    send(event, 'mouseReleased');
  };
  screen.addEventListener('mousedown', (event) => {
    if (!target.isMine()) return;
    event.preventDefault();
    target.focus();
    send(event, 'mousePressed');
    pressed.add(event.button);
    // The button may be released outside the canvas.
    addEventListener('mouseup', release);
  });
  // Sends at most one move per animation frame.
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

/** Merges wheel events within one animation frame. */
function takeWheel(target: InputTarget): void {
  let turned: { event: WheelEvent; deltaX: number; deltaY: number } | undefined;
  const send = (): void => {
    if (!turned) return;
    const { event, deltaX, deltaY } = turned;
    turned = undefined;
    target.send({ type: 'wheel', ...positionOf(target, event), deltaX, deltaY, modifiers: modifiersOf(event) });
  };
  target.screen.addEventListener(
    'wheel',
    (event) => {
      if (!target.isMine()) return;
      event.preventDefault();
      const unit = WHEEL_PIXELS[event.deltaMode] ?? 1;
      if (!turned) requestAnimationFrame(send);
      const { deltaX = 0, deltaY = 0 } = turned ?? {};
      turned = { event, deltaX: deltaX + event.deltaX * unit, deltaY: deltaY + event.deltaY * unit };
    },
    { passive: false },
  );
}

/** One finger controls the remote page. Two fingers zoom and scroll the dashboard. */
function takeTouch(target: InputTarget): void {
  const { screen } = target;
  let isTouching = false;
  const send = (kind: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', touch?: Touch): void => {
    isTouching = kind === 'touchStart' || kind === 'touchMove';
    const points = touch ? [{ ...positionOf(target, touch), id: 0 }] : [];
    target.send({ type: 'touch', event: kind, points, modifiers: 0 });
  };
  screen.addEventListener('touchstart', ({ touches }) => {
    if (!target.isMine()) return;
    if (touches.length === 1) send('touchStart', touches[0]);
    else if (isTouching) send('touchCancel');
  });
  screen.addEventListener('touchmove', ({ touches }) => isTouching && send('touchMove', touches[0]));
  screen.addEventListener('touchcancel', () => isTouching && send('touchCancel'));
  screen.addEventListener('touchend', (event) => {
    // Prevents emulated mouse events.
    if (target.isMine() && event.cancelable) event.preventDefault();
    if (isTouching) send('touchEnd');
  });
}

function positionOf(
  { screen, size }: InputTarget,
  { clientX, clientY }: { clientX: number; clientY: number },
): { x: number; y: number } {
  const box = screen.getBoundingClientRect();
  const { width, height } = size();
  return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height };
}
