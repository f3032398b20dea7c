import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** A browser with one page that tests show HTML in. */
export interface ShownPage extends AsyncDisposable {
  readonly page: Page;
  readonly driver: TestDriver['driver'];
  readonly server: TestServer;
  /** Serves this body as a page and opens it. */
  show(html: string): Promise<void>;
}

/** Starts a server and a browser. */
export async function openShownPage(): Promise<ShownPage> {
  const server = await serve();
  const started = await startDriver({ defaultTimeout: 15_000 });
  const { page, driver } = started;
  return {
    page,
    driver,
    server,
    show: async (html) => {
      await page.goto(server.page('/shown', `<!doctype html><title>Shown</title><body>${html}</body>`), {
        waitUntil: 'load',
      });
    },
    [Symbol.asyncDispose]: async () => {
      await driver.close();
      await server.close();
    },
  };
}
