import type { ActResult, DriverOptions } from '../../src/index.ts';
import type { Route } from '../support/serve.ts';
import { type SharedBrowser, useBrowser } from '../support/use-browser.ts';

/** One browser and one server for a file of tests; `open` loads a page made for one test. */
export interface OddPages extends SharedBrowser {
  /** Serves this HTML at a new path and opens it. */
  open(html: Route): Promise<void>;
  /** Runs an action on a selector, without self-healing. */
  act(selector: string, method?: string, ...args: readonly string[]): Promise<ActResult>;
  /** The snapshot's text. */
  text(): Promise<string>;
}

/** Starts a browser and a server for all tests of a file. */
export function oddPages(options: Partial<DriverOptions> = {}): OddPages {
  const browser = useBrowser({ selfHeal: false, ...options });
  let opened = 0;
  return Object.assign(browser, {
    open: async (html: Route) => {
      opened += 1;
      const page = typeof html === 'string' ? `<!doctype html><title>Odd</title>${html}` : html;
      await browser.page.goto(browser.server.page(`/odd-${opened}`, page), { waitUntil: 'load' });
    },
    act: (selector: string, method = 'click', ...args: readonly string[]) =>
      browser.driver.act({ selector, description: '', method, arguments: [...args] }),
    text: async () => (await browser.page.snapshot()).text,
  });
}
