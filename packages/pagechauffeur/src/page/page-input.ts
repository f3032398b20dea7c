import type { PageTarget } from '../cdp/page-target.ts';
import { checkNumber, checkString } from '../util/check-argument.ts';
import type { CallOptions } from '../util/progress.ts';
import type { PageSettings } from '../actions/call-limits.ts';
import { actInTurn, type InputWork } from '../actions/input/act-in-turn.ts';
import { checkKeys } from '../actions/input/key-events.ts';
import { checkKeyOptions, Keyboard, type KeyOptions, pressOn, typeOn } from '../actions/input/keyboard.ts';
import { checkPoint, Mouse } from '../actions/input/mouse.ts';
import type { LocatorClickOptions, LocatorPointerOptions } from './element-actions.ts';
import { PageFrames } from './page-frames.ts';
import {
  checkPointOptions,
  clickPoint,
  dragBetween,
  hoverPoint,
  type PointClickOptions,
  type PointDragOptions,
  type PointOptions,
  scrollPoint,
  tapPoint,
} from './page-pointer.ts';

/** The page methods that send input: at viewport coordinates, to a selector or to the focused element. */
export abstract class PageInput extends PageFrames {
  /** Sends key events to the focused element. */
  readonly keyboard: Keyboard;
  /** Sends mouse events at viewport coordinates in CSS pixels. */
  readonly mouse: Mouse;

  /** @internal */
  constructor(target: PageTarget, settings: PageSettings) {
    super(target, settings);
    this.keyboard = new Keyboard(target, settings);
    this.mouse = new Mouse(target, settings);
  }

  /**
   * Clicks at a point in CSS pixels of the viewport, on whatever element is there. With `returnXpath`, returns the
   * absolute XPath of that element, else `''`.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.click(120, 80, { button: 'right', modifiers: ['Shift'] });
   */
  click(x: number, y: number, options?: PointClickOptions): Promise<string>;
  /**
   * Clicks the first match, like `locator(selector).click()`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, disabled, moving or covered, or the input does not reach
   * it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  click(selector: string, options?: LocatorClickOptions): Promise<void>;
  async click(
    target: number | string,
    second?: number | LocatorClickOptions,
    options: PointClickOptions = {},
  ): Promise<string | void> {
    if (typeof target === 'string') return this.locator(target).click(second as LocatorClickOptions);
    checkPoint(target, second);
    const at = { point: { x: target, y: Number(second) }, options };
    return this.#actAt('click', options, (progress) => clickPoint(progress, this.target, at));
  }

  /**
   * Moves the mouse to a point in CSS pixels of the viewport. With `returnXpath`, returns the absolute XPath of the
   * element at the point, else `''`.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * const xpath = await page.hover(120, 80, { returnXpath: true });
   * await page.locator(`xpath=${xpath}`).click();
   */
  hover(x: number, y: number, options?: PointOptions): Promise<string>;
  /**
   * Moves the mouse over the first match, like `locator(selector).hover()`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, moving or covered, or the input does not reach it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  hover(selector: string, options?: LocatorPointerOptions): Promise<void>;
  async hover(
    target: number | string,
    second?: number | LocatorPointerOptions,
    options: PointOptions = {},
  ): Promise<string | void> {
    if (typeof target === 'string') return this.locator(target).hover(second as LocatorPointerOptions);
    checkPoint(target, second);
    const at = { point: { x: target, y: Number(second) }, options };
    return this.#actAt('hover', options, (progress) => hoverPoint(progress, this.target, at));
  }

  /**
   * Taps with touch events at a point in CSS pixels of the viewport, on whatever element is there. With `returnXpath`,
   * returns the absolute XPath of that element, else `''`.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  tap(x: number, y: number, options?: PointOptions): Promise<string>;
  /**
   * Taps the first match, like `locator(selector).tap()`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, disabled, moving or covered, or the input does not reach
   * it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  tap(selector: string, options?: LocatorPointerOptions): Promise<void>;
  async tap(
    target: number | string,
    second?: number | LocatorPointerOptions,
    options: PointOptions = {},
  ): Promise<string | void> {
    if (typeof target === 'string') return this.locator(target).tap(second as LocatorPointerOptions);
    checkPoint(target, second);
    const at = { point: { x: target, y: Number(second) }, options };
    return this.#actAt('tap', options, (progress, turn) => tapPoint(progress, this.target, { ...at, turn }));
  }

  /**
   * Turns the mouse wheel at the point (`x`, `y`): `deltaX` pixels to the right and `deltaY` pixels down. With
   * `returnXpath`, returns the absolute XPath of the element at the point, else `''`.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.scroll(200, 300, 0, 400);
   */
  async scroll(
    ...[x, y, deltaX, deltaY, options = {}]: [
      x: number,
      y: number,
      deltaX: number,
      deltaY: number,
      options?: PointOptions,
    ]
  ): Promise<string> {
    checkPoint(x, y);
    checkNumber('deltaX', deltaX);
    checkNumber('deltaY', deltaY);
    const turned = { point: { x, y }, deltaX, deltaY, options };
    return this.#actAt('scroll', options, (progress) => scrollPoint(progress, this.target, turned));
  }

  /**
   * Drags from one point to another in `steps` mouse moves (default 5). With `returnXpath`, returns the absolute XPaths
   * of the elements at both points, else `['', '']`.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.dragAndDrop(40, 40, 300, 200, { steps: 10, delay: 50 });
   */
  async dragAndDrop(
    ...[fromX, fromY, toX, toY, options = {}]: [
      fromX: number,
      fromY: number,
      toX: number,
      toY: number,
      options?: PointDragOptions,
    ]
  ): Promise<[from: string, to: string]> {
    for (const [argument, value] of Object.entries({ fromX, fromY, toX, toY })) checkNumber(argument, value);
    const ends = { from: { x: fromX, y: fromY }, to: { x: toX, y: toY } };
    return this.#actAt('dragAndDrop', options, (progress) => dragBetween(progress, this.target, { ...ends, options }));
  }

  /**
   * Types text into the focused element, key by key, with `delay` ms (default 0) after each key.
   * @throws DriverLocatorError when the page moves the focus; `hasActed` is true if some keys arrived.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByRole('searchbox').focus();
   * await page.type('Blue mug', { delay: 20 });
   */
  async type(text: string, options: KeyOptions = {}): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    checkKeyOptions(options);
    const { delay } = options;
    await this.#act('type', options, (progress, turn) => typeOn(progress, this.target, { text, delay, turn }));
  }

  /**
   * Presses a key or combination, such as `Enter`, `Control+A` or `ControlOrMeta+C`, on the focused element, and
   * releases it after `delay` ms (default 0).
   * @throws DriverInvalidArgumentError when a key does not exist.
   * @throws DriverLocatorError when the page moves the focus before the key arrives.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.keyPress('ControlOrMeta+A');
   */
  async keyPress(keys: string, options: KeyOptions = {}): Promise<void> {
    checkKeys(keys);
    checkKeyOptions(options);
    const { delay } = options;
    await this.#act('keyPress', options, (progress, turn) => pressOn(progress, this.target, { keys, delay, turn }));
  }

  #actAt<T>(method: string, options: PointDragOptions & PointClickOptions, work: InputWork<T>): Promise<T> {
    checkPointOptions(options);
    return this.#act(method, options, work);
  }

  #act<T>(method: string, options: CallOptions, work: InputWork<T>): Promise<T> {
    return actInTurn(`page.${method}`, { page: this.target, settings: this.settings, limits: options }, work);
  }
}
