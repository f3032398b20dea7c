import type { PageTarget } from '../cdp/page-target.ts';
import { checkString } from '../util/check-argument.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { type Frame, FrameLocator, frameNamed, frameOf, type Locator, type WaitForSelectorOptions } from './locator.ts';
import { type LocatorOptions, Queries } from './queries.ts';
import { readDocument } from './read-document.ts';

/** The half of a page that finds: elements and frames. */
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

  /** The page's frames, the main one first, each before those inside it. */
  frames(): Frame[] {
    return this.target.frames.frames.map((node) => frameOf(this.target, this.settings, node));
  }

  /** The frame of the page's own document. */
  mainFrame(): Frame {
    return frameOf(this.target, this.settings, this.target.frames.main);
  }

  /** The first frame of this name or, when none has it, of this address; null when there is none. */
  frame(nameOrUrl: string | RegExp): Frame | null {
    return frameNamed(this.frames(), nameOrUrl) ?? null;
  }

  /** A lazy recipe for an element: CSS, XPath, `text=…`, `role=button[name="Save"]`, and `a >> b` to go on inside. */
  locator(selector: string, options?: LocatorOptions<Locator>): Locator {
    checkString('selector', selector);
    return this.mainFrame().locator(selector, options);
  }

  /** @internal */
  findBy(selector: string, call: string): Locator {
    return this.mainFrame().findBy(selector, call);
  }

  /** The same as `locator`, which goes through frames and shadow roots by itself. */
  deepLocator(selector: string, options?: LocatorOptions<Locator>): Locator {
    return this.locator(selector, options);
  }

  /** What is inside a frame that a selector finds. */
  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.locator(selector), selector);
  }

  /** Waits until an element is `visible` (default), `attached`, `hidden` or `detached`. */
  waitForSelector(selector: string, options?: WaitForSelectorOptions): Promise<true> {
    return this.mainFrame().waitForSelector(selector, options);
  }

  /** The document's title. */
  title(): Promise<string> {
    return this.#read('title');
  }

  /** The document as HTML. */
  content(): Promise<string> {
    return this.#read('content');
  }

  async #read(what: 'title' | 'content'): Promise<string> {
    using progress = beginCall(`page.${what}`, this.settings, { gone: this.target.gone });
    return await readDocument(progress, this.target.frames.main, what);
  }
}
