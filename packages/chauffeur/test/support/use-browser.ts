import { afterAll, beforeAll } from 'vitest';
import type { Driver, DriverOptions, Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from './driver-for-test.ts';
import { serve, type TestServer } from './serve.ts';

/** A browser and a server that all tests of a file share; they are there from the first test on. */
export interface SharedBrowser {
  readonly server: TestServer;
  readonly driver: Driver;
  /** The page that `init()` made. */
  readonly page: Page;
}

/** Starts a browser and a server before the tests of a file, and ends both after them. */
export function useBrowser(options: Partial<DriverOptions> = {}): SharedBrowser {
  let server: TestServer;
  let started: TestDriver;
  beforeAll(async () => {
    server = await serve();
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
  };
}
