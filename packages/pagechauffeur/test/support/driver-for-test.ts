import { Driver, type DriverOptions, type LogLine, type Page } from '../../src/index.ts';

/** A driver on a real browser for tests, with the lines it logged. */
export interface TestDriver extends AsyncDisposable {
  readonly driver: Driver;
  readonly page: Page;
  readonly lines: readonly LogLine[];
}

const VIEWPORT = { width: 1280, height: 720 };
/** Set to run tests of verbs on a platform: `scripts/test-platform.ts` starts it and tells where it is. */
export const isRemote: boolean = process.env['CHAUFFEUR_TEST_ENV'] !== undefined;

/** Starts a driver whose log goes to `lines`; the window is always the same. */
export async function startDriver(options: Partial<DriverOptions> = {}): Promise<TestDriver> {
  const lines: LogLine[] = [];
  const { localBrowserLaunchOptions, ...rest } = options;
  const driver = new Driver({
    // A browser that a test names by its address is that one.
    ...(isRemote && !localBrowserLaunchOptions?.cdpUrl ? remoteOptions(options) : { env: 'LOCAL' }),
    ...(rest.llmClient ? {} : { model: 'offline/lexical' }),
    verbose: 2,
    logger: (line) => lines.push(line),
    localBrowserLaunchOptions: { viewport: VIEWPORT, ...localBrowserLaunchOptions },
    ...rest,
  });
  await driver.init();
  return { driver, page: firstPage(driver), lines, [Symbol.asyncDispose]: () => driver.close() };
}

/** A browser like the local one. What a test counts on a model to be asked for is not to come from the platform's cache. */
function remoteOptions({ localBrowserLaunchOptions = {} }: Partial<DriverOptions>): DriverOptions {
  const { viewport = VIEWPORT, ignoreHTTPSErrors } = localBrowserLaunchOptions;
  return {
    env: 'REMOTE',
    serverCache: false,
    remoteSessionCreateParams: { viewport, ...(ignoreHTTPSErrors === undefined ? {} : { ignoreHTTPSErrors }) },
  };
}

/** The page that `init()` made. */
export function firstPage(driver: Driver): Page {
  const [page] = driver.context.pages();
  if (!page) throw new TypeError('the driver has no page');
  return page;
}
