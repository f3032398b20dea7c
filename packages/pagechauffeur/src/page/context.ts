import { isHeadless } from '../cdp/browser-platform.ts';
import type { BrowserTargets } from '../cdp/browser-targets.ts';
import type { Connection } from '../cdp/connection.ts';
import { DomainPolicy, type DomainRules } from '../cdp/network/domain-policy.ts';
import { type PageTarget, setUpPages } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError, DriverPageNotFoundError } from '../errors.ts';
import { checkOptions, checkString, describeValue } from '../util/check-argument.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { type Listener, Listeners } from '../util/listeners.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { Clipboard } from './context/clipboard.ts';
import {
  checkCookieFilter,
  checkUrls,
  type Cookie,
  type CookieFilter,
  readCookies,
  removeCookies,
  setCookies,
} from './context/cookies.ts';
import { addInitScript, type InitScript } from './context/init-scripts.ts';
import type { NewCookie } from './context/new-cookie.ts';
import { checkOrigin, checkPermissions, grantPermissions, type PermissionName } from './context/permissions.ts';
import { SiteOrigins } from './context/site-origins.ts';
import {
  checkedStorageState,
  readStorageState,
  replaceStorageState,
  type StorageState,
  writeStorageState,
} from './context/storage-state.ts';
import { closeRefusedPopups } from './context/refused-popups.ts';
import { waitForFirstDocument } from './first-document.ts';
import { OpenedPages } from './opened-pages.ts';
import { readWaitOptions, type WaitForEventOptions } from './page-events.ts';
import { Page } from './page.ts';
import { RequestRules } from './routing/request-rules.ts';
import { logRequestFaults, type RouteHandler, type RouteOptions } from './routing/route-table.ts';
import type { UrlPattern } from './routing/url-pattern.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

const AWAIT_ACTIVE_PAGE_MS = 5000;
/**
 * Extra time in ms after the timeout, so that the call can throw a `DriverPageNotFoundError` with a reason instead of a
 * plain `DriverTimeoutError`.
 */
const ANSWER_GRACE_MS = 250;

/** Events of `context.on()`, each with its payload. */
export interface ContextEventMap {
  /** A page opened: by `newPage()`, or by a link or script in another page. */
  page: Page;
  /** The browser closed, or the connection to it was lost. */
  close: DriverContext;
}

/** Options of `storageState()`. */
export interface StorageStateOptions extends CallOptions {
  /** Also writes the state to this file as JSON. Creates missing folders. */
  path?: string;
}

interface ContextSettings extends PageSettings {
  /** Closes the driver. */
  close(): Promise<void>;
}

/**
 * The browser context of a driver: its pages, cookies, storage, permissions, clipboard and request handlers.
 *
 * Calls throw a `DriverInvalidArgumentError` for an argument of a wrong type or value, a `DriverClosedError` if the
 * browser is closed or lost, and a `DriverAbortError` if `signal` is aborted. A call that takes longer than `timeout`
 * ms throws a `DriverTimeoutError`. The default is the driver's `defaultTimeout`, 30000 ms unless set.
 * @example
 * const shop = await context.newPage('https://shop.example');
 * const [popup] = await Promise.all([context.waitForEvent('page'), shop.locator('a[target=_blank]').click()]);
 * console.log(popup.url(), context.pages().length);
 */
export class DriverContext {
  /** Reads and writes the browser's clipboard, without a permission prompt. */
  readonly clipboard: Clipboard;
  readonly #connection: Connection;
  readonly #targets: BrowserTargets;
  readonly #settings: ContextSettings;
  readonly #origins = new SiteOrigins();
  readonly #pageByTarget = new Map<PageTarget, Page>();
  readonly #opened = new OpenedPages();
  readonly #listeners: Listeners<ContextEventMap>;
  readonly #requestRules: RequestRules;
  /** Open pages. The last one is the active page. */
  #activity: Page[] = [];

  /** @internal */
  constructor(connection: Connection, targets: BrowserTargets, settings: ContextSettings) {
    this.#connection = connection;
    this.#targets = targets;
    this.#settings = settings;
    maskErrorsOf(this, settings);
    this.#listeners = new Listeners<ContextEventMap>({ page: null, close: null }, settings.log);
    this.#requestRules = new RequestRules({
      control: targets.control,
      settings,
      pageId: undefined,
      pages: () => targets.pages,
      begin: (method) => this.#begin(method),
    });
    closeRefusedPopups(targets, settings.log);
    logRequestFaults(targets.control, settings.log);
    this.clipboard = new Clipboard({
      connection,
      settings,
      activePage: () => this.activePage(),
      checkPage: (page) => this.#checkPage(page),
    });
    for (const target of targets.pages) this.#add(target);
    // CDP does not report which of the existing pages was used last, so the first one becomes the active page.
    this.#activity.reverse();
    targets.events.on('page', (target) => this.#opens(target));
    targets.events.on('pageClosed', (target) => this.#remove(target));
    connection.browser.on('closed', () => this.#listeners.emit('close', this));
  }

  /**
   * Adds a listener. Errors that it throws are logged and do not affect other listeners.
   * @throws DriverInvalidArgumentError when `event` is not an event of the context.
   * @example
   * context.on('page', (page) => console.log(page.url()));
   */
  on<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener);
    return this;
  }

  /**
   * Adds a listener that is removed after its first event.
   * @throws DriverInvalidArgumentError when `event` is not an event of the context.
   */
  once<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener, true);
    return this;
  }

  /**
   * Removes a listener. If it was added several times, removes only the latest registration.
   * @throws DriverInvalidArgumentError when `event` is not an event of the context.
   */
  off<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.off(event, listener);
    return this;
  }

  /**
   * Waits for the next event and returns its payload. With `predicate`, skips events until it returns a truthy value.
   * Call this before the action that causes the event.
   * @throws DriverTimeoutError when no such event occurs within `timeout` ms.
   * @throws DriverClosedError when the browser closes first, except for the event `close`.
   * @throws DriverInvalidArgumentError when `event` is not an event of the context.
   * @example
   * const opened = context.waitForEvent('page', { timeout: 5000 });
   * await page.locator('a[target=_blank]').click();
   * console.log((await opened).url());
   */
  async waitForEvent<E extends keyof ContextEventMap>(
    event: E,
    options: WaitForEventOptions<ContextEventMap[E]> | ((payload: ContextEventMap[E]) => unknown) = {},
  ): Promise<ContextEventMap[E]> {
    this.#listeners.checkEvent(event);
    const { predicate, limits } = readWaitOptions(options);
    // The driver ends pending calls before `close` listeners run, so a call that waits for `close` ignores the driver's
    // signal.
    const isForEnd = event === 'close' && !this.#connection.browser.isClosed;
    const settings = isForEnd ? { ...this.#settings, signal: undefined } : this.#settings;
    using progress = beginCall('context.waitForEvent', settings, limits);
    progress.log(`waiting for the event ${JSON.stringify(event)}`);
    return await this.#listeners.next(progress, event, predicate);
  }

  /** All open pages, oldest first. A page keeps the same object while it is open. */
  pages(): Page[] {
    return [...this.#pageByTarget.values()];
  }

  /**
   * The page that `act`, `extract` and `observe` use by default: the last one that was opened or set with
   * `setActivePage()`. `undefined` if no page is open.
   */
  activePage(): Page | undefined {
    return this.#activity.at(-1);
  }

  /**
   * Makes a page the default for `act`, `extract` and `observe`. Does not bring it to the front.
   * @throws DriverInvalidArgumentError when `page` is not an open page of this driver.
   */
  setActivePage(page: Page): void {
    this.#checkPage(page);
    this.#activate(page);
  }

  /**
   * Returns the active page. If a page is opening, or an action in the last 300 ms may still open one, waits for it and
   * for the `domcontentloaded` event of its document, up to `timeout` ms (default: the driver's `defaultTimeout`). A
   * page opened for a download has no document and is returned empty. To get the page that an action opens, prefer
   * `waitForEvent('page')`.
   * @throws DriverPageNotFoundError when no page is open and none opens within `timeout` ms, by default 5000.
   * @throws DriverNavigationError when the document of the opening page cannot be loaded.
   * @throws DriverTimeoutError when its document does not load in time.
   * @example
   * await page.getByRole('link', { name: 'Help' }).click();
   * const help = await context.awaitActivePage();
   */
  async awaitActivePage(timeout?: number): Promise<Page> {
    using progress = this.#beginAwaiting(timeout);
    while (!this.#opened.isAvailable) {
      const left = Math.max(0, ...this.#targets.pages.map(({ openingTime }) => openingTime));
      const active = this.activePage();
      if (left === 0 && active) return active;
      if (left === 0) break;
      await progress.race(withTimeout(left, this.#opened.available()));
    }
    return await this.#awaitOpened(progress, timeout);
  }

  /**
   * @internal Waits for a page that an action opens and that no call has used yet. Rejects with a
   * `DriverPageNotFoundError` if none opens.
   */
  async awaitOpenedPage(timeout?: number): Promise<Page> {
    using progress = this.#beginAwaiting(timeout);
    return await this.#awaitOpened(progress, timeout);
  }

  #beginAwaiting(timeout: number | undefined): Progress {
    const limit = timeout === undefined ? {} : { timeout };
    return beginCall('context.awaitActivePage', this.#settings, { ...limit, grace: ANSWER_GRACE_MS });
  }

  async #awaitOpened(progress: Progress, timeout: number | undefined): Promise<Page> {
    const openingLimit = timeout ?? AWAIT_ACTIVE_PAGE_MS;
    const deadline = performance.now() + (openingLimit === 0 ? progress.remaining : openingLimit);
    for (;;) {
      const left = Math.max(0, Math.min(deadline - performance.now(), progress.remaining));
      await progress.race(withTimeout(left, this.#opened.available()));
      const page = this.#opened.take();
      if (!page) {
        throw new DriverPageNotFoundError(
          `No page was opened within ${openingLimit} ms. Check that the last action opens one, or pass a longer timeout.`,
          { callLog: progress.callLog },
        );
      }
      try {
        await progress.race(page.target.ready);
        await waitForFirstDocument(progress, page.target);
        return page;
      } catch (error) {
        if (!page.isClosed()) throw error;
        progress.log('a page opened and closed again');
      }
    }
  }

  /**
   * Opens a page and makes it active. With a URL, navigates to it like `page.goto` and closes the page if that fails.
   * @throws DriverNavigationError when the URL is not absolute, or cannot be loaded.
   * @throws DriverDomainPolicyError when the domain policy refuses the URL or a redirect.
   * @throws DriverTimeoutError when the page does not open, or its document does not load, within the driver's
   * `defaultTimeout`.
   * @throws DriverPageNotFoundError when the page closes as soon as it opens.
   * @example
   * const shop = await context.newPage('https://shop.example');
   */
  async newPage(url?: string): Promise<Page> {
    if (url !== undefined) checkString('url', url);
    using progress = beginCall('context.newPage', this.#settings);
    const page = await this.#openEmptyPage(progress);
    this.#opened.remove(page);
    if (url === undefined) return page;
    try {
      await page.goto(url, { timeout: progress.remaining, signal: progress.signal });
      return page;
    } catch (error) {
      // Throw the navigation error even if closing the page fails too.
      await page.close().catch(ignoreRejection);
      throw error;
    }
  }

  /**
   * Sends these HTTP headers with every request from all pages and workers. Replaces headers from an earlier call.
   * `page.setExtraHTTPHeaders()` overrides single headers.
   * @throws DriverHTTPHeadersError when a name or value cannot be sent, or the browser controls the header.
   * @example
   * await context.setExtraHTTPHeaders({ authorization: 'Bearer s3cr3t' });
   */
  setExtraHTTPHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    return this.#requestRules.setExtraHeaders(headers);
  }

  /**
   * Calls `handler` for each matching request from any page or worker. Handlers from `page.route()` run first, then
   * those of the context, the latest first. The handler must call `fulfill`, `abort`, `continue` or `fallback` on the
   * route. With `times`, it is removed after that many requests.
   * @throws DriverInvalidArgumentError when `pattern`, `handler` or `times` is invalid.
   * @example
   * await context.route('https://ads.example/**', (route) => route.abort('blockedbyclient'));
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

  /** Removes all handlers added with `context.route()`. Handlers from `page.route()` stay. */
  unrouteAll(): Promise<void> {
    return this.#requestRules.unrouteAll();
  }

  /**
   * Limits the hosts that pages and workers may request; `null` removes the limits. The driver's `allowedDomains` and
   * `blockedDomains` still apply. Resolves once the policy applies to all requests. An entry is a host, an IP address,
   * `*.` with a domain, or `*`; a port is optional.
   * @throws DriverDomainPolicyError when an entry is invalid, or allows a host that the driver's `allowedDomains` does
   * not.
   * @example
   * await context.setDomainPolicy({ allowedDomains: ['shop.example', '*.shop.example', 'localhost:3000'] });
   */
  async setDomainPolicy(rules: DomainRules | null): Promise<void> {
    const { control } = this.#targets;
    const policy = rules === null ? control.bounds : new DomainPolicy(rules, control.bounds);
    using progress = this.#begin('setDomainPolicy');
    await progress.race(control.setPolicy(policy));
  }

  /** The rules from `setDomainPolicy()`, else those from the driver's options, else `null`. */
  getDomainPolicy(): DomainRules | null {
    return this.#targets.control.policy?.rules ?? null;
  }

  /**
   * Returns all cookies, or only those that a request to one of `urls` would send. Chromium stores cookies from
   * `document.cookie` asynchronously: a new one is included once a script has read `document.cookie` again.
   * @throws DriverInvalidArgumentError when a URL is not absolute.
   * @example
   * const sent = await context.cookies('https://shop.example/cart');
   * console.log(sent.map(({ name, value }) => `${name}=${value}`));
   */
  async cookies(urls?: string | readonly string[]): Promise<Cookie[]> {
    const wanted = checkUrls(urls);
    using progress = this.#begin('cookies');
    return await progress.race(readCookies(this.#connection.browser, wanted));
  }

  /**
   * Adds cookies. If one is invalid, adds none. `expires` is in seconds since 1970; -1 (default) means a session
   * cookie.
   * @throws DriverCookieError when a cookie is invalid, with the reasons in `issues`, or when the browser rejects one.
   * @example
   * await context.addCookies([{ name: 'session', value: 's3cr3t', url: 'https://shop.example', sameSite: 'Lax' }]);
   */
  async addCookies(cookies: readonly NewCookie[]): Promise<void> {
    using progress = this.#begin('addCookies');
    await progress.race(setCookies(this.#connection.browser, cookies));
  }

  /**
   * Removes all cookies, or only those that match every property of the filter. A string must equal the whole value.
   * @throws DriverInvalidArgumentError when the filter has other properties than `name`, `domain` and `path`.
   * @example
   * await context.clearCookies({ domain: /tracker\.example$/ });
   */
  async clearCookies(filter: CookieFilter = {}): Promise<void> {
    checkCookieFilter(filter);
    using progress = this.#begin('clearCookies');
    await progress.race(removeCookies(this.#connection.browser, filter));
  }

  /**
   * Returns all cookies, and the local storage of every origin that a frame has loaded so far. With `path`, also writes
   * them to a JSON file. Open pages stay as they are.
   * @throws DriverInvalidArgumentError when the file cannot be written.
   * @throws DriverTimeoutError when the state is not read within `timeout` ms.
   * @example
   * await context.storageState({ path: 'state.json' });
   */
  async storageState(options: StorageStateOptions = {}): Promise<StorageState> {
    checkOptions(options);
    const { path, ...limits } = options;
    if (path !== undefined) checkString('path', path);
    using progress = this.#begin('storageState', limits);
    const { pages } = this.#targets;
    const parts = { connection: this.#connection, pages, origins: this.#origins.seenIn(pages) };
    const state = await progress.race(readStorageState(progress, parts));
    if (path !== undefined) await writeStorageState(path, state);
    return state;
  }

  /**
   * Replaces all cookies and local storage with a state, given as an object or as the path of a JSON file. Origins
   * missing from the state lose their local storage.
   * @throws DriverInvalidArgumentError when the file cannot be read, or the state is invalid.
   * @throws DriverCookieError when a cookie in the state is invalid.
   * @throws DriverTimeoutError when the state is not restored within `timeout` ms.
   * @example
   * await context.setStorageState('state.json');
   */
  async setStorageState(state: StorageState | string, options?: CallOptions): Promise<void> {
    checkOptions(options);
    using progress = this.#begin('setStorageState', options);
    const checked = await progress.race(checkedStorageState(state));
    for (const { origin } of checked.origins) this.#origins.add(origin);
    await progress.race(replaceStorageState(progress, this.#connection, checked));
  }

  /**
   * Grants permissions to `origin`, or to all origins. Earlier grants stay.
   * @throws DriverInvalidArgumentError when a name is not a permission, or `origin` is not an origin.
   * @example
   * await context.grantPermissions(['geolocation', 'notifications'], { origin: 'https://shop.example' });
   */
  async grantPermissions(
    permissions: readonly PermissionName[],
    options: { readonly origin?: string } = {},
  ): Promise<void> {
    checkPermissions(permissions);
    checkOptions(options, 'options', ['origin']);
    const origin = checkOrigin(options.origin);
    using progress = this.#begin('grantPermissions');
    await progress.race(grantPermissions(this.#connection.browser, permissions, origin));
  }

  /** Resets all permissions to the browser's defaults. */
  async clearPermissions(): Promise<void> {
    using progress = this.#begin('clearPermissions');
    await progress.race(this.#connection.browser.send('Browser.resetPermissions'));
  }

  /**
   * Adds a script that runs in every new document, frames included, before the page's own scripts. Pages that are
   * already open run it from their next document on. Scripts run in the order in which they were added.
   * @throws DriverInvalidArgumentError when the script does not compile, its file cannot be read, `argument` cannot be
   * serialized, or `argument` is set but the script is not a function.
   * @example
   * await context.addInitScript({ path: 'scripts/fixed-clock.js' });
   */
  async addInitScript<Argument = unknown>(script: InitScript<Argument>, argument?: Argument): Promise<void> {
    using progress = this.#begin('addInitScript');
    const { pages } = this.#targets;
    await addInitScript(
      progress,
      { script, argument },
      {
        compiler: pages[0]?.frames.main,
        add: (source) => this.#targets.addInitScript(source),
        setUp: (setup) => setUpPages(pages, setup),
      },
    );
  }

  /**
   * Closes the driver, like `driver.close()`. The browser stays open if the driver has `keepAlive` or was attached to a
   * running browser.
   */
  async close(): Promise<void> {
    if (!this.#connection.browser.isClosed) await this.#settings.close();
  }

  /**
   * In headless mode each page gets a new window, because Chromium renders only one page per window. If the call ends
   * before the page is open, closes the page once it opens.
   */
  async #openEmptyPage(progress: Progress): Promise<Page> {
    const { browser } = this.#connection;
    const created = browser.send('Target.createTarget', { url: 'about:blank', newWindow: isHeadless(browser) });
    try {
      const { targetId } = await progress.race(created);
      const target = this.#targets.page(targetId);
      if (!target)
        throw new DriverPageNotFoundError(
          'Cannot open a page: it closed before the driver could attach to it. Call newPage() again.',
        );
      await progress.race(target.ready);
      return this.#add(target);
    } catch (error) {
      created.then(({ targetId }) => browser.send('Target.closeTarget', { targetId })).catch(ignoreRejection);
      throw error;
    }
  }

  #checkPage(page: Page): void {
    if (page instanceof Page && this.#pageByTarget.get(page.target) === page) return;
    throw new DriverInvalidArgumentError(
      `page must be an open page of this driver, such as context.pages()[0]. Received ${describeValue(page)}.`,
      { argument: 'page' },
    );
  }

  #begin(method: string, options?: CallOptions): Progress {
    return beginCall(`context.${method}`, this.#settings, options);
  }

  #add(target: PageTarget): Page {
    const known = this.#pageByTarget.get(target);
    if (known) return known;
    const page = new Page(target, { ...this.#settings, onCall: () => this.#opened.noteCall(page) });
    this.#pageByTarget.set(target, page);
    this.#activity.push(page);
    this.#origins.watch(target);
    return page;
  }

  /**
   * Emits a held popup immediately, so that listeners can set it up before its scripts run. Emits any other page once
   * it is usable or has closed.
   */
  #opens(target: PageTarget): void {
    const page = this.#add(target);
    this.#opened.add(page);
    const opener = this.#targets.openerOf(target.id);
    const notify = (): void => {
      if (opener) this.#pageByTarget.get(opener)?.events.emit('popup', page);
      this.#listeners.emit('page', page);
    };
    if (target.isHeld) notify();
    else target.ready.then(notify, notify);
  }

  #remove(target: PageTarget): void {
    const page = this.#pageByTarget.get(target);
    this.#pageByTarget.delete(target);
    if (page) this.#opened.remove(page);
    this.#activity = this.#activity.filter((other) => other !== page);
  }

  #activate(page: Page): void {
    this.#opened.remove(page);
    this.#activity = [...this.#activity.filter((other) => other !== page), page];
  }
}
