import type { BrowserTargets } from '../cdp/browser-targets.ts';
import type { Connection } from '../cdp/connection.ts';
import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError, DriverPageNotFoundError } from '../errors.ts';
import { checkString } from '../util/check-argument.ts';
import { handledElsewhere } from '../util/deferred.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { waitForFirstDocument } from './navigation.ts';
import { Page } from './page.ts';

const AWAIT_ACTIVE_PAGE_MS = 5000;
/** How long after a click a page that it opens may take to be announced. */
const POPUP_GRACE_MS = 500;

/** The pages of a driver's browser: which are open, which one is active, and how to open another. */
export class DriverContext {
  readonly #connection: Connection;
  readonly #targets: BrowserTargets;
  readonly #settings: PageSettings;
  readonly #pageByTarget = new Map<PageTarget, Page>();
  /** Most recently active last. */
  #activity: Page[] = [];

  /** @internal */
  constructor(connection: Connection, targets: BrowserTargets, settings: PageSettings) {
    this.#connection = connection;
    this.#targets = targets;
    this.#settings = settings;
    for (const target of targets.pages) this.#add(target);
    // Of pages that were open before nobody knows which was opened last; the first is then the active one.
    this.#activity.reverse();
    targets.events.on('page', (target) => this.#add(target));
    targets.events.on('pageClosed', (target) => this.#remove(target));
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
        'setActivePage takes an open page of this driver, such as context.pages()[0].',
        { argument: 'page' },
      );
    }
    this.#activate(page);
  }

  /** The active page, after giving one that is just opening the time to appear and to load its address. */
  async awaitActivePage(timeout: number = AWAIT_ACTIVE_PAGE_MS): Promise<Page> {
    using progress = beginCall('context.awaitActivePage', this.#settings, { timeout });
    const before = this.activePage();
    const page = await progress.race(this.#pageAfter(before));
    await progress.race(page.target.ready);
    await waitForFirstDocument(progress, page.target);
    return page;
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
    const page = new Page(target, this.#settings);
    this.#pageByTarget.set(target, page);
    this.#activity.push(page);
    target.events.on('dialog', (dialog) => this.#dismiss(dialog));
    return page;
  }

  #remove(target: PageTarget): void {
    const page = this.#pageByTarget.get(target);
    this.#pageByTarget.delete(target);
    this.#activity = this.#activity.filter((other) => other !== page);
  }

  #activate(page: Page): void {
    this.#activity = [...this.#activity.filter((other) => other !== page), page];
  }

  /** A dialog that nobody answers would block its page for good; leaving a page is allowed, the rest is declined. */
  #dismiss(dialog: OpenDialog): void {
    const accept = dialog.type === 'beforeunload';
    this.#settings.log.write(
      'page',
      1,
      `${accept ? 'Accepted' : 'Dismissed'} a dialog (${dialog.type}): ${JSON.stringify(dialog.message)}`,
    );
    dialog.answer(accept).catch(handledElsewhere);
  }

  async #pageAfter(before: Page | undefined): Promise<Page> {
    if (before && Date.now() - lastOpened(before) < POPUP_GRACE_MS) return before;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.#targets.events.on('page', () => resolve());
    const timer = setTimeout(resolve, POPUP_GRACE_MS);
    await promise;
    clearTimeout(timer);
    stop();
    const page = this.activePage();
    if (!page) throw new DriverPageNotFoundError('No page is open, and none was opened in time.');
    return page;
  }
}

function lastOpened(page: Page): number {
  return page.target.openedAt;
}
