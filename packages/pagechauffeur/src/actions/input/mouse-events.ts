import type { Session } from '../../cdp/session.ts';
import type { Point } from '../../injected/contract.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';

/** A mouse button. */
export type MouseButton = 'left' | 'right' | 'middle';

export const MOUSE_BUTTONS: readonly MouseButton[] = ['left', 'right', 'middle'];

const BUTTON_BIT: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4 };

export function buttonBit(button: MouseButton): number {
  return BUTTON_BIT[button];
}

interface HeldWithMouse {
  readonly buttons?: number | undefined;
  readonly modifiers?: number | undefined;
}

/** The point is in the viewport of the session's topmost frame. */
export function moveMouse(
  session: Session,
  { x, y }: Point,
  { buttons = 0, modifiers = 0 }: HeldWithMouse = {},
): Promise<unknown> {
  const button = MOUSE_BUTTONS.find((name) => (buttons & BUTTON_BIT[name]) !== 0);
  return session.send('Input.dispatchMouseEvent', {
    type: 'mouseMoved',
    x,
    y,
    ...(button ? { button, buttons } : {}),
    ...(modifiers === 0 ? {} : { modifiers }),
  });
}

export interface ButtonEvent extends Point {
  readonly button: MouseButton;
  /** Bits of all buttons that are down afterwards. */
  readonly buttons: number;
  /** Position in a series of clicks: 2 for the second click of a double click. */
  readonly clickCount: number;
  readonly modifiers?: number;
}

export function pressButton(session: Session, event: ButtonEvent): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
}

export function releaseButton(session: Session, event: ButtonEvent): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
}

export interface ClickOptions {
  readonly button?: MouseButton | undefined;
  readonly clickCount?: number | undefined;
  readonly modifiers?: number | undefined;
}

/** Moves to the point and clicks `clickCount` times, in one burst. */
export function clickMouse(session: Session, point: Point, manner: ClickOptions = {}): Promise<unknown>[] {
  const { modifiers = 0 } = manner;
  return [moveMouse(session, point, { modifiers }), ...pressesOf(session, point, manner).flatMap((act) => act())];
}

/** Like {@link clickMouse}, with `delay` ms between press and release. */
export async function clickSlowly(
  progress: Progress,
  { session, point, delay, ...manner }: ClickOptions & { session: Session; point: Point; delay: number },
): Promise<void> {
  await progress.race(moveMouse(session, point, { modifiers: manner.modifiers ?? 0 }));
  const acts = pressesOf(session, point, manner);
  for (const [index, act] of acts.entries()) {
    const isRelease = index % 2 === 1;
    // Release the button even if the call times out. Otherwise later mouse moves would drag.
    if (isRelease) await actAfterDelay(progress, delay, act);
    else await progress.race(act());
  }
}

async function actAfterDelay(progress: Progress, delay: number, act: () => Promise<unknown>): Promise<void> {
  try {
    await pause(progress, delay);
  } finally {
    await act();
  }
}

/** Presses and releases in turn, with a click count from 1 to `clickCount`. */
function pressesOf(
  session: Session,
  point: Point,
  { button = 'left', clickCount = 1, modifiers = 0 }: ClickOptions,
): (() => Promise<unknown>)[] {
  return Array.from({ length: clickCount }, (_, index) => {
    const event = { ...point, button, clickCount: index + 1, ...(modifiers === 0 ? {} : { modifiers }) };
    return [
      () => pressButton(session, { ...event, buttons: BUTTON_BIT[button] }),
      () => releaseButton(session, { ...event, buttons: 0 }),
    ];
  }).flat();
}

export async function moveInSteps(
  progress: Progress,
  session: Session,
  {
    from,
    end,
    steps,
    delay = 0,
    ...held
  }: HeldWithMouse & { from: Point; end: Point; steps: number; delay?: number | undefined },
): Promise<void> {
  for (const point of stepsBetween(from, end, steps)) {
    await progress.race(moveMouse(session, point, held));
    await pause(progress, delay);
  }
}

/** Returns points in equal steps, including `end` but not `from`. */
export function stepsBetween(from: Point, end: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const share = (index + 1) / steps;
    return { x: from.x + (end.x - from.x) * share, y: from.y + (end.y - from.y) * share };
  });
}

export function turnWheel(
  session: Session,
  { x, y }: Point,
  { deltaX, deltaY, modifiers = 0 }: { deltaX: number; deltaY: number; modifiers?: number },
): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', {
    type: 'mouseWheel',
    x,
    y,
    deltaX,
    deltaY,
    ...(modifiers === 0 ? {} : { modifiers }),
  });
}

export function tapTouch(session: Session, { x, y }: Point, modifiers = 0): Promise<unknown>[] {
  return [
    session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }], modifiers }),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], modifiers }),
  ];
}
