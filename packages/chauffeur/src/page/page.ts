import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverClosedError } from '../errors.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { SnapshotOptions } from '../snapshot/snapshot.ts';
import {
  checkFlag,
  checkMilliseconds,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkString,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import { type ErrorFacts, errorFacts, errorSentence } from '../util/error-facts.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { focusedSession, hasRemoteFrames } from './focused-session.ts';
import { pressKeys, typeText } from './input/key-events.ts';
import { clickMouse, type MouseButton } from './input/mouse-events.ts';
import { Locator, type LocatorActionOptions } from './locator.ts';
import { goInHistory, gotoUrl, reloadPage, waitForLoadState } from './navigation.ts';
import type { LoadState } from './navigation-watch.ts';
import { targetAtPoint } from './point-target.ts';
import { type PageSnapshot, pageSnapshot } from './page-snapshot.ts';
import type { Response } from './response.ts';
import { runScript } from './run-script.ts';
import { captureScreenshot, type ScreenshotOptions } from './screenshot.ts';

/** How to navigate. */
export interface NavigationOptions extends CallOptions {
  /** How far the document must have come; default `domcontentloaded`. */
  waitUntil?: LoadState;
}

/** How to open an address. */
export interface GotoOptions extends NavigationOptions {
  /** Another name for `timeout`. */
  timeoutMs?: number;
  /** Sent as the `Referer` header. */
  referer?: string;
}

/** How to click at a point. */
export interface PointClickOptions extends CallOptions {
  button?: MouseButton;
  clickCount?: number;
  /** Answer with the XPath of what was hit; default false. */
  returnXpath?: boolean;
}

/** The doctype, which no element holds, and the root. */
const DOCUMENT_AS_HTML =
  '(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "") + (document.documentElement?.outerHTML ?? "")';
const LOAD_STATES: readonly LoadState[] = ['commit', 'domcontentloaded', 'load', 'networkidle'];

/** A page of the browser: navigation, input by point and by selector, reading. The AI verbs are on the driver. */
export class Page {
  /** @internal */
  readonly target: PageTarget;
  readonly #settings: PageSettings;

  /** @internal */
  constructor(target: PageTarget, settings: PageSettings) {
    this.target = target;
    this.#settings = settings;
  }

  /** Opens an address and waits until its document has come as far as `waitUntil`; rejects when it cannot be reached. */
  async goto(url: string, options: GotoOptions = {}): Promise<Response | null> {
    checkString('url', url);
    checkOptions(options);
    const { waitUntil, referer, timeoutMs } = options;
    if (referer !== undefined) checkString('referer', referer, { mayBeEmpty: true });
    if (timeoutMs !== undefined) checkMilliseconds('timeoutMs', timeoutMs);
    return this.#navigate(
      'goto',
      { url },
      { ...options, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) },
      (progress) =>
        gotoUrl(progress, this.target, {
          url,
          waitUntil: waitUntil ?? 'domcontentloaded',
          ...(referer === undefined ? {} : { referer }),
        }),
    );
  }

  /** Loads the page's address again. */
  async reload(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate('reload', {}, options, (progress) =>
      reloadPage(progress, this.target, options.waitUntil ?? 'domcontentloaded'),
    );
  }

  /** Goes back in the page's history; null when there is nothing before. */
  async goBack(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate('goBack', {}, options, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: -1 }),
    );
  }

  /** Goes forward in the page's history; null when there is nothing after. */
  async goForward(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate('goForward', {}, options, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: 1 }),
    );
  }

  /** The page's address now. */
  url(): string {
    return this.target.frames.main.url || 'about:blank';
  }

  /** The document's title. */
  async title(): Promise<string> {
    return String(await this.#readDocument('title', 'document.title'));
  }

  /** The document as HTML. */
  async content(): Promise<string> {
    return String(await this.#readDocument('content', DOCUMENT_AS_HTML));
  }

  /** Waits until the current document has come this far; at once when it already has. */
  async waitForLoadState(state: LoadState = 'load', options?: CallOptions): Promise<void> {
    checkOneOf('state', state, LOAD_STATES);
    using progress = this.#begin('waitForLoadState', options);
    await waitForLoadState(progress, this.target, state);
  }

  /** Waits this many milliseconds. Prefer waiting for what you wait for. */
  async waitForTimeout(ms: number, options?: CallOptions): Promise<void> {
    checkMilliseconds('ms', ms);
    using progress = this.#begin('waitForTimeout', { timeout: 0, ...options });
    let timer: NodeJS.Timeout | undefined;
    try {
      await progress.race(
        new Promise((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits until an element is `visible` (default), `attached`, `hidden` or `detached`. */
  async waitForSelector(
    selector: string,
    options: CallOptions & { state?: 'attached' | 'detached' | 'visible' | 'hidden' } = {},
  ): Promise<true> {
    await this.locator(selector).waitFor(options);
    return true;
  }

  /** Clicks at a point of the viewport, in CSS pixels; answers the XPath of what was hit when asked, else `''`. */
  click(x: number, y: number, options?: PointClickOptions): Promise<string>;
  /** Clicks the first element that matches, as `locator(selector).click()` does. */
  click(selector: string, options?: LocatorActionOptions): Promise<void>;
  async click(
    target: number | string,
    second?: number | LocatorActionOptions,
    options: PointClickOptions = {},
  ): Promise<string | void> {
    if (typeof target === 'string') return this.locator(target).click(second as LocatorActionOptions);
    checkNumber('x', target);
    checkNumber('y', second);
    checkOptions(options);
    return this.#clickPoint({ x: target, y: second }, options);
  }

  /** Types text into what has the focus, key by key; `delay` milliseconds between the keys. */
  async type(text: string, options: CallOptions & { delay?: number } = {}): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    checkOptions(options);
    if (options.delay !== undefined) checkMilliseconds('delay', options.delay);
    using progress = this.#begin('type', options);
    const session = await focusedSession(progress, this.target);
    if (!options.delay) return void (await progress.race(Promise.all(typeText(session, text))));
    for (const character of text) {
      await progress.race(Promise.all(typeText(session, character)));
      await this.waitForTimeout(options.delay, { signal: progress.signal });
    }
  }

  /** Presses a key or combination, such as `Enter`, `Control+A` or `ControlOrMeta+C`, on what has the focus. */
  async keyPress(keys: string, options?: CallOptions): Promise<void> {
    checkString('keys', keys);
    using progress = this.#begin('keyPress', options);
    await progress.race(Promise.all(pressKeys(await focusedSession(progress, this.target), keys)));
  }

  /** A lazy recipe for an element: CSS, XPath, `text=…`, `role=button[name="Save"]`, and `a >> b` to go on inside. */
  locator(selector: string): Locator {
    return new Locator(this.target, this.#settings, selector);
  }

  /** The same as `locator`, which goes through frames and shadow roots by itself. */
  deepLocator(selector: string): Locator {
    return this.locator(selector);
  }

  /** Calls a function, or evaluates an expression, in the page's own world; the result comes by value. */
  async evaluate<Result = unknown, Argument = unknown>(
    script: string | ((argument: Argument) => Result),
    argument?: Argument,
    options?: CallOptions,
  ): Promise<Awaited<Result>> {
    using progress = this.#begin('evaluate', options);
    return (await runScript(progress, this.target.frames.main, { script, argument })) as Awaited<Result>;
  }

  /** A picture of the viewport as a PNG, or as asked for. */
  async screenshot(options: ScreenshotOptions = {}): Promise<Buffer> {
    using progress = this.#begin('screenshot', options);
    return await captureScreenshot(progress, this.target, options);
  }

  /** The page as text for a person or a model, through all frames and shadow roots. */
  async snapshot(options: SnapshotOptions & CallOptions = {}): Promise<PageSnapshot> {
    using progress = this.#begin('snapshot', options);
    return pageSnapshot(await takeSnapshot(progress, this.target, options));
  }

  /** The browser's id of the page, as other DevTools programs use it. */
  targetId(): string {
    return this.target.id;
  }

  /** The browser's id of the main frame. */
  mainFrameId(): string {
    return this.target.frames.main.id;
  }

  /** Sends a command of the DevTools protocol to the page. */
  async sendCDP(method: string, params?: object): Promise<unknown> {
    checkString('method', method);
    return this.target.session.sendRaw(method, params);
  }

  /** Brings the page to the front of its window. */
  async bringToFront(): Promise<void> {
    await this.target.session.send('Page.bringToFront');
  }

  /** Closes the page; done when it is gone. */
  async close(options?: CallOptions): Promise<void> {
    if (this.isClosed()) return;
    using progress = beginCall('page.close', this.#settings, options);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.target.events.on('closed', () => resolve());
    const asked = this.target.close().catch((error: unknown) => {
      if (!(error instanceof DriverClosedError)) throw error;
    });
    await progress.race(Promise.all([asked, promise]));
    stop();
  }

  /** Whether the page is gone. */
  isClosed(): boolean {
    return this.target.isClosed;
  }

  #begin(method: string, options?: CallOptions): Progress {
    checkOptions(options);
    return beginCall(`page.${method}`, this.#settings, { ...options, gone: this.target.gone });
  }

  /** Reads the document that is there, or the next one when it goes away meanwhile. */
  async #readDocument(method: string, expression: string): Promise<unknown> {
    using progress = this.#begin(method);
    for (;;) {
      try {
        const world = await progress.race(this.target.frames.main.worlds.isolated);
        return await progress.race(world.evaluate(expression, null));
      } catch (error) {
        if (!(error instanceof DocumentGoneError)) throw error;
        progress.throwIfEnded();
      }
    }
  }

  async #navigate(
    method: string,
    parameters: object,
    options: NavigationOptions,
    start: (progress: Progress) => Promise<Response | null>,
  ): Promise<Response | null> {
    if (options.waitUntil !== undefined) checkOneOf('waitUntil', options.waitUntil, LOAD_STATES);
    using progress = this.#begin(method, options);
    try {
      const response = await start(progress);
      const status = response?.status() ?? null;
      this.#noteNavigation(method, parameters, { url: this.url(), status });
      return response;
    } catch (error) {
      this.#noteNavigation(method, parameters, { url: this.url(), error: errorFacts(error) });
      throw error;
    }
  }

  #noteNavigation(
    method: string,
    parameters: object,
    result: { url: string; status?: number | null; error?: ErrorFacts },
  ): void {
    const { url, status, error } = result;
    const answer = typeof status === 'number' ? ` (${status})` : '';
    this.#settings.log.write(
      'navigation',
      1,
      error ? `${method} failed: ${errorSentence(error)}` : `${method} ${url}${answer}`,
    );
    this.#settings.onNavigate({ parameters: { method, ...parameters }, result });
  }

  async #clickPoint(
    point: { x: number; y: number },
    { button = 'left', clickCount = 1, returnXpath = false, ...limits }: PointClickOptions,
  ): Promise<string> {
    checkOneOf('button', button, ['left', 'right', 'middle']);
    checkWholeNumber('clickCount', clickCount, { least: 1 });
    checkFlag('returnXpath', returnXpath);
    using progress = this.#begin('click', limits);
    const mustLookUp = returnXpath || hasRemoteFrames(this.target);
    const target = mustLookUp
      ? await targetAtPoint(progress, this.target, point)
      : { xpath: '', session: this.target.session, point };
    await progress.race(Promise.all(clickMouse(target.session, target.point, { button, clickCount })));
    return returnXpath ? target.xpath : '';
  }
}
