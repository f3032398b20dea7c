import { DriverInvalidArgumentError } from '../errors.ts';
import type { ClickEventOptions, ElementOperation, OptionChoice, Point } from '../injected/contract.ts';
import {
  checkFlag,
  checkMilliseconds,
  checkNumber,
  checkOptions,
  checkOneOf,
  checkPercent,
  checkString,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import type { ActionOutcome, ActionTarget, ElementAction, PointerOptions } from '../actions/element-action.ts';
import { runAction } from '../actions/run-action.ts';
import type { InputFile } from '../actions/put-files.ts';
import { type ActionAim, chooseFiles, chooseOptions } from './control-values.ts';
import { doToElement, targetOf, waitForElement } from './element-query.ts';
import { ElementReading, type LocatorCallOptions } from './element-reading.ts';
import { checkKeys } from '../actions/input/key-events.ts';
import { checkModifiers, type KeyModifier } from '../actions/input/modifier-names.ts';
import { MOUSE_BUTTONS, type MouseButton } from '../actions/input/mouse-events.ts';
import type { Progress } from '../util/progress.ts';
import { withReadyElement } from '../actions/prepare-target.ts';
import { actionMethod } from '../actions/methods.ts';

/** Options of locator actions such as `press()` and `check()`. */
export interface LocatorActionOptions extends LocatorCallOptions {
  /** Skips the checks that the element is visible, enabled, stable and not covered; default false. */
  force?: boolean;
}

/** Options of `fill()`, `type()`, `replaceText()` and `insertTextAfter()`. */
export interface LocatorTextOptions extends LocatorActionOptions {
  /**
   * Origins whose documents may receive the text, such as `https://shop.example`, `https://*.shop.example` or
   * `http://localhost:*`. In any other document, throws a `DriverVariableOriginError` and types nothing.
   * @example
   * await page.getByLabel('Password').fill('tulip-77', { origins: ['https://shop.example'] });
   */
  origins?: readonly string[];
}

/** Options of `click()`, `dblclick()`, `hover()` and `tap()`. */
export interface LocatorPointerOptions extends LocatorActionOptions {
  /** CSS pixels from the element's top left corner. Default: a visible point near its center. */
  position?: Point;
  /** Modifier keys that are held down during the action. */
  modifiers?: readonly KeyModifier[];
  /** Waits until the element is actionable and scrolls it into view, but sends no input; default false. */
  trial?: boolean;
}

/** Options of `click()` and, without `clickCount`, of `dblclick()`. */
export interface LocatorClickOptions extends LocatorPointerOptions {
  /** Mouse button; default `left`. */
  button?: MouseButton;
  /** Number of consecutive clicks; default 1. */
  clickCount?: number;
  /** Milliseconds between press and release; default 0. */
  delay?: number;
}

/**
 * Locator methods that act on the element. Most wait until it is actionable. Actions on one page run one at a time, in
 * the order of the calls.
 */
export abstract class ElementActions<Found> extends ElementReading<Found> {
  /**
   * Clicks the element once it is visible, enabled, stable and not covered. With `trial`, only waits for this.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, disabled, moving or covered, or the input does not reach
   * it; `cover` names what covers it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByRole('button', { name: 'Add' }).click({ modifiers: ['Shift'] });
   * await page.locator('canvas').click({ position: { x: 20, y: 40 }, button: 'right' });
   */
  async click(options: LocatorClickOptions = {}): Promise<void> {
    checkOptions(options);
    const { button = 'left', clickCount = 1 } = options;
    checkOneOf('button', button, MOUSE_BUTTONS);
    await this.#point({ left: 'click', right: 'rightClick', middle: 'middleClick' }[button], {
      ...options,
      clickCount,
    });
  }

  /**
   * Double-clicks the element, after the same checks as `click()`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, disabled, moving or covered, or the input does not reach
   * it; `cover` names what covers it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async dblclick(options: Omit<LocatorClickOptions, 'clickCount'> = {}): Promise<void> {
    checkOptions(options);
    await this.click({ ...options, clickCount: 2 });
  }

  /**
   * Moves the mouse over the element once it is visible, stable and not covered.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, moving or covered, or the input does not reach it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  hover(options?: LocatorPointerOptions): Promise<void> {
    return this.#point('hover', options);
  }

  /**
   * Taps the element with touch events, after the same checks as `click()`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element stays hidden, disabled, moving or covered, or the input does not reach
   * it; `cover` names what covers it.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  tap(options?: LocatorPointerOptions): Promise<void> {
    return this.#point('tap', options);
  }

  /**
   * Drags the element with the mouse and drops it on `target`, which may be in another frame.
   * @throws DriverElementNotFoundError when no element matches the locator or `target` within `timeout` ms.
   * @throws DriverClickError when one of the two stays hidden, moving or covered.
   * @throws DriverInvalidArgumentError when `target` is not a locator.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByText('Write tests').dragTo(page.locator('#done'));
   */
  async dragTo(target: ElementActions<unknown>, options?: LocatorActionOptions): Promise<void> {
    if (!(target instanceof ElementActions))
      throw new DriverInvalidArgumentError(`target must be a locator. Received ${describeValue(target)}.`, {
        argument: 'target',
      });
    checkOptions(options);
    const dropTarget = target.#target({});
    await this.#perform({ method: 'dragAndDrop', arguments: [target.query.selector], dropTarget }, options);
  }

  /**
   * Replaces the text of a field, or sets a date, color, range or number control. Dates have the form `2027-03-31`,
   * colors `#rrggbb`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when the element stays disabled or read-only, or does not accept text; or when the page
   * replaces it or moves the focus.
   * @throws DriverInvalidArgumentError when the control does not accept the value, for example for a date that does not
   * exist.
   * @throws DriverVariableOriginError when the document has none of the `origins`. Nothing is typed.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByLabel('E-mail').fill('ada@example.com');
   * await page.getByLabel('Delivery').fill('2027-03-31');
   */
  async fill(value: string, options?: LocatorTextOptions): Promise<void> {
    checkString('value', value, { mayBeEmpty: true });
    await this.#perform({ method: 'fill', arguments: [value] }, options);
  }

  /**
   * Deletes the text of a field or editor.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when the element stays disabled or read-only, or does not accept text; or when the page
   * replaces it or moves the focus.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  clear(options?: LocatorActionOptions): Promise<void> {
    return this.fill('', options);
  }

  /**
   * Types text key by key at the end of the existing text.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when the element stays disabled or read-only, or does not accept text; or when the page
   * moves the focus. `hasActed` is true if some keys arrived.
   * @throws DriverVariableOriginError when the document has none of the `origins`. Nothing is typed.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByLabel('Coupon').type('MUGS-10');
   */
  async type(text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    await this.#perform({ method: 'type', arguments: [text] }, options);
  }

  /**
   * Replaces `anchor`, which must occur exactly once in the field or editor, with `text`. An empty `text` deletes
   * `anchor`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when `anchor` does not occur exactly once, or the element does not accept text. Nothing
   * is changed.
   * @throws DriverVariableOriginError when the document has none of the `origins`. Nothing is typed.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByLabel('Message').replaceText('Dear Sir', 'Dear Ada');
   */
  async replaceText(anchor: string, text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('anchor', anchor);
    checkString('text', text, { mayBeEmpty: true });
    await this.#perform({ method: 'replace', arguments: [anchor, text] }, options);
  }

  /**
   * Inserts `text` after `anchor`, which must occur exactly once in the field or editor.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when `anchor` does not occur exactly once, or the element does not accept text. Nothing
   * is changed.
   * @throws DriverVariableOriginError when the document has none of the `origins`. Nothing is typed.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByLabel('Message').insertTextAfter('Dear Ada', ',\nthank you for the mug');
   */
  async insertTextAfter(anchor: string, text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('anchor', anchor);
    checkString('text', text);
    await this.#perform({ method: 'insert', arguments: [anchor, text] }, options);
  }

  /**
   * Focuses the element and presses a key or combination such as `Enter`, `Control+A` or `ControlOrMeta+C`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverInvalidArgumentError when a key does not exist.
   * @throws DriverLocatorError when the page moves the focus before the key arrives.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByRole('searchbox').press('Enter');
   */
  async press(keys: string, options?: LocatorActionOptions): Promise<void> {
    checkKeys(keys);
    await this.#perform({ method: 'press', arguments: [keys] }, options);
  }

  /**
   * Checks a checkbox, radio button or switch. Does nothing if it is already checked.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element has no checked state, stays hidden, disabled, moving or covered, or the
   * click does not reach it.
   * @throws DriverLocatorError when the control keeps its state after the click; `hasActed` is true.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async check(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'check' }, options);
  }

  /**
   * Unchecks a checkbox or switch. Does nothing if it is already unchecked.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element has no checked state, stays hidden, disabled, moving or covered, or the
   * click does not reach it.
   * @throws DriverLocatorError when the control keeps its state after the click; `hasActed` is true.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async uncheck(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'uncheck' }, options);
  }

  /**
   * Checks or unchecks a checkbox, radio button or switch. Does nothing if it already has that state.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverClickError when the element has no checked state, stays hidden, disabled, moving or covered, or the
   * click does not reach it.
   * @throws DriverLocatorError when the control keeps its state after the click; `hasActed` is true.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async setChecked(checked: boolean, options?: LocatorActionOptions): Promise<void> {
    if (checked === undefined)
      throw new DriverInvalidArgumentError('checked must be a boolean. Received undefined.', { argument: 'checked' });
    checkFlag('checked', checked);
    await this.#perform({ method: checked ? 'check' : 'uncheck' }, options);
  }

  /**
   * Selects options of a `select`: by label, by value, by `index=n` (from 0), or by an object whose `label`, `value`
   * and `index` all match. Returns the values of the selected options. Changes nothing if an option is missing.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverLocatorError when the element is not a `select`, or stays disabled.
   * @throws DriverInvalidArgumentError when an option is missing or disabled, or several are given and the
   * `select` accepts only one.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * const [size] = await page.getByLabel('Size').selectOption('Large');
   * await page.getByLabel('Colors').selectOption([{ value: 'red' }, { index: 2 }]);
   */
  async selectOption(
    choices: string | OptionChoice | readonly (string | OptionChoice)[],
    options: LocatorActionOptions = {},
  ): Promise<readonly string[]> {
    checkOptions(options);
    checkFlag('force', options.force);
    using progress = this.begin('selectOption', options);
    return await chooseOptions(progress, this.#aim(options), choices);
  }

  /**
   * Sets the files of a file input, as paths (relative to the working directory) or contents. An empty list clears the
   * input. Also works on a button that opens a file chooser within 1000 ms, and, with paths in a local browser, on a
   * drop zone.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverInvalidArgumentError when a file cannot be read, or the input accepts only one.
   * @throws DriverLocatorError when the element stays disabled or does not accept files.
   * @throws DriverClickError when a button that opens a file chooser cannot be clicked.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * const receipt = { name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('1 blue mug') };
   * await page.getByLabel('Attachments').setInputFiles(['order.pdf', receipt]);
   */
  async setInputFiles(
    files: string | InputFile | readonly (string | InputFile)[],
    options: LocatorActionOptions = {},
  ): Promise<void> {
    checkOptions(options);
    checkFlag('force', options.force);
    using progress = this.begin('setInputFiles', options);
    await chooseFiles(progress, this.#aim(options), files);
  }

  /**
   * Focuses the element once it is visible.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element stays hidden.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async focus(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'focus' }, options);
  }

  /**
   * Removes the focus from the element.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  blur(options?: LocatorCallOptions): Promise<void> {
    return this.#doTo('blur', { kind: 'blur' }, options);
  }

  /**
   * Scrolls the element's content to a percentage of its height: 0 is the top, 100 the bottom. On the root element,
   * scrolls the page.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverInvalidArgumentError when `percent` is not a number from 0 to 100.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.locator('#log').scrollTo(100);
   */
  async scrollTo(percent: number, options?: LocatorActionOptions): Promise<void> {
    checkPercent('percent', percent);
    await this.#perform({ method: 'scrollTo', arguments: [String(percent)] }, options);
  }

  /**
   * Scrolls the element into view.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async scrollIntoViewIfNeeded(options?: LocatorCallOptions): Promise<void> {
    await this.#perform({ method: 'scrollTo' }, options);
  }

  /**
   * Dispatches a synthetic `click` event, like `dispatchEvent('click')` in Playwright. Does not check whether the
   * element is visible, enabled or covered.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.locator('#hidden-menu-item').sendClickEvent({ bubbles: true });
   */
  async sendClickEvent(options: ClickEventOptions & LocatorCallOptions = {}): Promise<void> {
    checkOptions(options);
    const { bubbles, cancelable, composed, detail, ...limits } = options;
    for (const [flag, value] of Object.entries({ bubbles, cancelable, composed })) checkFlag(flag, value);
    const event = Object.fromEntries(
      Object.entries({ bubbles, cancelable, composed, detail }).filter(([, value]) => value !== undefined),
    );
    await this.#doTo('sendClickEvent', { kind: 'click', event }, limits);
  }

  async #doTo(method: string, operation: ElementOperation, options?: LocatorCallOptions): Promise<void> {
    using progress = this.begin(method, options);
    progress.log(`waiting for ${this.query.label}`);
    const query = { ...this.queryOf(options), changes: true };
    const doNow = (): ReturnType<typeof doToElement> => doToElement(progress, query, operation);
    await progress.race(query.frame.worlds.isolated);
    while (!(await query.page.takeTurn(progress, `${method} on ${query.label}`, doNow)))
      await waitForElement(progress, query);
  }

  async #point(method: string, options: LocatorClickOptions = {}): Promise<void> {
    checkOptions(options);
    const { position, modifiers, clickCount, delay, trial, ...rest } = options;
    checkPointer(options);
    const pointer: PointerOptions = {
      ...(position === undefined ? {} : { position }),
      ...(modifiers === undefined ? {} : { modifiers }),
      ...(clickCount === undefined ? {} : { clickCount }),
      ...(delay === undefined ? {} : { delay }),
    };
    if (!trial) return void (await this.#perform({ method, pointer }, rest));
    using progress = this.begin(method, rest);
    await tryAction(progress, this.#aim(rest), { method, pointer });
  }

  async #perform(
    action: Pick<ElementAction, 'method' | 'pointer' | 'dropTarget'> & { readonly arguments?: readonly string[] },
    options: LocatorTextOptions = {},
  ): Promise<ActionOutcome> {
    using progress = this.begin(action.method, options, ['origins']);
    checkFlag('force', options.force);
    const checkDocument = options.origins && this.query.settings.documentCheck(options.origins);
    progress.log(`waiting for ${this.query.label}`);
    return await runAction(progress, this.query.page, {
      arguments: [],
      ...action,
      target: this.#target(options),
      force: options.force ?? false,
      checkDocument,
      elementTimeout: progress.remaining,
      isReported: false,
      settleTimeout: 0,
    });
  }

  #aim(options: LocatorActionOptions): ActionAim {
    return { page: this.query.page, target: this.#target(options), force: options.force ?? false };
  }

  #target(options: LocatorCallOptions): ActionTarget {
    const query = this.queryOf(options);
    return { frame: query.frame, element: targetOf(query), label: query.label };
  }
}

function checkPointer({ position, modifiers, clickCount, delay, trial }: LocatorClickOptions): void {
  if (position !== undefined) {
    checkNumber('position.x', position.x);
    checkNumber('position.y', position.y);
  }
  checkModifiers(modifiers);
  if (clickCount !== undefined) checkWholeNumber('clickCount', clickCount, { least: 1 });
  if (delay !== undefined) checkMilliseconds('delay', delay);
  checkFlag('trial', trial);
}

/** Implements `trial`: waits until the element is actionable and scrolls it into view, but sends no input. */
async function tryAction(
  progress: Progress,
  { page, target, force }: ActionAim,
  { method, pointer }: { readonly method: string; readonly pointer: PointerOptions },
): Promise<void> {
  progress.log(`waiting for ${target.label}`);
  const preparation = {
    target,
    action: actionMethod(method, []).checks,
    timeout: progress.remaining,
    force,
    isReported: false,
    ...(pointer.position ? { position: pointer.position } : {}),
  };
  await withReadyElement(progress, page, preparation, async () => undefined);
}
