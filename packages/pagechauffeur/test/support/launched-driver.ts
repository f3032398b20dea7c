import {
  Driver,
  type DriverOptions,
  type LocalBrowserLaunchOptions,
  type LogLine,
  type Page,
} from '../../src/index.ts';
import { firstPage } from './driver-for-test.ts';
import { commandLine } from './processes.ts';

/** A driver with a browser that it started with these very options. */
export interface LaunchedDriver extends AsyncDisposable {
  readonly driver: Driver;
  readonly page: Page;
  /** The process of the browser. */
  readonly browser: number;
  /** The arguments that the browser was started with. */
  readonly line: readonly string[];
  readonly lines: readonly LogLine[];
}

/** Starts a browser with launch options and nothing else that is not the default. */
export async function launchedDriver(
  launch: LocalBrowserLaunchOptions = {},
  options: Partial<DriverOptions> = {},
): Promise<LaunchedDriver> {
  const lines: LogLine[] = [];
  const driver = new Driver({
    env: 'LOCAL',
    logger: (line) => lines.push(line),
    localBrowserLaunchOptions: launch,
    ...options,
  });
  await driver.init();
  const browser = browserIn(lines);
  return {
    driver,
    page: firstPage(driver),
    browser,
    line: commandLine(browser),
    lines,
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

/** The process of the browser that a log says was started last. */
export function browserIn(lines: readonly LogLine[]): number {
  return Number(lines.findLast(({ auxiliary }) => auxiliary?.['pid'])?.auxiliary?.['pid']);
}
