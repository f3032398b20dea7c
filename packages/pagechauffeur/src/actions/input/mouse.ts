import type { PageTarget } from '../../cdp/page-target.ts';
import {
  checkMilliseconds,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWholeNumber,
} from '../../util/check-argument.ts';
import type { CallOptions, Progress } from '../../util/progress.ts';
import type { PageSettings } from '../call-limits.ts';
import { actInTurn, type InputWork } from './act-in-turn.ts';
import { heldInput } from './held-input.ts';
import {
  buttonBit,
  clickMouse,
  clickSlowly,
  MOUSE_BUTTONS,
  type MouseButton,
  moveInSteps,
  pressButton,
  releaseButton,
  turnWheel,
} from './mouse-events.ts';
import { pointerReadyAt } from './pointer-route.ts';
import { maskErrorsOf } from '../public-errors.ts';

/** Options of `down` and `up`. */
export interface MouseButtonOptions extends CallOptions {
  /** Default `left`. */
  button?: MouseButton;
  /** Default 1. */
  clickCount?: number;
}

/** Options of `click` and `dblclick`. */
export interface MouseClickOptions extends MouseButtonOptions {
  /** Time in ms between pressing and releasing the button; default 0. */
  delay?: number;
}

/**
 * The mouse of a page. Coordinates are CSS pixels, relative to the viewport.
 *
 * Calls throw a `DriverInvalidArgumentError` for coordinates that are not numbers, a `DriverClosedError` if the page is
 * closed, and a `DriverAbortError` if `signal` is aborted.
 * @example
 * await page.mouse.move(100, 100);
 * await page.mouse.down();
 * await page.mouse.move(200, 150, { steps: 5 });
 * await page.mouse.up();
 */
export class Mouse {
  readonly #page: PageTarget;
  readonly #settings: PageSettings;

  /** @internal */
  constructor(page: PageTarget, settings: PageSettings) {
    this.#page = page;
    this.#settings = settings;
    maskErrorsOf(this, settings);
  }

  /**
   * Moves the mouse to a point in `steps` moves; default 1.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async move(x: number, y: number, options: CallOptions & { steps?: number } = {}): Promise<void> {
    checkPoint(x, y);
    checkOptions(options);
    const { steps = 1 } = options;
    checkWholeNumber('steps', steps, { least: 1 });
    await this.#act('move', options, (progress) => this.#moveTo(progress, { x, y }, steps));
  }

  /**
   * Presses a button at the current position and keeps it down.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async down(options: MouseButtonOptions = {}): Promise<void> {
    await this.#turn('down', options);
  }

  /**
   * Releases a button at the current position.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async up(options: MouseButtonOptions = {}): Promise<void> {
    await this.#turn('up', options);
  }

  /**
   * Moves to a point and clicks there, without checking which element receives the click. The button is down for
   * `delay` ms (default 0).
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.mouse.click(120, 80, { button: 'middle', delay: 50 });
   */
  async click(x: number, y: number, options: MouseClickOptions = {}): Promise<void> {
    await this.#click('click', { x, y }, options);
  }

  /**
   * Moves to a point and clicks there twice.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async dblclick(x: number, y: number, options: MouseClickOptions = {}): Promise<void> {
    checkOptions(options);
    await this.#click('dblclick', { x, y }, { ...options, clickCount: 2 });
  }

  /**
   * Turns the wheel at the current position, by `deltaX` CSS pixels to the right and `deltaY` down.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.mouse.move(300, 300);
   * await page.mouse.wheel(0, 400);
   */
  async wheel(deltaX: number, deltaY: number, options?: CallOptions): Promise<void> {
    checkNumber('deltaX', deltaX);
    checkNumber('deltaY', deltaY);
    await this.#act('wheel', options, async (progress) => {
      const { mouse, modifiers } = heldInput(this.#page);
      await pointerReadyAt(progress, this.#page, mouse);
      await progress.race(turnWheel(this.#page.session, mouse, { deltaX, deltaY, modifiers }));
    });
  }

  async #moveTo(progress: Progress, end: { x: number; y: number }, steps: number): Promise<void> {
    const held = heldInput(this.#page);
    const { mouse: from, buttons, modifiers } = held;
    await pointerReadyAt(progress, this.#page, end);
    held.mouse = end;
    await moveInSteps(progress, this.#page.session, { from, end, steps, buttons, modifiers });
  }

  async #turn(method: 'down' | 'up', options: MouseButtonOptions): Promise<void> {
    const { button, clickCount } = checkedButton(options);
    await this.#act(method, options, (progress) => this.#turnButton(progress, method, { button, clickCount }));
  }

  async #turnButton(
    progress: Progress,
    method: 'down' | 'up',
    { button, clickCount }: ReturnType<typeof checkedButton>,
  ): Promise<void> {
    const held = heldInput(this.#page);
    held.buttons = method === 'down' ? held.buttons | buttonBit(button) : held.buttons & ~buttonBit(button);
    const { mouse, buttons, modifiers } = held;
    const send = method === 'down' ? pressButton : releaseButton;
    await progress.race(send(this.#page.session, { ...mouse, button, buttons, clickCount, modifiers }));
  }

  async #click(method: string, point: { x: number; y: number }, options: MouseClickOptions): Promise<void> {
    checkPoint(point.x, point.y);
    const manner = checkedButton(options);
    const { delay = 0 } = options;
    checkMilliseconds('delay', delay);
    await this.#act(method, options, async (progress) => {
      const held = heldInput(this.#page);
      const { session } = this.#page;
      const { modifiers } = held;
      await pointerReadyAt(progress, this.#page, point);
      held.mouse = point;
      if (delay > 0) return clickSlowly(progress, { ...manner, session, point, delay, modifiers });
      await progress.race(Promise.all(clickMouse(session, point, { ...manner, modifiers })));
    });
  }

  #act(method: string, limits: CallOptions = {}, work: InputWork<void>): Promise<void> {
    checkOptions(limits);
    return actInTurn(`mouse.${method}`, { page: this.#page, settings: this.#settings, limits }, work);
  }
}

export function checkPoint(x: unknown, y: unknown): void {
  checkNumber('x', x);
  checkNumber('y', y);
}

/**
 * Applies the defaults: left button, one click.
 * @throws DriverInvalidArgumentError if an option is invalid.
 */
export function checkedButton(options: MouseButtonOptions): { button: MouseButton; clickCount: number } {
  checkOptions(options);
  const { button = 'left', clickCount = 1 } = options;
  checkOneOf('button', button, MOUSE_BUTTONS);
  checkWholeNumber('clickCount', clickCount, { least: 1 });
  return { button, clickCount };
}
