import type { PageTarget } from '../cdp/page-target.ts';
import { checkString } from '../util/check-argument.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { type Frame, FrameLocator, frameNamed, frameOf, type Locator, type WaitForSelectorOptions } from './locator.ts';
import { type LocatorOptions, Queries } from './queries.ts';
import { readDocument } from './read-document.ts';

/** The page methods that find elements and frames. */
export abstract class PageFrames extends Queries<Locator> {
  /** @internal */
  readonly target: PageTarget;
  /** @internal */
  protected readonly settings: PageSettings;

  /** @internal */
  constructor(target: PageTarget, settings: PageSettings) {
    super();
    this.target = target;
    this.settings = settings;
  }

  /** All frames of the page, parents before children. */
  frames(): Frame[] {
    return this.target.frames.frames.map((node) => frameOf(this.target, this.settings, node));
  }

  /** The top-level frame. Always the same object. */
  mainFrame(): Frame {
    return frameOf(this.target, this.settings, this.target.frames.main);
  }

  /**
   * Finds a frame by name, else by exact URL. A regular expression is matched against URLs only. Returns `null` if no
   * frame matches.
   * @example
   * const checkout = page.frame('checkout') ?? page.frame(/\/pay\//);
   */
  frame(nameOrUrl: string | RegExp): Frame | null {
    return frameNamed(this.frames(), nameOrUrl) ?? null;
  }

  /**
   * Returns a locator for a selector: CSS, XPath, `text=…`, `role=button[name="Save"]`, or several that narrow the
   * search step by step: `form >> text=Pay`.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   * @example
   * await page.locator('form#order >> text=Pay').click();
   * const prices = page.locator('xpath=//td[@class="price"]', { visible: true });
   */
  locator(selector: string, options?: LocatorOptions<Locator>): Locator {
    checkString('selector', selector);
    return this.mainFrame().locator(selector, options);
  }

  /** @internal */
  findBy(selector: string, call: string): Locator {
    return this.mainFrame().findBy(selector, call);
  }

  /**
   * Same as `locator()`, whose selectors can already enter frames and shadow roots.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  deepLocator(selector: string, options?: LocatorOptions<Locator>): Locator {
    return this.locator(selector, options);
  }

  /**
   * Returns a frame locator for the iframe that `selector` matches.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   * @example
   * await page.frameLocator('#checkout').getByLabel('Card number').fill('4242 4242 4242 4242');
   */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /**
   * Waits until the first match is `visible` (default), `attached`, `hidden` or `detached`. Always returns `true`.
   * @throws DriverTimeoutError when the element does not reach the state within `timeout` ms.
   * @example
   * await page.waitForSelector('.spinner', { state: 'hidden', timeout: 10_000 });
   */
  waitForSelector(selector: string, options?: WaitForSelectorOptions): Promise<true> {
    return this.mainFrame().waitForSelector(selector, options);
  }

  /**
   * The document's title, truncated to 4096 characters.
   * @throws DriverTimeoutError when the page does not respond within the driver's `defaultTimeout`.
   */
  title(): Promise<string> {
    return this.#read('title');
  }

  /**
   * The document's HTML, including the doctype.
   * @throws DriverTimeoutError when the page does not respond within the driver's `defaultTimeout`.
   */
  content(): Promise<string> {
    return this.#read('content');
  }

  async #read(what: 'title' | 'content'): Promise<string> {
    using progress = beginCall(`page.${what}`, this.settings, { gone: this.target.gone });
    return await readDocument(progress, this.target.frames.main, what);
  }
}
