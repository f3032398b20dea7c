import { afterAll, beforeAll } from 'vitest';
import type { Driver, DriverOptions, LogLine, Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from './driver-for-test.ts';
import { type Route, serve, type TestServer } from './serve.ts';

/** A browser and a server that all tests of a file share; they are there from the first test on. */
export interface SharedBrowser {
  readonly server: TestServer;
  readonly driver: Driver;
  /** The page that `init()` made. */
  readonly page: Page;
  /** What the driver logged. */
  readonly lines: readonly LogLine[];
}

/** How the browser is started, and what paths the server answers. */
interface SharedBrowserOptions extends Partial<DriverOptions> {
  readonly routes?: Readonly<Record<string, Route>>;
}

/** Starts a browser and a server before the tests of a file, and ends both after them. */
export function useBrowser({ routes, ...options }: SharedBrowserOptions = {}): SharedBrowser {
  let server: TestServer;
  let started: TestDriver;
  beforeAll(async () => {
    server = await serve(routes);
    started = await startDriver(options);
  });
  afterAll(async () => {
    await started?.driver.close();
    await server?.close();
  });
  return {
    get server() {
      return server;
    },
    get driver() {
      return started.driver;
    },
    get page() {
      return started.page;
    },
    get lines() {
      return started.lines;
    },
  };
}
