import { afterAll, beforeAll } from 'vitest';
import type { ActResult, Driver, DriverOptions, Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { type Route, serve, type TestServer } from '../support/serve.ts';

/** One browser and one server for a file of tests; `open` loads a page made for one test. */
export interface OddPages {
  readonly driver: Driver;
  readonly page: Page;
  readonly server: TestServer;
  /** Serves this HTML and loads it; what a function answers is its own business. */
  open(html: Route): Promise<void>;
  /** Carries out an action on a selector, with nobody to heal it. */
  act(selector: string, method?: string, ...args: readonly string[]): Promise<ActResult>;
  /** The snapshot's text. */
  text(): Promise<string>;
}

/** Starts what a file of tests needs before its first test, and ends it after the last. */
export function oddPages(options: Partial<DriverOptions> = {}): OddPages {
  let server: TestServer;
  let started: TestDriver;
  let opened = 0;
  beforeAll(async () => {
    server = await serve();
    started = await startDriver({ selfHeal: false, ...options });
  });
  afterAll(async () => {
    await started?.driver.close();
    await server?.close();
  });
  return {
    get driver() {
      return started.driver;
    },
    get page() {
      return started.page;
    },
    get server() {
      return server;
    },
    open: async (html) => {
      opened += 1;
      await started.page.goto(
        server.page(`/odd-${opened}`, typeof html === 'string' ? `<!doctype html><title>Odd</title>${html}` : html),
        { waitUntil: 'load' },
      );
    },
    act: (selector, method = 'click', ...args) =>
      started.driver.act({ selector, description: '', method, arguments: [...args] }),
    text: async () => (await started.page.snapshot()).text,
  };
}
