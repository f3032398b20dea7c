import { BrowserTargets } from '../../src/cdp/browser-targets.ts';
import { Connection } from '../../src/cdp/connection.ts';
import type { PageTarget } from '../../src/cdp/page-target.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { launchBrowser, type LaunchSettings } from '../../src/launch/launch-browser.ts';
import { Progress } from '../../src/util/progress.ts';

/** A browser with one page, at the level of the protocol. */
export interface TestBrowser extends AsyncDisposable {
  readonly connection: Connection;
  readonly targets: BrowserTargets;
  readonly page: PageTarget;
  /** Loads an address in the page and waits for its `load` event and for its frames to be known to their parents. */
  goto(url: string): Promise<void>;
  close(): Promise<void>;
}

/** The settings a test browser starts with. */
const testLaunchSettings: Omit<LaunchSettings, 'executablePath'> = {
  headless: true,
  port: undefined,
  args: [],
  ignoreDefaultArgs: false,
  userDataDir: undefined,
  viewport: { width: 1280, height: 720 },
  devtools: false,
  proxy: undefined,
  ignoreHTTPSErrors: false,
  domainPolicy: undefined,
  keepAlive: false,
};

/** Starts a browser for tests of the layers below `page/`. */
export async function launchForTest(): Promise<TestBrowser> {
  using progress = new Progress({ operation: 'launchForTest', timeout: 30_000 });
  const browser = await launchBrowser(progress, {
    ...testLaunchSettings,
    executablePath: findBrowser() ?? 'chromium',
  });
  const connection = await Connection.open(browser.url);
  const targets = new BrowserTargets(connection, {
    viewport: testLaunchSettings.viewport,
    ignoreHTTPSErrors: false,
    sharesFiles: true,
    isRented: false,
    isFresh: false,
  });
  await targets.start();
  const page = targets.pages[0];
  if (!page) throw new TypeError('the browser opened no page');
  const close = async (): Promise<void> => {
    await connection.browser.send('Browser.close');
    connection.close();
    await browser.end({ force: false });
  };
  return { connection, targets, page, goto: (url) => load(page, url), close, [Symbol.asyncDispose]: close };
}

async function load(page: PageTarget, url: string): Promise<void> {
  const { frames, session } = page;
  const { loaderId } = await session.send('Page.navigate', { url });
  const loaded = Promise.withResolvers<void>();
  const isLoaded = (): boolean => frames.main.loaderId === loaderId && frames.main.lifecycle.has('load');
  const stop = frames.events.on('lifecycle', () => isLoaded() && loaded.resolve());
  if (!isLoaded()) await loaded.promise;
  stop();
  await Promise.all(frames.frames.map((frame) => frame.adopted));
}
