import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Point } from '../injected/contract.ts';
import { checkFlag, checkMilliseconds, checkOneOf, checkOptions, checkWholeNumber } from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { hasRemoteFrames } from '../actions/focused-session.ts';
import { heldInput } from '../actions/input/held-input.ts';
import { dragMouse } from '../actions/input/drag.ts';
import { modifierBits } from '../actions/input/key-events.ts';
import { checkModifiers, type KeyModifier } from '../actions/input/modifier-names.ts';
import { checkedButton, type MouseClickOptions } from '../actions/input/mouse.ts';
import {
  clickMouse,
  clickSlowly,
  MOUSE_BUTTONS,
  type MouseButton,
  moveMouse,
  tapTouch,
  turnWheel,
} from '../actions/input/mouse-events.ts';
import { pointerReadyAt } from '../actions/input/pointer-route.ts';
import { type PointTarget, targetAtPoint } from '../actions/point-target.ts';

/** Options of page methods that act at a point, such as `hover(x, y)`. */
export interface PointOptions extends CallOptions {
  /** Modifier keys held during the action, in addition to those held by `keyboard.down()`. */
  modifiers?: readonly KeyModifier[];
  /** Returns the absolute XPath of the element at the point; default false. */
  returnXpath?: boolean;
}

/** Options of `page.click(x, y)`. */
export interface PointClickOptions extends PointOptions, MouseClickOptions {}

/** Options of `page.dragAndDrop()`. */
export interface PointDragOptions extends PointOptions {
  /** Number of mouse moves; default 5. */
  steps?: number;
  /** Milliseconds between the moves; default 0. */
  delay?: number;
  /** Mouse button; default `left`. */
  button?: MouseButton;
}

export function checkPointOptions(options: PointDragOptions & PointClickOptions): void {
  checkOptions(options);
  const { modifiers, returnXpath, steps, delay, button } = options;
  checkModifiers(modifiers);
  checkFlag('returnXpath', returnXpath);
  if (steps !== undefined) checkWholeNumber('steps', steps, { least: 1 });
  if (delay !== undefined) checkMilliseconds('delay', delay);
  if (button !== undefined) checkOneOf('button', button, MOUSE_BUTTONS);
}

/** `point` is in CSS pixels of the viewport. */
interface AtPoint<Options = PointOptions> {
  readonly point: Point;
  readonly options: Options;
}

export async function clickPoint(
  progress: Progress,
  page: PageTarget,
  { point, options }: AtPoint<PointClickOptions>,
): Promise<string> {
  const manner = { ...checkedButton(options), modifiers: modifiersOf(page, options) };
  const target = await resolvePoint(progress, page, { point, options });
  const { session } = target;
  const { delay = 0 } = options;
  if (delay > 0) await clickSlowly(progress, { ...manner, session, point: target.point, delay });
  else await progress.race(Promise.all(clickMouse(session, target.point, manner)));
  return target.xpath;
}

export async function hoverPoint(progress: Progress, page: PageTarget, { point, options }: AtPoint): Promise<string> {
  const { xpath } = await resolvePoint(progress, page, { point, options });
  await pointerReadyAt(progress, page, point);
  await progress.race(moveMouse(page.session, point, { modifiers: modifiersOf(page, options) }));
  return xpath;
}

export async function scrollPoint(
  progress: Progress,
  page: PageTarget,
  { point, deltaX, deltaY, options }: AtPoint & { readonly deltaX: number; readonly deltaY: number },
): Promise<string> {
  const target = await resolvePoint(progress, page, { point, options });
  const modifiers = modifiersOf(page, options);
  await progress.race(turnWheel(target.session, target.point, { deltaX, deltaY, modifiers }));
  return target.xpath;
}

export async function tapPoint(
  progress: Progress,
  page: PageTarget,
  { point, options, turn }: AtPoint & { readonly turn: Turn },
): Promise<string> {
  const target = await resolvePoint(progress, page, { point, options });
  await pointerReadyAt(progress, page, point);
  const world = await progress.race(target.frame.worlds.isolated);
  // Chromium emulates mouse events after the end of the touch. `tapped` waits for them.
  const tapped = world.call('tapped', turn.owner);
  const touches = tapTouch(target.session, target.point, modifiersOf(page, options));
  await progress.race(Promise.all([tapped, ...touches]));
  return target.xpath;
}

interface PointDrag {
  readonly from: Point;
  readonly via?: readonly Point[];
  readonly to: Point;
  readonly options: PointDragOptions;
}

export async function dragBetween(
  progress: Progress,
  page: PageTarget,
  { from, via, to, options }: PointDrag,
): Promise<[from: string, to: string]> {
  const places = options.returnXpath
    ? await Promise.all([from, to].map((point) => targetAtPoint(progress, page, point)))
    : [];
  const modifiers = modifiersOf(page, options);
  const { steps, delay, button } = options;
  const source = await pointerReadyAt(progress, page, from);
  const { session } = await pointerReadyAt(progress, page, to);
  const goal = { point: to, session };
  const { frame } = source;
  await dragMouse(progress, page, {
    from,
    via,
    frame,
    to: () => Promise.resolve(goal),
    steps,
    delay,
    button,
    modifiers,
  });
  heldInput(page).mouse = to;
  return [places[0]?.xpath ?? '', places[1]?.xpath ?? ''];
}

function modifiersOf(page: PageTarget, { modifiers = [] }: PointOptions): number {
  return heldInput(page).modifiers | modifierBits(modifiers, page.session);
}

async function resolvePoint(
  progress: Progress,
  page: PageTarget,
  { point, options: { returnXpath = false } }: AtPoint,
): Promise<PointTarget> {
  heldInput(page).mouse = point;
  if (!returnXpath && !hasRemoteFrames(page))
    return { xpath: '', frame: page.frames.main, framePoint: point, session: page.session, point };
  const target = await targetAtPoint(progress, page, point);
  return returnXpath ? target : { ...target, xpath: '' };
}
