import type { BrowserTargets } from '../cdp/browser-targets.ts';
import type { Connection } from '../cdp/connection.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError, DriverPageNotFoundError } from '../errors.ts';
import { checkString, describeValue } from '../util/check-argument.ts';
import { type Listener, Listeners } from '../util/listeners.ts';
import { within } from '../util/within.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { waitForFirstDocument } from './navigation.ts';
import { OpenedPages } from './opened-pages.ts';
import { Page } from './page.ts';

const AWAIT_ACTIVE_PAGE_MS = 5000;
/** What tells why no page came has this long after the time is up. */
const ANSWER_GRACE_MS = 250;

/** What a context tells, by event. */
export interface ContextEventMap {
  /** A page opened, by whomever. */
  page: Page;
  /** The browser is gone, or was left. */
  close: DriverContext;
}

/** The pages of a driver's browser: which are open, which one is active, and how to open another. */
export class DriverContext {
  readonly #connection: Connection;
  readonly #targets: BrowserTargets;
  readonly #settings: PageSettings;
  readonly #pageByTarget = new Map<PageTarget, Page>();
  readonly #opened = new OpenedPages();
  readonly #listeners: Listeners<ContextEventMap>;
  /** Most recently active last. */
  #activity: Page[] = [];

  /** @internal */
  constructor(connection: Connection, targets: BrowserTargets, settings: PageSettings) {
    this.#connection = connection;
    this.#targets = targets;
    this.#settings = settings;
    this.#listeners = new Listeners<ContextEventMap>({ page: null, close: null }, settings.log);
    for (const target of targets.pages) this.#add(target);
    // Of pages that were open before nobody knows which was opened last; the first is then the active one.
    this.#activity.reverse();
    targets.events.on('page', (target) => this.#opens(target));
    targets.events.on('pageClosed', (target) => this.#remove(target));
    connection.browser.on('closed', () => this.#listeners.emit('close', this));
  }

  /** Calls `listener` on each such event. */
  on<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener);
    return this;
  }

  /** Calls `listener` on the next such event only. */
  once<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.on(event, listener, true);
    return this;
  }

  /** Takes a listener away. */
  off<E extends keyof ContextEventMap>(event: E, listener: Listener<ContextEventMap[E]>): this {
    this.#listeners.off(event, listener);
    return this;
  }

  /** Every open page, oldest first; the same objects each time. */
  pages(): Page[] {
    return [...this.#pageByTarget.values()];
  }

  /** The page that was opened or set last and is still open; undefined when none is. */
  activePage(): Page | undefined {
    return this.#activity.at(-1);
  }

  /** Makes a page the one that verbs work on when they are not given another. */
  setActivePage(page: Page): void {
    if (!(page instanceof Page) || this.#pageByTarget.get(page.target) !== page) {
      throw new DriverInvalidArgumentError(
        `page must be an open page of this driver, such as context.pages()[0]; it is ${describeValue(page)}.`,
        { argument: 'page' },
      );
    }
    this.#activate(page);
  }

  /**
   * The page that a click has just opened or is about to open, once it has its address; rejects with a
   * `DriverPageNotFoundError` when none opens within `timeout` milliseconds.
   */
  async awaitActivePage(timeout: number = AWAIT_ACTIVE_PAGE_MS): Promise<Page> {
    using progress = beginCall('context.awaitActivePage', this.#settings, { timeout, grace: ANSWER_GRACE_MS });
    for (;;) {
      await progress.race(within(progress.remaining, this.#opened.available()));
      const page = this.#opened.take();
      if (!page) {
        throw new DriverPageNotFoundError(
          `No page was opened within ${timeout} ms. The page from before is activePage() as it was.`,
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

  /** Opens a page, and an address in it when one is given; it becomes the active one. */
  async newPage(url?: string): Promise<Page> {
    if (url !== undefined) checkString('url', url);
    using progress = beginCall('context.newPage', this.#settings);
    const { targetId } = await progress.race(
      this.#connection.browser.send('Target.createTarget', { url: 'about:blank' }),
    );
    const target = this.#targets.page(targetId);
    if (!target) throw new DriverPageNotFoundError('The browser opened a page but it was closed again at once.');
    await progress.race(target.ready);
    const page = this.#add(target);
    this.#opened.remove(page);
    if (url === undefined) return page;
    try {
      await page.goto(url, { timeout: progress.remaining, signal: progress.signal });
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  #add(target: PageTarget): Page {
    const known = this.#pageByTarget.get(target);
    if (known) return known;
    const page = new Page(target, { ...this.#settings, onCall: () => this.#opened.remove(page) });
    this.#pageByTarget.set(target, page);
    this.#activity.push(page);
    return page;
  }

  /** A page is told once it can be worked with, or when it has closed before. */
  #opens(target: PageTarget): void {
    const page = this.#add(target);
    this.#opened.add(page);
    const opener = this.#targets.openerOf(target.id);
    const tell = (): void => {
      if (opener) this.#pageByTarget.get(opener)?.events.emit('popup', page);
      this.#listeners.emit('page', page);
    };
    target.ready.then(tell, tell);
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
