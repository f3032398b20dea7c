import type { PageTarget } from '../cdp/page-target.ts';
import { checkString } from '../util/check-argument.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { type Frame, FrameLocator, frameNamed, frameOf, type Locator, type WaitForSelectorOptions } from './locator.ts';
import { type LocatorOptions, Queries } from './queries.ts';
import { readDocument } from './read-document.ts';

/** Page methods that find elements and frames. */
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

  /** The page's frames, parents before children. */
  frames(): Frame[] {
    return this.target.frames.frames.map((node) => frameOf(this.target, this.settings, node));
  }

  /** The main frame. */
  mainFrame(): Frame {
    return frameOf(this.target, this.settings, this.target.frames.main);
  }

  /**
   * The first frame with this name, or else with this URL. A regular expression is compared with URLs only. Returns
   * `null` if there is none.
   * @example
   * const checkout = page.frame('checkout') ?? page.frame(/\/pay\//);
   */
  frame(nameOrUrl: string | RegExp): Frame | null {
    return frameNamed(this.frames(), nameOrUrl) ?? null;
  }

  /**
   * A lazy locator: CSS, XPath, `text=…`, `role=button[name="Save"]`, and `a >> b` to search inside.
   * @throws DriverInvalidArgumentError when `selector` is empty. A selector with wrong syntax fails when the locator is
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
   * Same as `locator`, which enters frames and shadow roots by itself.
   * @throws DriverInvalidArgumentError when `selector` is empty. A selector with wrong syntax fails when the locator is
   * used.
   */
  deepLocator(selector: string, options?: LocatorOptions<Locator>): Locator {
    return this.locator(selector, options);
  }

  /**
   * A frame that a selector finds. Resolved on each use.
   * @throws DriverInvalidArgumentError when `selector` is empty. A selector with wrong syntax fails when the locator is
   * used.
   * @example
   * await page.frameLocator('#checkout').getByLabel('Card number').fill('4242 4242 4242 4242');
   */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /**
   * Waits until an element is `visible` (default), `attached`, `hidden` or `detached`. Always returns `true`.
   * @throws DriverTimeoutError when the element does not reach the state within `timeout` ms.
   * @example
   * await page.waitForSelector('.spinner', { state: 'hidden', timeout: 10_000 });
   */
  waitForSelector(selector: string, options?: WaitForSelectorOptions): Promise<true> {
    return this.mainFrame().waitForSelector(selector, options);
  }

  /**
   * Title of the document, at most 4096 characters.
   * @throws DriverTimeoutError when the page does not answer within the driver's `defaultTimeout`.
   */
  title(): Promise<string> {
    return this.#read('title');
  }

  /**
   * The document as HTML, with its doctype.
   * @throws DriverTimeoutError when the page does not answer within the driver's `defaultTimeout`.
   */
  content(): Promise<string> {
    return this.#read('content');
  }

  async #read(what: 'title' | 'content'): Promise<string> {
    using progress = beginCall(`page.${what}`, this.settings, { gone: this.target.gone });
    return await readDocument(progress, this.target.frames.main, what);
  }
}
