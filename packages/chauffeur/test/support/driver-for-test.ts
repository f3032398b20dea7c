import { Driver, type DriverOptions, type LogLine, type Page } from '../../src/index.ts';

/** A driver on a real browser for tests, with the lines it logged. */
export interface TestDriver extends AsyncDisposable {
  readonly driver: Driver;
  readonly page: Page;
  readonly lines: readonly LogLine[];
}

/** Starts a driver whose log goes to `lines`; the window is always the same. */
export async function startDriver(options: Partial<DriverOptions> = {}): Promise<TestDriver> {
  const lines: LogLine[] = [];
  const { localBrowserLaunchOptions, ...rest } = options;
  const driver = new Driver({
    env: 'LOCAL',
    ...(rest.llmClient ? {} : { model: 'offline/lexical' }),
    verbose: 2,
    logger: (line) => lines.push(line),
    localBrowserLaunchOptions: { viewport: { width: 1280, height: 720 }, ...localBrowserLaunchOptions },
    ...rest,
  });
  await driver.init();
  return { driver, page: firstPage(driver), lines, [Symbol.asyncDispose]: () => driver.close() };
}

/** The page that `init()` made. */
export function firstPage(driver: Driver): Page {
  const [page] = driver.context.pages();
  if (!page) throw new TypeError('the driver has no page');
  return page;
}
