import { expect, vi } from 'vitest';
import type { Page } from '../../src/index.ts';
import type { SharedBrowser } from './use-browser.ts';

/**
 * Gives, before each test, a page of its own on the start page of the server: the one of the test before where that
 * is open and shows no dialog, without the listeners that it was given and without other pages that were opened since.
 * A process for a new page costs five times as much as a new document.
 */
export function reusedPage(test: SharedBrowser): () => Promise<Page> {
  let page: Page | undefined;
  let forgetListeners = (): void => undefined;
  return async () => {
    const { context } = test.driver;
    const others = context.pages().filter((open) => open !== page && open !== test.page);
    await Promise.all(others.map((other) => other.close()));
    forgetListeners();
    if (page && page.target.obstacle === undefined && !page.isClosed()) {
      await page.goto(test.server.origin);
      await leaveFrames(page);
      context.setActivePage(page);
    } else {
      await page?.close();
      page = await context.newPage(test.server.origin);
      forgetListeners = noteListeners(page);
    }
    return page;
  };
}

/** A process of frames that a page has left may tell of their last requests until its session is closed. */
async function leaveFrames({ target }: Page): Promise<void> {
  await vi.waitFor(() => expect(target.sessions).toHaveLength(1), { timeout: 10_000, interval: 5 });
}

/** Notes who listens to a page from now on; the answer takes them away. */
function noteListeners(page: Page): () => void {
  let undo: (() => unknown)[] = [];
  for (const method of ['on', 'once'] as const) {
    const listen = page[method].bind(page);
    const noted: Page['on'] = (event, listener) => {
      listen(event, listener);
      undo.push(() => page.off(event, listener));
      return page;
    };
    Object.defineProperty(page, method, { value: noted });
  }
  return () => {
    const listeners = undo;
    undo = [];
    for (const takeAway of listeners) takeAway();
  };
}
