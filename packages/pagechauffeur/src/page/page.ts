import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { checkSnapshotOptions, type SnapshotOptions } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
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

/** Options of `reload()`, `goBack()`, `goForward()`, `waitForURL()` and `setContent()`. */
export interface NavigationOptions extends CallOptions {
  /**
   * How far the document must have loaded. Default `domcontentloaded` (in Playwright `load`); for `setContent()`,
   * `load`.
   */
  waitUntil?: LoadState;
}

/** Options of `goto()`. */
export interface GotoOptions extends NavigationOptions {
  /** Same as `timeout`, and takes precedence over it. */
  timeoutMs?: number;
  /** Value of the `Referer` header. */
  referer?: string;
}

const LOAD_STATES: readonly LoadState[] = ['commit', 'domcontentloaded', 'load', 'networkidle'];

/**
 * A tab of the browser: navigates, sends input and reads content. `act`, `observe` and `extract` are methods of the
 * driver.
 *
 * Calls throw a `DriverInvalidArgumentError` for an argument of a wrong type or value, a `DriverClosedError` if the
 * page is closed or crashed, and a `DriverAbortError` if `signal` is aborted. A call that takes longer than `timeout`
 * ms throws a `DriverTimeoutError`. The default is the driver's `defaultTimeout`, 30000 ms unless set.
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

  /**
   * Adds a listener. A `dialog` listener must accept or dismiss the dialog, or the page stays blocked.
   * @throws DriverInvalidArgumentError when `event` is not an event of the page.
   * @example
   * page.on('console', (message) => console.log(message.type(), message.text()));
   */
  on<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.on(event, listener);
    return this;
  }

  /**
   * Adds a listener that is removed after its first event.
   * @throws DriverInvalidArgumentError when `event` is not an event of the page.
   */
  once<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.on(event, listener, true);
    return this;
  }

  /**
   * Removes a listener. If it was added several times, removes only the latest registration.
   * @throws DriverInvalidArgumentError when `event` is not an event of the page.
   */
  off<E extends keyof PageEventMap<Page>>(event: E, listener: Listener<PageEventMap<Page>[E]>): this {
    this.events.off(event, listener);
    return this;
  }

  /**
   * Waits for the next event and returns its payload. With `predicate`, skips events until it returns a truthy value.
   * Call this before the action that causes the event.
   * @throws DriverTimeoutError when no such event occurs within `timeout` ms.
   * @throws DriverClosedError when the page closes first.
   * @example
   * const answered = page.waitForEvent('response', { predicate: (response) => response.url().endsWith('/api/cart') });
   * await page.getByRole('button', { name: 'Add' }).click();
   * console.log((await answered).status());
   */
  async waitForEvent<E extends keyof PageEventMap<Page>>(
    event: E,
    options?: WaitForEventOptions<PageEventMap<Page>[E]> | ((payload: PageEventMap<Page>[E]) => unknown),
  ): Promise<PageEventMap<Page>[E]> {
    return this.events.waitFor(event, options);
  }

  /**
   * Navigates to an absolute URL and waits until the document reaches `waitUntil`, by default `domcontentloaded`.
   * Returns the response, also for an HTTP error status; `null` if there is none, for example if only the fragment
   * changes.
   * @throws DriverNavigationError when the URL is not absolute, the host cannot be reached, a download starts, or a
   * `beforeunload` dialog is dismissed.
   * @throws DriverDomainPolicyError when the domain policy refuses the URL or a redirect.
   * @throws DriverTimeoutError when the document does not reach `waitUntil` within `timeout` ms.
   * @example
   * const response = await page.goto('https://shop.example/mugs', { waitUntil: 'load', timeout: 10_000 });
   * if (!response?.ok()) console.log(response?.status());
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

  /**
   * Reloads the page and waits until the document reaches `waitUntil`, by default `domcontentloaded`. Returns the
   * response, or `null` if there is none.
   * @throws DriverNavigationError when the document cannot be loaded, or a `beforeunload` dialog is dismissed.
   * @throws DriverTimeoutError when the document does not reach `waitUntil` within `timeout` ms.
   */
  async reload(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'reload', options }, (progress) =>
      reloadPage(progress, this.target, options.waitUntil ?? 'domcontentloaded'),
    );
  }

  /**
   * Goes back one entry in the history and waits like `reload()`. Returns the response, or `null` if there is no
   * earlier entry or the document stays the same.
   * @throws DriverNavigationError when the document cannot be loaded, or a `beforeunload` dialog is dismissed.
   * @throws DriverTimeoutError when the document does not reach `waitUntil` within `timeout` ms.
   */
  async goBack(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'goBack', options }, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: -1 }),
    );
  }

  /**
   * Goes forward one entry in the history and waits like `reload()`. Returns the response, or `null` if there is no
   * later entry or the document stays the same.
   * @throws DriverNavigationError when the document cannot be loaded, or a `beforeunload` dialog is dismissed.
   * @throws DriverTimeoutError when the document does not reach `waitUntil` within `timeout` ms.
   */
  async goForward(options: NavigationOptions = {}): Promise<Response | null> {
    return this.#navigate({ method: 'goForward', options }, (progress) =>
      goInHistory(progress, this.target, { waitUntil: options.waitUntil ?? 'domcontentloaded', steps: 1 }),
    );
  }

  /** URL of the main frame; `about:blank` before the first navigation. */
  url(): string {
    return this.target.frames.main.url || 'about:blank';
  }

  /**
   * Waits until the document reaches a load state, by default `load`. Returns immediately if it already has.
   * `networkidle` means 500 ms without a request; unlike in Playwright, long polls and streams do not count.
   * @throws DriverTimeoutError when the document does not reach the state within `timeout` ms.
   * @example
   * await page.locator('#refresh').click();
   * await page.waitForLoadState('networkidle');
   */
  async waitForLoadState(state: LoadState = 'load', options?: CallOptions): Promise<void> {
    checkOneOf('state', state, LOAD_STATES);
    using progress = this.#begin('waitForLoadState', options);
    await waitForLoadState(progress, this.target, state);
  }

  /**
   * Waits until the URL matches and the document reaches `waitUntil`, by default `domcontentloaded`. Returns
   * immediately if both are true. A string is a glob for the whole URL: `*` matches anything but slashes, `**`
   * anything.
   * @throws DriverInvalidArgumentError when `pattern` is not a glob, a regular expression or a function.
   * @throws DriverTimeoutError when the URL does not match, or the document has not loaded, within `timeout` ms.
   * @example
   * await page.getByRole('button', { name: 'Pay' }).click();
   * await page.waitForURL('https://shop.example/orders/*', { waitUntil: 'load' });
   */
  async waitForURL(pattern: UrlPattern, options: NavigationOptions = {}): Promise<void> {
    checkOptions(options);
    const { waitUntil = 'domcontentloaded', ...limits } = options;
    checkOneOf('waitUntil', waitUntil, LOAD_STATES);
    using progress = this.#begin('waitForURL', limits);
    await waitForUrl(progress, this.target, { pattern, waitUntil });
  }

  /**
   * Calls a function, or evaluates an expression, in the page until the result is truthy. Returns that result.
   * `polling` is `raf` (default, each animation frame) or an interval in ms.
   * @throws DriverEvalError when the script throws.
   * @throws DriverTimeoutError when no result is truthy within `timeout` ms.
   * @example
   * await page.waitForFunction("document.querySelectorAll('li').length >= 3", undefined, { polling: 250 });
   */
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

  /**
   * Replaces the document's HTML without changing the URL, and waits until the document reaches `waitUntil`, by default
   * `load`.
   * @throws DriverTimeoutError when the document does not reach `waitUntil` within `timeout` ms.
   * @example
   * await page.setContent('<h1>Blue mug</h1><button>Add</button>');
   */
  async setContent(html: string, options: NavigationOptions = {}): Promise<void> {
    checkString('html', html, { mayBeEmpty: true });
    checkOptions(options);
    const { waitUntil = 'load', ...limits } = options;
    checkOneOf('waitUntil', waitUntil, LOAD_STATES);
    using progress = this.#begin('setContent', limits);
    await setContent(progress, this.target, { html, waitUntil });
  }

  /**
   * Sets the viewport size in CSS pixels: whole numbers from 1 to 10000000. `deviceScaleFactor` is the number of device
   * pixels per CSS pixel; 0 (default) uses the browser's screen.
   * @throws DriverInvalidArgumentError when a number is out of range.
   * @example
   * await page.setViewportSize(390, 844, { deviceScaleFactor: 3 });
   */
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

  /**
   * Prints the page and returns the bytes of the PDF file. With `path`, also writes the file. Numbers are CSS pixels
   * (96 per inch); strings have a unit: `px`, `in`, `cm` or `mm`.
   * @throws DriverInvalidArgumentError when an option is invalid, or the file cannot be written.
   * @throws DriverProtocolError when the browser refuses to print, for example for `pageRanges` that do not exist.
   * @example
   * await page.pdf({ path: 'order.pdf', format: 'A4', margin: { top: '1cm', bottom: '1cm' } });
   */
  async pdf(options: PdfOptions = {}): Promise<Buffer> {
    using progress = this.#begin('pdf', options);
    return await printPdf(progress, this.target, options);
  }

  /**
   * Waits for `ms` milliseconds. `defaultTimeout` does not apply. Prefer to wait for an event or an element.
   * @throws DriverClosedError when the page closes meanwhile.
   */
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
   * Calls a function with one argument, or evaluates an expression, in the main world. Waits for a returned promise and
   * returns the result by value; elements, functions and other values that cannot be serialized become `undefined`. The
   * function cannot use variables of your program.
   * @throws DriverEvalError when the script throws, with its message and stack; when its result is nested too deeply;
   * or when the page navigates meanwhile.
   * @throws DriverInvalidArgumentError when `argument` cannot be serialized, for example a function.
   * @throws DriverTimeoutError when the script does not end within `timeout` ms. The script keeps running in the page.
   * @example
   * const title = await page.evaluate('document.title');
   * const sum = await page.evaluate(({ a, b }) => a + b, { a: 1, b: 2 });
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
   * Adds a script that runs in every new document of the page, frames included, before the page's own scripts. Scripts
   * run in the order in which they were added to the page and its context.
   * @throws DriverInvalidArgumentError when the script does not compile, its file cannot be read, `argument` cannot be
   * serialized, or `argument` is set but the script is not a function.
   * @example
   * await page.addInitScript((startedAt) => Object.assign(globalThis, { startedAt }), Date.now());
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

  /**
   * Takes a screenshot of the viewport and returns the image, by default a PNG with one pixel per device pixel.
   * Variable values are masked.
   * @throws DriverInvalidArgumentError when options are invalid or exclude each other, or the file cannot be written.
   * @throws DriverTimeoutError when the page does not render within `timeout` ms.
   * @example
   * await page.screenshot({ path: 'cart.png', fullPage: true, mask: [page.locator('.user-name')] });
   */
  async screenshot(options: ScreenshotOptions = {}): Promise<Buffer> {
    checkScreenshotOptions(options);
    using progress = this.#begin('screenshot', options);
    return await captureScreenshot(progress, { page: this.target, options, mask: this.settings.mask });
  }

  /**
   * Returns the page as text, as models see it, including all frames and shadow roots. Folds repeated items if the text
   * exceeds `tokenBudget` tokens; the default is the driver's `snapshot.tokenBudget`, 6500 unless set.
   * @throws DriverElementNotFoundError when `selector` matches no element, or no element has the ref in `expand`.
   * @throws XPathResolutionError when an XPath in `selector` matches no element, or an XPath is invalid.
   * @throws DriverIframeError when `selector` enters a frame that is missing or failed to load.
   * @throws ContentFrameNotFoundError when `selector` enters an element that has no document.
   * @example
   * const { text, refs, urls } = await page.snapshot({ selector: 'main', tokenBudget: 2000 });
   * console.log(text, refs['e1']?.role, urls[0]);
   */
  async snapshot(options: SnapshotOptions & CallOptions = {}): Promise<PageSnapshot> {
    checkSnapshotOptions(options);
    using progress = this.#begin('snapshot', options);
    const { tokenBudget = this.settings.tokenBudget } = options;
    const snapshot = await takeSnapshot(progress, this.target, { ...options, tokenBudget });
    await checkExpanded(progress, this.target, { snapshot, expand: options.expand });
    return pageSnapshot(snapshot);
  }

  /** The page's target id in CDP. */
  targetId(): string {
    return this.target.id;
  }

  /** The main frame's id in CDP. */
  mainFrameId(): string {
    return this.target.frames.main.id;
  }

  /**
   * Sends a CDP command to the page and returns its result.
   * @throws DriverProtocolError when the browser rejects the command; `reason` is the browser's message.
   * @example
   * await page.sendCDP('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
   */
  async sendCDP(method: string, params?: object): Promise<unknown> {
    checkString('method', method);
    checkOptions(params, 'params');
    using progress = this.#begin('sendCDP');
    return await this.target.drawing.sendForUser(progress, method, params);
  }

  /**
   * Calls `handler` for each matching request from the page. The handler must call `fulfill`, `abort`, `continue` or
   * `fallback` on the route. The latest handler runs first. With `times`, a handler is removed after that many
   * requests.
   * @throws DriverInvalidArgumentError when `pattern`, `handler` or `times` is invalid.
   * @example
   * await page.route(/\.(png|jpe?g)$/, (route) => route.abort());
   * await page.route('https://shop.example/api/cart', (route) => route.fulfill({ json: { items: [] } }), { times: 1 });
   */
  route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    return this.#requestRules.route(pattern, handler, options);
  }

  /**
   * Removes all handlers for a pattern, or only `handler`. `pattern` must equal the one passed to `route()`; regular
   * expressions are equal if their source and flags are.
   * @throws DriverInvalidArgumentError when `pattern` or `handler` is invalid.
   */
  unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    return this.#requestRules.unroute(pattern, handler);
  }

  /** Removes all handlers added with `page.route()`. Handlers from `context.route()` stay. */
  unrouteAll(): Promise<void> {
    return this.#requestRules.unrouteAll();
  }

  /**
   * Sends these HTTP headers with every request from the page. Replaces headers from an earlier call and overrides
   * single headers of the context.
   * @throws DriverHTTPHeadersError when a name or value cannot be sent, or the browser controls the header.
   * @example
   * await page.setExtraHTTPHeaders({ 'accept-language': 'de' });
   */
  setExtraHTTPHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    return this.#requestRules.setExtraHeaders(headers);
  }

  /** Brings the page to the front of its window. Does not change `context.activePage()`. */
  async bringToFront(): Promise<void> {
    using progress = this.#begin('bringToFront');
    await progress.race(this.target.bringToFront());
  }

  /**
   * Closes the page and waits until it has closed. Does nothing if it already has. With `runBeforeUnload`, the page may
   * show a `beforeunload` dialog; if that is dismissed, the page stays open.
   * @throws DriverTimeoutError when the page does not close within `timeout` ms.
   */
  async close(options: CallOptions & { runBeforeUnload?: boolean } = {}): Promise<void> {
    checkOptions(options);
    const { runBeforeUnload = false, ...limits } = options;
    checkFlag('runBeforeUnload', runBeforeUnload);
    if (this.isClosed()) return;
    using progress = beginCall('page.close', this.settings, limits);
    await closePage(progress, this.target, runBeforeUnload);
  }

  /** True once the page has closed or crashed. */
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
