import { DriverInvalidArgumentError } from '../errors.ts';
import type { ClickEventOptions, ElementDeed, OptionChoice, Point } from '../injected/contract.ts';
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
import type { ActionOutcome, ActionTarget, ElementAction, PointerManner } from '../actions/element-action.ts';
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

/** Options of a locator's action. */
export interface LocatorActionOptions extends LocatorCallOptions {
  /** Skips the checks for visibility, stability and covering elements. */
  force?: boolean;
}

/** Options for entering text. */
export interface LocatorTextOptions extends LocatorActionOptions {
  /**
   * Enters the text only into a document of one of these origins, such as `https://shop.example`, `https://*.shop.example` or
   * `http://localhost:*`. Otherwise throws a `DriverVariableOriginError` and types nothing.
   *
   * @example
   * await page.getByLabel('Password').fill(password, { origins: ['https://shop.example'] });
   */
  origins?: readonly string[];
}

/** Point and modifier keys of a pointer action. */
export interface LocatorPointerOptions extends LocatorActionOptions {
  /** CSS pixels from the top left corner of the element. Default: a visible point near its center. */
  position?: Point;
  /** Keys held during the action. */
  modifiers?: readonly KeyModifier[];
  /** Only runs the checks and scrolls the element into view; default false. */
  trial?: boolean;
}

/** Options of a click. */
export interface LocatorClickOptions extends LocatorPointerOptions {
  /** Default `left`. */
  button?: MouseButton;
  /** Number of consecutive clicks; default 1. */
  clickCount?: number;
  /** Milliseconds between press and release; default 0. */
  delay?: number;
}

/** Locator methods that act like a user. Each waits until the element is actionable. */
export abstract class ElementActions<Found> extends ElementReading<Found> {
  /**
   * Clicks the element once it is visible, enabled, stable and not covered. Otherwise throws a `DriverElementNotFoundError`,
   * `DriverElementNotVisibleError` or `DriverClickError` with the reason.
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

  /** Double-clicks the element. */
  async dblclick(options: Omit<LocatorClickOptions, 'clickCount'> = {}): Promise<void> {
    checkOptions(options);
    await this.click({ ...options, clickCount: 2 });
  }

  /** Moves the mouse over the element. */
  hover(options?: LocatorPointerOptions): Promise<void> {
    return this.#point('hover', options);
  }

  /** Taps the element like a finger. */
  tap(options?: LocatorPointerOptions): Promise<void> {
    return this.#point('tap', options);
  }

  /** Drags the element onto another one, which may be in another frame. */
  async dragTo(target: ElementActions<unknown>, options?: LocatorActionOptions): Promise<void> {
    if (!(target instanceof ElementActions))
      throw new DriverInvalidArgumentError(`target must be a locator. Received ${describeValue(target)}.`, {
        argument: 'target',
      });
    checkOptions(options);
    const dropTarget = target.#target({});
    await this.#perform({ method: 'dragAndDrop', arguments: [target.query.selector], dropTarget }, options);
  }

  /** Replaces the text of a field, or sets a date, color, range or number control. */
  async fill(value: string, options?: LocatorTextOptions): Promise<void> {
    checkString('value', value, { mayBeEmpty: true });
    await this.#perform({ method: 'fill', arguments: [value] }, options);
  }

  /** Empties a text field. */
  clear(options?: LocatorActionOptions): Promise<void> {
    return this.fill('', options);
  }

  /** Types text key by key after the existing text. */
  async type(text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    await this.#perform({ method: 'type', arguments: [text] }, options);
  }

  /** Replaces a text that occurs exactly once in the field or editor. The rest stays. */
  async replaceText(anchor: string, text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('anchor', anchor);
    checkString('text', text, { mayBeEmpty: true });
    await this.#perform({ method: 'replace', arguments: [anchor, text] }, options);
  }

  /** Inserts text after a text that occurs exactly once in the field or editor. */
  async insertTextAfter(anchor: string, text: string, options?: LocatorTextOptions): Promise<void> {
    checkString('anchor', anchor);
    checkString('text', text);
    await this.#perform({ method: 'insert', arguments: [anchor, text] }, options);
  }

  /** Focuses the element and presses a key or combination such as `Control+A`. */
  async press(keys: string, options?: LocatorActionOptions): Promise<void> {
    checkKeys(keys);
    await this.#perform({ method: 'press', arguments: [keys] }, options);
  }

  /** Checks a checkbox, radio button or switch. Does nothing if it is checked. */
  async check(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'check' }, options);
  }

  /** Unchecks a checkbox or switch. Does nothing if it is unchecked. */
  async uncheck(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'uncheck' }, options);
  }

  /** Checks or unchecks a checkbox, radio button or switch. */
  async setChecked(checked: boolean, options?: LocatorActionOptions): Promise<void> {
    if (checked === undefined)
      throw new DriverInvalidArgumentError('checked must be a boolean. Received undefined.', { argument: 'checked' });
    checkFlag('checked', checked);
    await this.#perform({ method: checked ? 'check' : 'uncheck' }, options);
  }

  /**
   * Selects options of a `select` by label, value or `index=n`, or by objects with exactly one of these. Returns the selected values.
   * Throws without changes if an option does not exist.
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

  /** Chooses files for a file input: paths relative to the working directory, or contents. An empty list clears the input. */
  async setInputFiles(
    files: string | InputFile | readonly (string | InputFile)[],
    options: LocatorActionOptions = {},
  ): Promise<void> {
    checkOptions(options);
    checkFlag('force', options.force);
    using progress = this.begin('setInputFiles', options);
    await chooseFiles(progress, this.#aim(options), files);
  }

  /** Focuses the element. */
  async focus(options?: LocatorActionOptions): Promise<void> {
    await this.#perform({ method: 'focus' }, options);
  }

  /** Removes the focus from the element. */
  blur(options?: LocatorCallOptions): Promise<void> {
    return this.#doTo('blur', { kind: 'blur' }, options);
  }

  /** Scrolls the element's content, or the page for the root element, to a percentage of its height. */
  async scrollTo(percent: number, options?: LocatorActionOptions): Promise<void> {
    checkPercent('percent', percent);
    await this.#perform({ method: 'scrollTo', arguments: [String(percent)] }, options);
  }

  /** Scrolls the element into view. */
  async scrollIntoViewIfNeeded(options?: LocatorCallOptions): Promise<void> {
    await this.#perform({ method: 'scrollTo' }, options);
  }

  /** Dispatches a click event by script, unlike a user. Does not check whether the element is visible, enabled or covered. */
  async sendClickEvent(options: ClickEventOptions & LocatorCallOptions = {}): Promise<void> {
    checkOptions(options);
    const { bubbles, cancelable, composed, detail, ...limits } = options;
    for (const [flag, value] of Object.entries({ bubbles, cancelable, composed })) checkFlag(flag, value);
    const event = Object.fromEntries(
      Object.entries({ bubbles, cancelable, composed, detail }).filter(([, value]) => value !== undefined),
    );
    await this.#doTo('sendClickEvent', { kind: 'click', event }, limits);
  }

  async #doTo(method: string, deed: ElementDeed, options?: LocatorCallOptions): Promise<void> {
    using progress = this.begin(method, options);
    progress.log(`waiting for ${this.query.label}`);
    const query = { ...this.queryOf(options), changes: true };
    const doNow = (): ReturnType<typeof doToElement> => doToElement(progress, query, deed);
    await progress.race(query.frame.worlds.isolated);
    while (!(await query.page.takeTurn(progress, `${method} on ${query.label}`, doNow)))
      await waitForElement(progress, query);
  }

  async #point(method: string, options: LocatorClickOptions = {}): Promise<void> {
    checkOptions(options);
    const { position, modifiers, clickCount, delay, trial, ...rest } = options;
    checkPointer(options);
    const pointer: PointerManner = {
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

/** Runs all checks of an action and scrolls its element into view, without acting. */
async function tryAction(
  progress: Progress,
  { page, target, force }: ActionAim,
  { method, pointer }: { readonly method: string; readonly pointer: PointerManner },
): Promise<void> {
  progress.log(`waiting for ${target.label}`);
  const preparation = {
    target,
    action: actionMethod(method, []).prepare,
    timeout: progress.remaining,
    force,
    isReported: false,
    ...(pointer.position ? { position: pointer.position } : {}),
  };
  await withReadyElement(progress, page, preparation, async () => undefined);
}
