import type { Session } from '../../cdp/session.ts';
import type { Point } from '../../injected/contract.ts';

/** A button of the mouse. */
export type MouseButton = 'left' | 'right' | 'middle';

const BUTTON_BIT: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4 };
/** A drag moves in this many steps by default, so that libraries that listen to moves see some. */
const DRAG_STEPS = 5;

/** Moves the mouse to a point of the session's viewport. */
export function moveMouse(session: Session, point: Point, pressed?: MouseButton): Promise<unknown> {
  const { x, y } = point;
  const held = pressed ? { button: pressed, buttons: BUTTON_BIT[pressed] } : {};
  return session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, ...held });
}

/** Moves to a point and clicks there, `clickCount` times in a row; one burst. */
export function clickMouse(
  session: Session,
  point: Point,
  { button = 'left', clickCount = 1 }: { button?: MouseButton; clickCount?: number } = {},
): Promise<unknown>[] {
  const commands = [moveMouse(session, point)];
  for (let count = 1; count <= clickCount; count += 1) {
    const event = { ...point, button, clickCount: count };
    commands.push(
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: BUTTON_BIT[button], ...event }),
    );
    commands.push(session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', buttons: 0, ...event }));
  }
  return commands;
}

/** Presses at one point, moves in steps to another and releases there; `to` is asked once the button is down. */
export async function dragMouse(
  session: Session,
  { from, to, steps = DRAG_STEPS }: { from: Point; to: () => Promise<Point>; steps?: number },
): Promise<void> {
  await moveMouse(session, from);
  await session.send('Input.dispatchMouseEvent', {
    type: 'mousePressed',
    ...from,
    button: 'left',
    buttons: 1,
    clickCount: 1,
  });
  let end = from;
  try {
    end = await to();
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      await moveMouse(session, { x: from.x + (end.x - from.x) * share, y: from.y + (end.y - from.y) * share }, 'left');
    }
  } finally {
    await session.send('Input.dispatchMouseEvent', {
      type: 'mouseReleased',
      ...end,
      button: 'left',
      buttons: 0,
      clickCount: 1,
    });
  }
}

/** Taps at a point as a finger does. */
export function tapTouch(session: Session, { x, y }: Point): Promise<unknown>[] {
  return [
    session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ];
}
