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
/** Extra time in ms, so that the reason why no page opened can be reported after the timeout. */
const ANSWER_GRACE_MS = 250;

/** Events of a context. */
export interface ContextEventMap {
  /** A page opened, by the driver or by another page. */
  page: Page;
  /** The browser closed or was disconnected. */
  close: DriverContext;
}

/** Options of `storageState()`. */
export interface StorageStateOptions extends CallOptions {
  /** Path of a file to write. Missing folders are created. */
  path?: string;
}

/** Settings that a context shares with its driver. */
interface ContextSettings extends PageSettings {
  /** Closes the driver. */
  close(): Promise<void>;
}

/**
 * The pages of a driver's browser: lists them, opens new ones, and tracks the active one.
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
  /** The browser's clipboard. */
  readonly clipboard: Clipboard;
  readonly #connection: Connection;
  readonly #targets: BrowserTargets;
  readonly #settings: ContextSettings;
  readonly #origins = new SiteOrigins();
  readonly #pageByTarget = new Map<PageTarget, Page>();
  readonly #opened = new OpenedPages();
  readonly #listeners: Listeners<ContextEventMap>;
  readonly #requestRules: RequestRules;
  /** Pages by activity, most recent last. */
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
    // The opening order of existing pages is unknown. The first one becomes the active page.
    this.#activity.reverse();
    targets.events.on('page', (target) => this.#opens(target));
    targets.events.on('pageClosed', (target) => this.#remove(target));
    connection.browser.on('closed', () => this.#listeners.emit('close', this));
  }

  /**
   * Adds a listener for an event.
   * @throws DriverInvalidArgumentError when there is no such event.
   * @example
   * context.on('page', (page) => console.log(page.url()));
   */
  on<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener);
    return this;
  }

  /**
   * Adds a listener that is called once.
   * @throws DriverInvalidArgumentError when there is no such event.
   */
  once<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener, true);
    return this;
  }

  /**
   * Removes a listener. If it was added several times, removes the latest one.
   * @throws DriverInvalidArgumentError when there is no such event.
   */
  off<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.off(event, listener);
    return this;
  }

  /**
   * Waits for an event, or for the first one that `predicate` accepts, and returns its payload. Call it before the
   * action that causes the event.
   * @throws DriverTimeoutError when no such event occurs within `timeout` ms.
   * @throws DriverClosedError when the browser closes first, except for the event `close`.
   * @throws DriverInvalidArgumentError when there is no such event.
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
    // When the browser closes, other calls end before `close` listeners run.
    const isForEnd = event === 'close' && !this.#connection.browser.isClosed;
    const settings = isForEnd ? { ...this.#settings, signal: undefined } : this.#settings;
    using progress = beginCall('context.waitForEvent', settings, limits);
    progress.log(`waiting for the event ${JSON.stringify(event)}`);
    return await this.#listeners.next(progress, event, predicate);
  }

  /** Every open page, oldest first. Returns the same objects each time. */
  pages(): Page[] {
    return [...this.#pageByTarget.values()];
  }

  /** The open page that was opened or set last, or `undefined`. */
  activePage(): Page | undefined {
    return this.#activity.at(-1);
  }

  /**
   * Makes a page the default for verbs. Does not bring it to the front.
   * @throws DriverInvalidArgumentError when `page` is not an open page of this driver.
   */
  setActivePage(page: Page): void {
    this.#checkPage(page);
    this.#activate(page);
  }

  /**
   * The active page. Returns at once if no page is opening. Otherwise waits for the document of a page that the browser
   * has announced, or that a current or recent action (less than 300 ms ago) opens. Waits up to `timeout` ms, by
   * default the driver's `defaultTimeout`. A page without a document, such as one opened for a download, is returned
   * empty. To get the page that an action opens, use `waitForEvent('page')`.
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
   * @internal The page that an action has just opened or is about to open, and that no call has used yet. Rejects with a
   * `DriverPageNotFoundError` if there is none.
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
          `No page was opened within ${openingLimit} ms. Check that your action opens a page, or allow more time.`,
          { callLog: progress.callLog },
        );
      }
      try {
        await progress.race(page.target.ready);
        await waitForFirstDocument(progress, page.target);
        return page;
      } catch (error) {
        if (!page.isClosed()) throw error;
        progress.log('a page was opened and closed again');
      }
    }
  }

  /**
   * Opens a page and makes it active. With a URL, navigates to it like `page.goto` and closes the page if that fails.
   * @throws DriverNavigationError when the URL is not absolute, or cannot be opened.
   * @throws DriverDomainPolicyError when the domain policy refuses the URL or a redirect.
   * @throws DriverTimeoutError when the page is not open, or its document not loaded, within the driver's
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
      // The original error matters more than a failure to close the page.
      await page.close().catch(ignoreRejection);
      throw error;
    }
  }

  /**
   * Sends these HTTP headers with every request. Replaces earlier ones. Headers of a page have precedence.
   * @throws DriverHTTPHeadersError when a name or value cannot be sent, or the browser controls the header.
   * @example
   * await context.setExtraHTTPHeaders({ authorization: 'Bearer s3cr3t' });
   */
  setExtraHTTPHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    return this.#requestRules.setExtraHeaders(headers);
  }

  /**
   * Routes matching requests of all pages and workers to a handler, after the handlers of their page. The handler must
   * answer each request. With `times`, it is removed after that many requests.
   * @throws DriverInvalidArgumentError when `pattern`, `handler` or `times` is invalid.
   * @example
   * await context.route('https://ads.example/**', (route) => route.abort('blockedbyclient'));
   */
  route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    return this.#requestRules.route(pattern, handler, options);
  }

  /**
   * Removes the handlers of a pattern, or one of them. A glob or a function must be the same as in `route`; a regular
   * expression must have the same source and flags.
   * @throws DriverInvalidArgumentError when `pattern` or `handler` is invalid.
   */
  unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    return this.#requestRules.unroute(pattern, handler);
  }

  /** Removes all handlers of the context. Handlers of pages stay. */
  unrouteAll(): Promise<void> {
    return this.#requestRules.unrouteAll();
  }

  /**
   * Restricts requests to allowed hosts, or blocks hosts; `null` allows all. The driver's own options still apply.
   * Resolves when the policy covers every request. An entry is a host or IP address, `*.` and a domain, or `*`, each
   * with an optional port.
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

  /** The current policy as it was set, or `null`. */
  getDomainPolicy(): DomainRules | null {
    return this.#targets.control.policy?.rules ?? null;
  }

  /**
   * Cookies of the browser. With URLs, only cookies that a request to one of them would send. Chromium stores a
   * script's cookie asynchronously: it is visible here once the script has read `document.cookie` again.
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
   * Sets all cookies, or none. `expires` is in seconds since 1970; -1 (default) means a session cookie.
   * @throws DriverCookieError when a cookie is invalid; `issues` has a reason for each. No cookie is set.
   * @example
   * await context.addCookies([{ name: 'session', value: 's3cr3t', url: 'https://shop.example', sameSite: 'Lax' }]);
   */
  async addCookies(cookies: readonly NewCookie[]): Promise<void> {
    using progress = this.#begin('addCookies');
    await progress.race(setCookies(this.#connection.browser, cookies));
  }

  /**
   * Removes cookies that match every part of the filter. A string must be equal. Without a filter, removes all.
   * @throws DriverInvalidArgumentError when the filter has another part than `name`, `domain` and `path`.
   * @example
   * await context.clearCookies({ domain: /tracker\.example$/ });
   */
  async clearCookies(filter: CookieFilter = {}): Promise<void> {
    checkCookieFilter(filter);
    using progress = this.#begin('clearCookies');
    await progress.race(removeCookies(this.#connection.browser, filter));
  }

  /**
   * Returns the cookies, and the local storage of every origin that frames of the pages have shown. With `path`, also
   * writes them as JSON. Does not change the pages.
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
   * Replaces all cookies and local storage by a state, or by the JSON file at a path. Origins that the state does not
   * have lose their local storage.
   * @throws DriverInvalidArgumentError when the file cannot be read, or the state is invalid.
   * @throws DriverCookieError when a cookie of the state is invalid.
   * @throws DriverTimeoutError when the state is not set within `timeout` ms.
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
   * Grants permissions to every origin, or to one. Keeps earlier grants.
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

  /** Revokes every granted permission. */
  async clearPermissions(): Promise<void> {
    using progress = this.#begin('clearPermissions');
    await progress.race(this.#connection.browser.send('Browser.resetPermissions'));
  }

  /**
   * Adds a script that runs in every document before the page's own scripts: in all frames of new pages, and in open
   * pages from their next document on. Scripts run in the order in which they were added.
   * @throws DriverInvalidArgumentError when the script does not compile, its file cannot be read, or `argument` is not
   * data or is given with a script that is not a function.
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
   * Closes the driver, like `driver.close()`. Closes the browser too, unless the driver has `keepAlive` or was attached
   * to it.
   */
  async close(): Promise<void> {
    if (!this.#connection.browser.isClosed) await this.#settings.close();
  }

  /**
   * Opens an empty page. In headless mode it gets a window of its own, because a browser renders only one page per window. A page that
   * opens after the call has ended is closed.
   */
  async #openEmptyPage(progress: Progress): Promise<Page> {
    const { browser } = this.#connection;
    const created = browser.send('Target.createTarget', { url: 'about:blank', newWindow: isHeadless(browser) });
    try {
      const { targetId } = await progress.race(created);
      const target = this.#targets.page(targetId);
      if (!target)
        throw new DriverPageNotFoundError(
          'The page was closed as soon as the browser had opened it. Call newPage() again.',
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

  /** Emits a page when it is usable or has closed. A popup is emitted before its scripts run, so that it can be set up. */
  #opens(target: PageTarget): void {
    const page = this.#add(target);
    this.#opened.add(page);
    const opener = this.#targets.openerOf(target.id);
    const tell = (): void => {
      if (opener) this.#pageByTarget.get(opener)?.events.emit('popup', page);
      this.#listeners.emit('page', page);
    };
    if (target.isHeld) tell();
    else target.ready.then(tell, tell);
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
