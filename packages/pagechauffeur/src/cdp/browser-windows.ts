import { DriverClosedError } from '../errors.ts';
import type { PageTarget } from './page-target.ts';
import { ProtocolError } from './protocol-error.ts';

interface Place {
  readonly windowId: number;
  /** Increases with each page that comes to the front. 0 if the page may be behind. */
  rank: number;
}

/**
 * Tracks which page is in front of each window. The browser draws only that page. CDP does not report it, so this class
 * follows the commands that change it.
 */
export class BrowserWindows {
  readonly #placeByPage = new Map<PageTarget, Place>();
  #lastRank = 0;

  /** Adds a page that was just attached. */
  async add(page: PageTarget): Promise<void> {
    this.#lastRank += 1;
    const rank = this.#lastRank;
    // Once a page answers, the browser has put it into its window.
    const wasVisible = await page.wasVisible;
    const windowId = await windowOf(page);
    if (windowId === undefined || page.isClosed) return;
    this.#placeByPage.set(page, { windowId, rank: wasVisible ? rank : 0 });
    this.#update(windowId);
  }

  /** Records that a page was brought to the front. */
  bringToFront(page: PageTarget): void {
    const place = this.#placeByPage.get(page);
    if (!place) return;
    this.#lastRank += 1;
    place.rank = this.#lastRank;
    this.#update(place.windowId);
  }

  /** Removes a closed page. The browser picks the next page to show and does not report which. */
  remove(page: PageTarget): void {
    const place = this.#placeByPage.get(page);
    if (!place) return;
    const wasInFront = this.#frontOf(place.windowId) === page;
    this.#placeByPage.delete(page);
    if (wasInFront) for (const [, left] of this.#pagesIn(place.windowId)) left.rank = 0;
    this.#update(place.windowId);
  }

  #update(windowId: number): void {
    const pages = this.#pagesIn(windowId);
    const front = this.#frontOf(windowId);
    for (const [page] of pages) {
      if (pages.length === 1) page.drawing.place = 'alone';
      else page.drawing.place = page === front ? 'front' : 'behind';
    }
  }

  #frontOf(windowId: number): PageTarget | undefined {
    const [first] = this.#pagesIn(windowId).toSorted(([, one], [, other]) => other.rank - one.rank);
    return first && first[1].rank > 0 ? first[0] : undefined;
  }

  #pagesIn(windowId: number): (readonly [PageTarget, Place])[] {
    return [...this.#placeByPage].filter(([, place]) => place.windowId === windowId);
  }
}

async function windowOf({ session }: PageTarget): Promise<number | undefined> {
  try {
    // Sent to the page's session: a headless shell crashes if the browser session asks for a page that is closing.
    return (await session.send('Browser.getWindowForTarget')).windowId;
  } catch (error) {
    // Some browsers have no windows, and the page or the browser may be gone.
    if (error instanceof ProtocolError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}
