import { DriverClosedError } from '../errors.ts';
import type { PageTarget } from './page-target.ts';
import { ProtocolError } from './protocol-error.ts';

interface Place {
  readonly windowId: number;
  /** Grows with each page that comes to the front; 0 for a page that may be behind. */
  rank: number;
}

/**
 * The windows that pages are in. The browser draws only the page in front of each window. CDP does not say which one that
 * is, so this class follows what brings pages there, and tells each page its place.
 */
export class BrowserWindows {
  readonly #placeByPage = new Map<PageTarget, Place>();
  #lastRank = 0;

  /** Takes in a page that was just attached to. */
  async add(page: PageTarget): Promise<void> {
    this.#lastRank += 1;
    const rank = this.#lastRank;
    // The browser has put a page that answers into its window.
    const wasVisible = await page.wasVisible;
    const windowId = await windowOf(page);
    if (windowId === undefined || page.isClosed) return;
    this.#placeByPage.set(page, { windowId, rank: wasVisible ? rank : 0 });
    this.#update(windowId);
  }

  /** Notes that a page was brought to the front of its window. */
  bringToFront(page: PageTarget): void {
    const place = this.#placeByPage.get(page);
    if (!place) return;
    this.#lastRank += 1;
    place.rank = this.#lastRank;
    this.#update(place.windowId);
  }

  /** Forgets a page that has closed. The browser chooses which page its window shows then, and does not say. */
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
    // Asked of the page. Asked of the browser, by the page's id, a headless shell crashes when that page is just closing.
    return (await session.send('Browser.getWindowForTarget')).windowId;
  } catch (error) {
    // Not every browser has windows, and the page or the browser may be gone.
    if (error instanceof ProtocolError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}
