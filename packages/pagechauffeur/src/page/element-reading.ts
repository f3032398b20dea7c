import { DriverTimeoutError } from '../errors.ts';
import type { Box, ElementFact, Point, WaitState } from '../injected/contract.ts';
import { checkFlag, checkOneOf, checkOptions, checkString } from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { unresolvedError } from '../actions/blocked-error.ts';
import { beginCall } from '../actions/call-limits.ts';
import { askElement, type ElementQuery, findShownElement, readElement } from './element-query.ts';
import { boxInPage } from './page-box.ts';
import { Queries } from './queries.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/** Extra time in ms after the timeout, for a busy page to report why the element is not ready. */
export const ANSWER_GRACE_MS = 1000;

/** Options of all locator methods. */
export interface LocatorCallOptions extends CallOptions {
  /**
   * True if several matches are an error, whose message describes the first ones. Default: the option of `locator()`,
   * else false.
   */
  strict?: boolean;
}

/** The reading methods of a locator. They wait for the element unless stated otherwise. */
export abstract class ElementReading<Found> extends Queries<Found> {
  /** @internal */
  readonly query: ElementQuery;

  /** @internal */
  constructor(query: ElementQuery) {
    super();
    this.query = query;
    maskErrorsOf(this, query.settings);
  }

  /**
   * Text of the element and its descendants, hidden text included. `''` if there is none.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async textContent(options?: LocatorCallOptions): Promise<string> {
    return String((await this.#read('textContent', options)) ?? '');
  }

  /**
   * Text as rendered, without hidden text.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async innerText(options?: LocatorCallOptions): Promise<string> {
    return String((await this.#read('innerText', options)) ?? '');
  }

  /**
   * HTML of the element's content, without the element's own tag.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async innerHtml(options?: LocatorCallOptions): Promise<string> {
    return String((await this.#read('innerHTML', options)) ?? '');
  }

  /**
   * Value of an input, text area or select, or the text of an editable element. For a label, the value of its control.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverLocatorError when the element has no value.
   */
  async inputValue(options?: LocatorCallOptions): Promise<string> {
    return String((await this.#read('inputValue', options)) ?? '');
  }

  /**
   * Value of an attribute, or `null` if the element does not have it.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @example
   * const address = await page.getByText('Terms').getAttribute('href');
   */
  async getAttribute(name: string, options?: LocatorCallOptions): Promise<string | null> {
    checkString('name', name);
    const value = await this.#read(`attribute:${name}`, options);
    return typeof value === 'string' ? value : null;
  }

  /**
   * True if a checkbox, radio button, switch or similar element is checked or selected. For a label, reads its control.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverLocatorError when the element has no checked state.
   */
  async isChecked(options?: LocatorCallOptions): Promise<boolean> {
    return (await this.#read('isChecked', options)) === true;
  }

  /**
   * True if the element is not disabled.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async isEnabled(options?: LocatorCallOptions): Promise<boolean> {
    return (await this.#read('isEnabled', options)) === true;
  }

  /**
   * True if the element is an editor, a text area or an input with a value to enter, such as text or a date, and is
   * neither disabled nor read-only. For a label, reads its control.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async isEditable(options?: LocatorCallOptions): Promise<boolean> {
    return (await this.#read('isEditable', options)) === true;
  }

  /**
   * True if the element is visible now. False if there is no element. Does not wait.
   * @throws DriverLocatorError when several elements match and the locator is strict.
   */
  async isVisible(options?: LocatorCallOptions): Promise<boolean> {
    using progress = this.begin('isVisible', options);
    const answer = await askElement(progress, this.queryOf(options), ({ world, element }) =>
      world.call('read', element, 'isVisible'),
    );
    if (answer.kind === 'invalid' || answer.kind === 'ambiguous' || answer.kind === 'no-frame')
      throw unresolvedError(answer, this.query.label, progress.callLog);
    return answer.kind === 'value' && answer.value === true;
  }

  /**
   * The element's box in CSS pixels of the page's viewport, even if the element is in a frame. `null` if it is not
   * rendered.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @example
   * const box = await page.locator('#map').boundingBox();
   * if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
   */
  async boundingBox(options?: LocatorCallOptions): Promise<Box | null> {
    using progress = this.begin('boundingBox', options);
    return await this.box(progress, options);
  }

  /**
   * Center of the element's box in CSS pixels of the page's viewport. `null` if the element is not rendered.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  async centroid(options?: LocatorCallOptions): Promise<Point | null> {
    using progress = this.begin('centroid', options);
    const box = await this.box(progress, options);
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /**
   * Number of matches in the last frame that the selector enters. Does not wait.
   * @throws ContentFrameNotFoundError when the selector enters an element that has no document.
   */
  async count(options?: LocatorCallOptions): Promise<number> {
    using progress = this.begin('count', options);
    const answer = await askElement(progress, { ...this.query, isStrict: false }, ({ world, element }) =>
      world.call('resolve', element),
    );
    if (answer.kind === 'element') return answer.count;
    if (answer.kind === 'invalid' || answer.kind === 'no-frame')
      throw unresolvedError(answer, this.query.label, progress.callLog);
    return 0;
  }

  /**
   * Waits until the element is `visible` (default), `attached`, `hidden` or `detached`.
   * @throws DriverTimeoutError when the element does not reach the state within `timeout` ms.
   * @example
   * await page.getByRole('alert').waitFor({ state: 'hidden', timeout: 5000 });
   */
  async waitFor(options: LocatorCallOptions & { state?: WaitState } = {}): Promise<void> {
    checkOptions(options);
    const { state = 'visible' } = options;
    const { label, settings } = this.query;
    checkOneOf('state', state, ['attached', 'detached', 'visible', 'hidden']);
    using progress = this.begin('waitFor', options);
    progress.log(`waiting for ${label} to be ${state}`);
    const answer = await askElement(progress, this.queryOf(options), ({ world, element }) =>
      world.start('waitFor', element, { state, timeout: progress.remaining }),
    );
    if (answer.kind === 'met') return;
    if (answer.kind !== 'timeout') throw unresolvedError(answer, label, progress.callLog);
    const { timeout = settings.defaultTimeout } = options;
    throw new DriverTimeoutError(
      `locator.waitFor: Timeout ${timeout} ms exceeded. ${label} did not become ${state}. Check the selector and the state, or raise \`timeout\`.`,
      { operation: 'locator.waitFor', timeout, callLog: progress.callLog },
    );
  }

  /** @internal */
  protected begin(method: string, options?: LocatorCallOptions, also?: readonly string[]): Progress {
    checkOptions(options, 'options', also);
    checkFlag('strict', options?.strict);
    const { page, settings } = this.query;
    return beginCall(`locator.${method}`, settings, { ...options, gone: page.gone, grace: ANSWER_GRACE_MS });
  }

  /** @internal The query of a call. The option `strict` overrides the locator's. */
  protected queryOf(options?: LocatorCallOptions): ElementQuery {
    return options?.strict === undefined ? this.query : { ...this.query, isStrict: options.strict };
  }

  /** @internal */
  protected async box(progress: Progress, options?: LocatorCallOptions): Promise<Box | null> {
    const found = await findShownElement(progress, this.queryOf(options));
    return found ? progress.race(boxInPage(this.query.page, found.world, found.ref)) : null;
  }

  async #read(fact: ElementFact, options?: LocatorCallOptions): Promise<unknown> {
    using progress = this.begin(fact.replace(/:.*/s, ''), options);
    return await readElement(progress, this.queryOf(options), fact);
  }
}
