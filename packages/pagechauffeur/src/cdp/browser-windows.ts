import { DriverClosedError } from '../errors.ts';
import type { PageTarget } from './page-target.ts';
import { ProtocolError } from './protocol-error.ts';

interface WindowEntry {
  readonly windowId: number;
  /** The page with the highest rank is in front. 0 if the page may be behind another. */
  rank: number;
}

/**
 * Tracks which page of each window is in front, the only one that the browser draws. CDP does not report it, so this
 * class follows the commands that change it.
 */
export class BrowserWindows {
  readonly #entryByPage = new Map<PageTarget, WindowEntry>();
  #lastRank = 0;

  async add(page: PageTarget): Promise<void> {
    this.#lastRank += 1;
    const rank = this.#lastRank;
    // The browser has put the page into its window once the page responds.
    const wasVisible = await page.wasVisible;
    const windowId = await windowOf(page);
    if (windowId === undefined || page.isClosed) return;
    this.#entryByPage.set(page, { windowId, rank: wasVisible ? rank : 0 });
    this.#update(windowId);
  }

  bringToFront(page: PageTarget): void {
    const entry = this.#entryByPage.get(page);
    if (!entry) return;
    this.#lastRank += 1;
    entry.rank = this.#lastRank;
    this.#update(entry.windowId);
  }

  /** After a page closes, the browser shows another page of the window and does not report which. */
  remove(page: PageTarget): void {
    const entry = this.#entryByPage.get(page);
    if (!entry) return;
    const wasInFront = this.#frontOf(entry.windowId) === page;
    this.#entryByPage.delete(page);
    if (wasInFront) for (const [, left] of this.#pagesIn(entry.windowId)) left.rank = 0;
    this.#update(entry.windowId);
  }

  #update(windowId: number): void {
    const pages = this.#pagesIn(windowId);
    const front = this.#frontOf(windowId);
    for (const [page] of pages) {
      if (pages.length === 1) page.drawing.position = 'alone';
      else page.drawing.position = page === front ? 'front' : 'behind';
    }
  }

  #frontOf(windowId: number): PageTarget | undefined {
    const [first] = this.#pagesIn(windowId).toSorted(([, one], [, other]) => other.rank - one.rank);
    return first && first[1].rank > 0 ? first[0] : undefined;
  }

  #pagesIn(windowId: number): (readonly [PageTarget, WindowEntry])[] {
    return [...this.#entryByPage].filter(([, entry]) => entry.windowId === windowId);
  }
}

async function windowOf({ session }: PageTarget): Promise<number | undefined> {
  try {
    // Sent to the page's session, because a headless shell crashes if the browser session queries a page that is
    // closing.
    return (await session.send('Browser.getWindowForTarget')).windowId;
  } catch (error) {
    // Some browsers have no windows. The page or browser may also have closed.
    if (error instanceof ProtocolError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}
