import { shorten } from '../util/truncate.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverElementNotVisibleError, DriverInvalidArgumentError } from '../errors.ts';
import type { WaitState } from '../injected/contract.ts';
import {
  checkFlag,
  checkMilliseconds,
  checkOptions,
  checkString,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { withReadyElement } from '../actions/prepare-target.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { ElementActions } from './element-actions.ts';
import { ANSWER_GRACE_MS, type LocatorCallOptions } from './element-reading.ts';
import { backendNodeIdOf, checkSendable, evaluateOn } from './element-handle.ts';
import { type ElementQuery, type FoundElement, findContentFrame, targetOf, withElement } from './element-query.ts';
import { evaluateInFrame } from './run-script.ts';
import { highlightElement, type HighlightOptions } from './highlight-element.ts';
import { checkText, type LocatorOptions, Queries } from './queries.ts';
import { readDocument } from './read-document.ts';
import { captureScreenshot } from './screenshot.ts';
import { checkScreenshotOptions, type ScreenshotOptions } from './screenshot-options.ts';
import { callText, type FilterOptions, nested, textPattern, Verbatim } from './selector-text.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/* `Locator`, `FrameLocator` and `Frame` create each other, so they share a file. */

/** Selector part that enters the document of the matched iframe. */
const INTO_FRAME = ' >> frame=content';

/** How messages show `nth(0)` and `nth(-1)`. */
const CALL_BY_INDEX: ReadonlyMap<number, string> = new Map([
  [0, 'first()'],
  [-1, 'last()'],
]);

/** Options of `waitForSelector()`. */
export interface WaitForSelectorOptions extends LocatorCallOptions {
  /** State to wait for; default `visible`. */
  state?: WaitState;
  /** Also finds elements in shadow roots; default true. */
  pierceShadow?: boolean;
}

/**
 * A lazy description of an element. Each call resolves it again, through frames and shadow roots, and uses the first
 * match. Unlike in Playwright, several matches are an error only with `strict`.
 *
 * A call waits for the element up to `timeout` ms. The default is the driver's `defaultTimeout`, 30000 ms unless set.
 * Besides the errors of each method, calls throw a `DriverLocatorError` if several elements match and the locator is
 * strict, a `DriverInvalidArgumentError` or `XPathResolutionError` if the selector is invalid, a
 * `DriverShadowRootMissingError`, `ContentFrameNotFoundError` or `DriverIframeError` if a shadow root or frame in the
 * selector is missing, a `DriverClosedError` if the page is closed, and a `DriverAbortError` if `signal` is aborted.
 * @example
 * const row = page.getByRole('listitem').filter({ hasText: 'Blue mug' });
 * await row.getByRole('button', { name: 'Add' }).click();
 */
export class Locator extends ElementActions<Locator> {
  /**
   * Returns a locator for descendants of this locator's element. If the element is an iframe, it searches the iframe's
   * document.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   * @example
   * await page.locator('#cart').locator('li', { hasText: 'Blue mug' }).getByText('Remove').click();
   */
  locator(selector: string, options?: LocatorOptions<Locator>): Locator {
    checkString('selector', selector);
    return this.#next(selector, callText('locator', selector), options).filter(options);
  }

  /** @internal */
  findBy(selector: string, call: string): Locator {
    return this.#next(selector, call);
  }

  /**
   * Returns a frame locator for the iframe that `selector` matches inside this locator's element.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   * @example
   * await page.locator('#payment').frameLocator('iframe').getByLabel('Number').fill('4242 4242 4242 4242');
   */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /**
   * Returns a locator for the match at a zero-based index; -1 is the last match. If there are too few matches and their
   * number does not grow for 1000 ms, calls fail before `timeout`.
   * @throws DriverInvalidArgumentError when `index` is not a whole number.
   * @example
   * const third = await page.getByRole('listitem').nth(2).textContent();
   */
  nth(index: number): Locator {
    checkWholeNumber('index', index, { least: Number.MIN_SAFE_INTEGER });
    return this.#next(`nth=${index}`, CALL_BY_INDEX.get(index) ?? callText('nth', index));
  }

  /** Same as `nth(0)`: the first match. */
  first(): Locator {
    return this.nth(0);
  }

  /** Same as `nth(-1)`: the last match. */
  last(): Locator {
    return this.nth(-1);
  }

  /**
   * Returns one locator per current match, in document order; `[]` if nothing matches. Does not wait.
   * @throws ContentFrameNotFoundError when the selector enters an element that has no document.
   * @example
   * for (const row of await page.getByRole('row').all()) console.log(await row.innerText());
   */
  async all(options?: LocatorCallOptions): Promise<Locator[]> {
    const count = await this.count(options);
    return Array.from({ length: count }, (_, index) => this.nth(index));
  }

  /**
   * Keeps the matches that meet all conditions. A string in `hasText` or `hasNotText` matches a substring and ignores
   * case.
   * @throws DriverInvalidArgumentError when `has` or `hasNot` is not a locator of the same frame.
   * @example
   * const rows = page.getByRole('row').filter({ hasText: /mug/i, has: page.getByRole('button'), visible: true });
   * console.log(await rows.count());
   */
  filter(options: FilterOptions<Locator> = {}): Locator {
    checkOptions(options);
    const { has, hasNot, hasText, hasNotText, visible } = options;
    const parts: string[] = [];
    if (has !== undefined) parts.push(nested('has', this.#inner('has', has)));
    if (hasNot !== undefined) parts.push(nested('has-not', this.#inner('hasNot', hasNot)));
    if (hasText !== undefined) parts.push(`has-text=${this.#text('hasText', hasText)}`);
    if (hasNotText !== undefined) parts.push(`has-not-text=${this.#text('hasNotText', hasNotText)}`);
    checkFlag('visible', visible);
    if (visible !== undefined) parts.push(`visible=${visible}`);
    if (parts.length === 0) return this;
    const given = { has: printedAsCalls(has), hasNot: printedAsCalls(hasNot), hasText, hasNotText, visible };
    return this.#next(parts.join(' >> '), callText('filter', given));
  }

  /**
   * Returns a locator for elements that match both this locator and `other`.
   * @throws DriverInvalidArgumentError when `other` is not a locator of the same frame.
   * @example
   * await page.getByRole('button').and(page.getByTitle('Subscribe')).click();
   */
  and(other: Locator): Locator {
    return this.#next(nested('and', this.#inner('other', other)), callText('and', printedAsCalls(other)));
  }

  /**
   * Returns a locator for elements that match this locator or `other`, in document order.
   * @throws DriverInvalidArgumentError when `other` is not a locator of the same frame.
   * @example
   * await page.getByRole('button', { name: 'Pay' }).or(page.getByText('Sold out')).waitFor();
   */
  or(other: Locator): Locator {
    return this.#next(nested('or', this.#inner('other', other)), callText('or', printedAsCalls(other)));
  }

  /**
   * Calls a function with the element and `argument`, or evaluates an expression that contains `element`, in the main
   * world. Waits for a returned promise and returns the result by value.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverEvalError when the script throws, with its message and stack; when its result is nested too deeply;
   * or when the document is replaced meanwhile.
   * @throws DriverInvalidArgumentError when `argument` cannot be serialized, for example a function.
   * @throws DriverTimeoutError when the script does not end within `timeout` ms. The script keeps running in the page.
   * @example
   * const width = await page.locator('canvas').evaluate((canvas: { width: number }) => canvas.width);
   * const color = await page.locator('h1').evaluate('getComputedStyle(element).color');
   */
  async evaluate<Result = unknown, Argument = unknown>(
    script: string | ((element: never, argument: Argument) => Result),
    argument?: Argument,
    options?: LocatorCallOptions,
  ): Promise<Awaited<Result>> {
    if (typeof script !== 'function') checkString('script', script);
    checkSendable(argument);
    return (await this.#withElement('evaluate', options, (progress, found) =>
      evaluateOn(progress, found, { script, argument }),
    )) as Awaited<Result>;
  }

  /**
   * Returns the element's `backendNodeId`, for CDP commands such as `DOM.resolveNode`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   */
  backendNodeId(options?: LocatorCallOptions): Promise<number> {
    return this.#withElement('backendNodeId', options, backendNodeIdOf);
  }

  /**
   * Shows an overlay on the element for `durationMs` (default 800), then returns. The page cannot detect the overlay.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverTimeoutError when the highlight does not end within `timeout` ms.
   * @example
   * await page.getByRole('button', { name: 'Pay' }).highlight({ durationMs: 2000 });
   */
  async highlight(options: HighlightOptions & LocatorCallOptions = {}): Promise<void> {
    checkOptions(options);
    if (options.durationMs !== undefined) checkMilliseconds('durationMs', options.durationMs);
    await this.#withElement('highlight', options, (progress, found) => highlightElement(progress, found, options));
  }

  /**
   * Scrolls the element into view, takes a screenshot of it and returns the image, by default a PNG with one pixel per
   * device pixel. Variable values are masked.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws DriverTimeoutError when the element does not become visible within `timeout` ms.
   * @throws DriverElementNotVisibleError when the element is no longer rendered by the time of the screenshot.
   * @throws DriverInvalidArgumentError when options are invalid or exclude each other, or the file cannot be written.
   * @example
   * await page.locator('#chart').screenshot({ path: 'chart.png', animations: 'disabled' });
   */
  async screenshot(options: ScreenshotOptions & LocatorCallOptions = {}): Promise<Buffer> {
    checkScreenshotOptions(options);
    await this.#withElement('screenshot', options, async () => undefined);
    await this.waitFor(options);
    const query = this.queryOf(options);
    const { page, frame, label } = query;
    using progress = this.begin('screenshot', options);
    const target = { frame, element: targetOf(query), label };
    const preparation = { target, timeout: progress.remaining, force: true, isReported: false };
    // Runs as an action, because other actions wait for it: none can scroll the element away before the screenshot.
    return await withReadyElement(progress, page, { ...preparation, action: 'scroll' }, async () => {
      const box = await this.box(progress, options);
      if (!box)
        throw new DriverElementNotVisibleError(
          `Cannot take a screenshot of ${label}: it is not rendered. Wait until it is visible, for example with waitFor().`,
          { selector: label },
        );
      const { mask } = this.query.settings;
      return captureScreenshot(progress, { page, options: { ...options, clip: box }, mask });
    });
  }

  async #withElement<T>(
    method: string,
    options: LocatorCallOptions | undefined,
    work: (progress: Progress, found: FoundElement) => Promise<T>,
  ): Promise<T> {
    using progress = this.begin(method, options);
    return await withElement(progress, this.queryOf(options), work);
  }

  #next(part: string, call: string, options?: LocatorOptions): Locator {
    const { selector } = this.query;
    const calls = `${this.query.calls}.${call}`;
    return new Locator({
      ...this.query,
      ...strictness(options),
      selector: `${selector} >> ${part}`,
      calls,
      label: shorten(calls),
    });
  }

  #text(argument: string, text: string | RegExp): string {
    checkText(argument, text);
    return textPattern(text, false);
  }

  /**
   * Returns the part of the other locator's selector that starts in the same document as the last part of this one.
   * Throws if the two locators are in different frames.
   */
  #inner(argument: string, other: Locator): string {
    if (!(other instanceof Locator))
      throw new DriverInvalidArgumentError(`${argument} must be a locator. Received ${describeValue(other)}.`, {
        argument,
      });
    const mine = splitAtFrame(this.query.selector);
    const theirs = splitAtFrame(other.query.selector);
    if (
      other.query.frame === this.query.frame &&
      (theirs.frames === mine.frames || theirs.frames === '') &&
      theirs.rest !== ''
    )
      return theirs.rest;
    throw new DriverInvalidArgumentError(
      `${argument} must be a locator of the same frame. Create both from the same page, frame or frame locator.`,
      { argument },
    );
  }
}

/**
 * Finds elements in an iframe. Each call resolves the iframe again, so it may appear, disappear and navigate while a
 * call waits.
 * @example
 * const card = page.frameLocator('#checkout').frameLocator('iframe[title="Card"]');
 * await card.getByLabel('Number').fill('4242 4242 4242 4242');
 */
export class FrameLocator extends Queries<Locator> {
  readonly #owner: Locator;
  readonly #calls: string;

  /** @internal */
  constructor(owner: Locator, selector: string) {
    super();
    this.#owner = owner;
    const { calls } = owner.query;
    this.#calls = calls.slice(0, calls.lastIndexOf(callText('locator', selector))) + callText('frameLocator', selector);
    maskErrorsOf(this, owner.query.settings);
  }

  /**
   * Returns a locator for elements in the iframe.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  locator(selector: string, options?: LocatorOptions<Locator>): Locator {
    checkString('selector', selector);
    return this.#next(selector, callText('locator', selector), options).filter(options);
  }

  /** @internal */
  findBy(selector: string, call: string): Locator {
    return this.#next(selector, call);
  }

  #next(part: string, call: string, options?: LocatorOptions): Locator {
    const { query } = this.#owner;
    const calls = `${this.#calls}.${call}`;
    const selector = `${query.selector}${INTO_FRAME} >> ${part}`;
    return new Locator({ ...query, ...strictness(options), selector, calls, label: shorten(calls) });
  }

  /**
   * Returns a frame locator for an iframe inside this one.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /** The locator of the iframe element. */
  owner(): Locator {
    return this.#owner;
  }

  /**
   * Waits for the iframe's document and returns its current `Frame`.
   * @throws DriverElementNotFoundError when no element matches within `timeout` ms.
   * @throws ContentFrameNotFoundError when the element is not an iframe, or has no document.
   * @example
   * const frame = await page.frameLocator('#checkout').resolveFrame();
   * console.log(frame.url());
   */
  async resolveFrame(options?: CallOptions): Promise<Frame> {
    checkOptions(options);
    const { page, settings } = this.#owner.query;
    const limits = { ...options, gone: page.gone, grace: ANSWER_GRACE_MS };
    using progress = beginCall('frameLocator.resolveFrame', settings, limits);
    return frameOf(page, settings, await findContentFrame(progress, this.#owner.query));
  }
}

/**
 * The main frame or an iframe of a page. A frame keeps the same object across navigations, until it is detached.
 *
 * After the frame is detached, calls throw a `DriverIframeError`. They throw a `DriverClosedError` if the page is
 * closed and a `DriverAbortError` if `signal` is aborted. The default `timeout` is the driver's `defaultTimeout`, 30000
 * ms unless set.
 * @example
 * const frame = page.frame('checkout');
 * console.log(frame?.url(), await frame?.evaluate('document.title'));
 */
export class Frame extends Queries<Locator> {
  readonly #page: PageTarget;
  readonly #settings: PageSettings;
  readonly #node: FrameNode;

  /** @internal */
  constructor(page: PageTarget, settings: PageSettings, node: FrameNode) {
    super();
    this.#page = page;
    this.#settings = settings;
    this.#node = node;
    maskErrorsOf(this, settings);
  }

  /** The frame's id in CDP. */
  get frameId(): string {
    return this.#node.id;
  }

  /** Value of the iframe's `name` attribute, or `''`. */
  name(): string {
    return this.#node.name;
  }

  /** URL of the frame's document; `about:blank` before the first navigation. */
  url(): string {
    return this.#node.url || 'about:blank';
  }

  /** The parent frame. `null` for the main frame and for a detached one. */
  parentFrame(): Frame | null {
    const { parent, isDetached } = this.#node;
    return parent && !isDetached ? frameOf(this.#page, this.#settings, parent) : null;
  }

  /** The frames directly inside this one. */
  childFrames(): Frame[] {
    return [...this.#node.children].map((child) => frameOf(this.#page, this.#settings, child));
  }

  /** True if the frame was removed from the page or the page is closed. */
  isDetached(): boolean {
    return this.#node.isDetached || this.#page.isClosed;
  }

  /**
   * Returns a locator for elements in the frame.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  locator(selector: string, options?: LocatorOptions<Locator>): Locator {
    checkString('selector', selector);
    const calls = callText('locator', selector);
    return new Locator({ ...this.#query(), ...strictness(options), selector, calls, label: shorten(selector) }).filter(
      options,
    );
  }

  /** @internal */
  findBy(selector: string, call: string): Locator {
    return new Locator({ ...this.#query(), selector, calls: call, label: shorten(call) });
  }

  /**
   * Returns a frame locator for an iframe in this frame.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /**
   * Waits until the first match is `visible` (default), `attached`, `hidden` or `detached`. Always returns `true`.
   * @throws DriverTimeoutError when the element does not reach the state within `timeout` ms.
   * @throws DriverIframeError when the frame is detached.
   * @example
   * await page.mainFrame().waitForSelector('.spinner', { state: 'hidden' });
   */
  async waitForSelector(selector: string, options: WaitForSelectorOptions = {}): Promise<true> {
    checkOptions(options);
    const { pierceShadow = true, ...waiting } = options;
    checkFlag('pierceShadow', pierceShadow);
    const locator = this.locator(selector);
    const shown = pierceShadow ? locator : new Locator({ ...locator.query, selector: `${selector} >> light=true` });
    await shown.waitFor(waiting);
    return true;
  }

  /**
   * Calls a function with one argument, or evaluates an expression, in the frame's main world. Waits for a returned
   * promise and returns the result by value.
   * @throws DriverIframeError when the frame is detached, or has no document for 5000 ms.
   * @throws DriverEvalError when the script throws, with its message and stack; when its result is nested too deeply;
   * or when the frame navigates meanwhile.
   * @throws DriverInvalidArgumentError when `argument` cannot be serialized, for example a function.
   * @throws DriverTimeoutError when the script does not end within `timeout` ms. The script keeps running in the page.
   * @example
   * const version = await page.mainFrame().evaluate('window.version');
   */
  async evaluate<Result = unknown, Argument = unknown>(
    script: string | ((argument: Argument) => Result),
    argument?: Argument,
    options?: CallOptions,
  ): Promise<Awaited<Result>> {
    using progress = this.#begin('evaluate', options);
    return (await evaluateInFrame(
      progress,
      { page: this.#page, frame: this.#node },
      { script, argument },
    )) as Awaited<Result>;
  }

  /**
   * The document's title, truncated to 4096 characters.
   * @throws DriverIframeError when the frame is detached.
   * @throws DriverTimeoutError when the frame does not respond within the driver's `defaultTimeout`.
   */
  async title(): Promise<string> {
    using progress = this.#begin('title');
    return await readDocument(progress, this.#node, 'title');
  }

  /**
   * The document's HTML, including the doctype.
   * @throws DriverIframeError when the frame is detached.
   * @throws DriverTimeoutError when the frame does not respond within the driver's `defaultTimeout`.
   */
  async content(): Promise<string> {
    using progress = this.#begin('content');
    return await readDocument(progress, this.#node, 'content');
  }

  #begin(method: string, options?: CallOptions): Progress {
    checkOptions(options);
    return beginCall(`frame.${method}`, this.#settings, { ...options, gone: this.#page.gone });
  }

  #query(): Omit<ElementQuery, 'selector' | 'calls' | 'label'> {
    return { page: this.#page, settings: this.#settings, frame: this.#node, isStrict: false };
  }
}

const frameByNode = new WeakMap<FrameNode, Frame>();

/** Returns the frame's public object, always the same one. */
export function frameOf(page: PageTarget, settings: PageSettings, node: FrameNode): Frame {
  const known = frameByNode.get(node);
  if (known) return known;
  const frame = new Frame(page, settings, node);
  frameByNode.set(node, frame);
  return frame;
}

/** Finds a frame by name, else by URL. A regular expression is only matched against URLs. */
export function frameNamed(frames: readonly Frame[], nameOrUrl: string | RegExp): Frame | undefined {
  checkText('nameOrUrl', nameOrUrl);
  if (nameOrUrl instanceof RegExp) return frames.find((frame) => nameOrUrl.test(frame.url()));
  return frames.find((frame) => frame.name() === nameOrUrl) ?? frames.find((frame) => frame.url() === nameOrUrl);
}

/** Makes `callText` print a locator argument as the calls that created it. */
function printedAsCalls(locator: Locator | undefined): Verbatim | undefined {
  return locator && new Verbatim(locator.query.calls);
}

function strictness(options: LocatorOptions | undefined): { isStrict?: boolean } {
  checkOptions(options);
  checkFlag('strict', options?.strict);
  return options?.strict === undefined ? {} : { isStrict: options.strict };
}

function splitAtFrame(selector: string): { frames: string; rest: string } {
  const end = selector.lastIndexOf(`${INTO_FRAME} >> `);
  if (end < 0) return { frames: '', rest: selector };
  const start = end + INTO_FRAME.length + ' >> '.length;
  return { frames: selector.slice(0, start), rest: selector.slice(start) };
}
