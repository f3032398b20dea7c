import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { checkSnapshotOptions } from '../snapshot/check-snapshot-options.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { SnapshotOptions } from '../snapshot/snapshot.ts';
import { checkFlag, checkMilliseconds, checkOneOf, checkOptions, checkString } from '../util/check-argument.ts';
import { type ErrorFacts, errorFacts, errorSentence } from '../util/error-facts.ts';
import type { Listener } from '../util/listeners.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { closePage } from './close-page.ts';
import { addInitScript, type InitScript } from './context/init-scripts.ts';
import { goInHistory, gotoUrl, reloadPage, waitForLoadState } from './navigation.ts';
import type { LoadState } from './navigation-watch.ts';
import { type PageEventMap, PageEvents, type WaitForEventOptions } from './page-events.ts';
import { PageInput } from './page-input.ts';
import { checkExpanded, type PageSnapshot, pageSnapshot } from './page-snapshot.ts';
import { responseOf } from './request.ts';
import type { Response } from './response.ts';
import { RequestRules } from './routing/request-rules.ts';
import type { RouteHandler, RouteOptions } from './routing/route-table.ts';
import type { UrlPattern } from './routing/url-pattern.ts';
import { type PdfOptions, printPdf } from './print-pdf.ts';
import { runScript } from './run-script.ts';
import { captureScreenshot } from './screenshot.ts';
import { checkScreenshotOptions, type ScreenshotOptions } from './screenshot-options.ts';
import { setContent } from './set-content.ts';
import { checkViewportSize, setViewportSize } from './viewport-size.ts';
import { checkPolling, waitForFunction, type WaitForFunctionOptions } from './wait-for-function.ts';
import { waitForUrl } from './wait-for-url.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/** Options of a navigation. */
export interface NavigationOptions extends CallOptions {
  /** How far the document must have loaded; default `domcontentloaded`. */
  waitUntil?: LoadState;
}

/** Options of `goto()`. */
export interface GotoOptions extends NavigationOptions {
  /** Alias of `timeout`. */
  timeoutMs?: number;
  /** Value of the `Referer` header. */
  referer?: string;
}

const LOAD_STATES: readonly LoadState[] = ['commit', 'domcontentloaded', 'load', 'networkidle'];

/**
 * A page of the browser: navigation, input by point and by selector, and reading. The AI verbs are methods of the driver.
 *
 * @example
 * const response = await page.goto('https://shop.example', { waitUntil: 'load' });
 * await page.getByLabel('E-mail').fill('ada@example.com');
 * console.log(response?.status(), await page.title());
 */
export class Page extends PageInput {
  /** @internal */
  readonly events: PageEvents<Page>;
  readonly #requestRules: RequestRules;

  /** @internal */
  constructor(target: PageTarget, settings: PageSettings) {
    super(target, { ...settings, obstacle: () => target.obstacle });
    this.events = new PageEvents<Page>(this, target, this.settings);
    maskErrorsOf(this, settings);
    this.#requestRules = new RequestRules({
      control: target.control,
      settings: this.settings,
      pageId: target.id,
      pages: () => [target],
      begin: (method) => this.#begin(method),
    });
  }

  /** Adds a listener for an event. Listeners for dialogs must answer them. */
  on<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.on(event, listener);
    return this;
  }

  /** Adds a listener that is called once. */
  once<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.on(event, listener, true);
    return this;
  }

  /** Removes a listener. */
  off<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.off(event, listener);
    return this;
  }

  /**
   * Waits for an event, or for the first one that `predicate` accepts, and returns its payload. Throws a `DriverTimeoutError` if none
   * occurs within `timeout` ms.
   */
  async waitForEvent<E extends keyof PageEventMap<Page>>(
    event: E,
    options?: WaitForEventOptions<PageEventMap<Page>[E]> | ((payload: PageEventMap<Page>[E]) => unknown),
  ): Promise<PageEventMap<Page>[E]> {
    return this.events.waitFor(event, options);
  }

  /**
   * Opens an absolute URL and waits until its document has loaded as far as `waitUntil`. Throws a `DriverNavigationError` for an invalid
   * URL or an unreachable host, but not for an HTTP error status.
   */
  async goto(url: string, options: GotoOptions = {}): Promise<Response | null> {
    checkString('url', url);
    checkOptions(options, 'options', ['timeoutMs']);
    const { timeoutMs, ...others } = options;
    const { waitUntil, referer } = others;
    if (referer !== undefined) checkString('referer', referer, { mayBeEmpty: true });
    if (timeoutMs !== undefined) checkMilliseconds('timeoutMs', timeoutMs);
    const limits = { ...others, ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) };
    return this.#navigate({ method: 'goto', url, options: limits }, (progress) =>
      gotoUrl(progress, this.target, {
        url,
        waitUntil: waitUntil ?? 'domcontentloaded',
        ...(referer === undefined ? {} : { referer }),
      }),
    );
  }

  /** Reloads the page. */
  async reload(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'reload', options }, (progress) =>
      reloadPage(progress, this.target, options.waitUntil ?? 'domcontentloaded'),
    );
  }

  /** Goes back in the page's history. Returns `null` if there is no earlier entry. */
  async goBack(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'goBack', options }, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: -1 }),
    );
  }

  /** Goes forward in the page's history. Returns `null` if there is no later entry. */
  async goForward(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'goForward', options }, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: 1 }),
    );
  }

  /** Current URL of the page. */
  url(): string {
    return this.target.frames.main.url || 'about:blank';
  }

  /** Waits until the current document has reached this state. */
  async waitForLoadState(state: LoadState = 'load', options?: CallOptions): Promise<void> {
    checkOneOf('state', state, LOAD_STATES);
    using progress = this.#begin('waitForLoadState', options);
    await waitForLoadState(progress, this.target, state);
  }

  /** Waits until the page's URL matches a glob, a regular expression or a function, and its document has come as far as `waitUntil`. */
  async waitForURL(pattern: UrlPattern, options: NavigationOptions = {}): Promise<void> {
    checkOptions(options);
    const { waitUntil = 'domcontentloaded', ...limits } = options;
    checkOneOf('waitUntil', waitUntil, LOAD_STATES);
    using progress = this.#begin('waitForURL', limits);
    await waitForUrl(progress, this.target, { pattern, waitUntil });
  }

  /** Calls a function, or evaluates an expression, in the page until it returns a truthy value. Returns that value. */
  async waitForFunction<Result = unknown, Argument = unknown>(
    script: string | ((argument: Argument) => Result),
    argument?: Argument,
    options: WaitForFunctionOptions = {},
  ): Promise<Awaited<Result>> {
    checkOptions(options);
    const { polling, ...limits } = options;
    checkPolling(polling);
    using progress = this.#begin('waitForFunction', limits);
    const wanted = { script, argument, ...(polling === undefined ? {} : { polling }) };
    return (await waitForFunction(progress, this.target.frames.main, wanted)) as Awaited<Result>;
  }

  /** Replaces the document and waits until it has loaded as far as `waitUntil`, by default `load`. */
  async setContent(html: string, options: NavigationOptions = {}): Promise<void> {
    checkString('html', html, { mayBeEmpty: true });
    checkOptions(options);
    const { waitUntil = 'load', ...limits } = options;
    checkOneOf('waitUntil', waitUntil, LOAD_STATES);
    using progress = this.#begin('setContent', limits);
    await setContent(progress, this.target, { html, waitUntil });
  }

  /** Sets the size of the page's viewport in CSS pixels. */
  async setViewportSize(
    width: number,
    height: number,
    options: CallOptions & { deviceScaleFactor?: number } = {},
  ): Promise<void> {
    checkOptions(options);
    const { deviceScaleFactor = 0, ...limits } = options;
    const size = { width, height, deviceScaleFactor };
    checkViewportSize(size);
    using progress = this.#begin('setViewportSize', limits);
    await setViewportSize(progress, this.target, size);
  }

  /** Prints the page as a PDF file. */
  async pdf(options: PdfOptions = {}): Promise<Buffer> {
    using progress = this.#begin('pdf', options);
    return await printPdf(progress, this.target, options);
  }

  /** Waits this many milliseconds. Prefer waiting for an event or an element. */
  async waitForTimeout(ms: number, options?: CallOptions): Promise<void> {
    checkMilliseconds('ms', ms);
    checkOptions(options);
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

  /**
   * Calls a function with one argument, or evaluates an expression, in the main world. Returns the result by value. Throws a
   * `DriverEvalError` with message and stack if the page throws.
   */
  async evaluate<Result = unknown, Argument = unknown>(
    script: string | ((argument: Argument) => Result),
    argument?: Argument,
    options?: CallOptions,
  ): Promise<Awaited<Result>> {
    using progress = this.#begin('evaluate', options);
    return (await runScript(progress, this.target.frames.main, { script, argument })) as Awaited<Result>;
  }

  /**
   * Adds a script that runs in every document of the page before the page's own scripts, frames included, from the next document on.
   * Scripts run in the order in which they were added to the page and to its context.
   */
  async addInitScript<Argument = unknown>(script: InitScript<Argument>, argument?: Argument): Promise<void> {
    using progress = this.#begin('addInitScript');
    const { target } = this;
    await addInitScript(
      progress,
      { script, argument },
      {
        compiler: target.frames.main,
        add: (source) => target.initScripts.add(source),
        setUp: (setup) => target.setUp(setup),
      },
    );
  }

  /** Takes a screenshot of the viewport, by default as PNG, and returns the bytes. Variable values are masked. */
  async screenshot(options: ScreenshotOptions = {}): Promise<Buffer> {
    checkScreenshotOptions(options);
    using progress = this.#begin('screenshot', options);
    return await captureScreenshot(progress, { page: this.target, options, secrets: this.settings.secrets });
  }

  /** @internal Masks these values in all screenshots from now on. */
  maskInScreenshots(values: readonly string[]): void {
    for (const value of values) if (value !== '') this.settings.secrets.add(value);
  }

  /** The page as text for a person or a model, including all frames and shadow roots. */
  async snapshot(options: SnapshotOptions & CallOptions = {}): Promise<PageSnapshot> {
    checkSnapshotOptions(options);
    using progress = this.#begin('snapshot', options);
    const { tokenBudget = this.settings.tokenBudget } = options;
    const snapshot = await takeSnapshot(progress, this.target, { ...options, tokenBudget });
    await checkExpanded(progress, this.target, { snapshot, expand: options.expand });
    return pageSnapshot(snapshot);
  }

  /** Target id of the page for other DevTools clients. */
  targetId(): string {
    return this.target.id;
  }

  /** Id of the main frame for other DevTools clients. */
  mainFrameId(): string {
    return this.target.frames.main.id;
  }

  /** Sends a CDP command to the page and returns its result. Throws a `DriverProtocolError` if the command fails. */
  async sendCDP(method: string, params?: object): Promise<unknown> {
    checkString('method', method);
    checkOptions(params, 'params');
    using progress = this.#begin('sendCDP');
    return await this.target.drawing.sendForUser(progress, method, params);
  }

  /** Routes matching requests of the page to a handler. The handler registered last runs first. */
  route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    return this.#requestRules.route(pattern, handler, options);
  }

  /** Removes the handlers of a pattern, or one of them. */
  unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    return this.#requestRules.unroute(pattern, handler);
  }

  /** Removes all handlers of this page. */
  unrouteAll(): Promise<void> {
    return this.#requestRules.unrouteAll();
  }

  /** Sends these HTTP headers with every request of the page. Replaces earlier ones and overrides those of the context. */
  setExtraHTTPHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    return this.#requestRules.setExtraHeaders(headers);
  }

  /** Brings the page to the front of its window. */
  async bringToFront(): Promise<void> {
    using progress = this.#begin('bringToFront');
    await progress.race(this.target.bringToFront());
  }

  /** Closes the page and waits until it is gone. With `runBeforeUnload` the page may show a dialog, and stays open if that is declined. */
  async close(options: CallOptions & { runBeforeUnload?: boolean } = {}): Promise<void> {
    checkOptions(options);
    const { runBeforeUnload = false, ...limits } = options;
    checkFlag('runBeforeUnload', runBeforeUnload);
    if (this.isClosed()) return;
    using progress = beginCall('page.close', this.settings, limits);
    await closePage(progress, this.target, runBeforeUnload);
  }

  /** True if the page is closed. */
  isClosed(): boolean {
    return this.target.isClosed;
  }

  #begin(method: string, options?: CallOptions): Progress {
    checkOptions(options);
    return beginCall(`page.${method}`, this.settings, { ...options, gone: this.target.gone });
  }

  async #navigate(
    { options, ...parameters }: { method: string; url?: string; options: NavigationOptions },
    start: (progress: Progress) => Promise<NetworkRequest | null>,
  ): Promise<Response | null> {
    checkOptions(options);
    if (options.waitUntil !== undefined) checkOneOf('waitUntil', options.waitUntil, LOAD_STATES);
    using progress = this.#begin(parameters.method, options);
    try {
      const request = await start(progress);
      const { target, settings } = this;
      const response = request && responseOf(request, { page: target, network: target.network, settings });
      this.#noteNavigation(parameters, { url: this.url(), status: response?.status() ?? null });
      return response;
    } catch (error) {
      this.#noteNavigation(parameters, { url: this.url(), error: errorFacts(error) });
      throw error;
    }
  }

  #noteNavigation(
    parameters: { method: string },
    result: { url: string; status?: number | null; error?: ErrorFacts },
  ): void {
    const { url, status, error } = result;
    const answer = typeof status === 'number' ? ` (${status})` : '';
    const outcome = error ? `failed: ${errorSentence(error)}` : `${url}${answer}`;
    this.settings.log.write('navigation', 1, `${parameters.method} ${outcome}`);
    this.settings.onNavigate({ parameters, result });
  }
}
