import { Connection } from '../cdp/connection.ts';
import { DriverInitError } from '../errors.ts';
import { browserAddress } from '../launch/browser-address.ts';
import { locateBrowser } from '../launch/find-browser.ts';
import { launchBrowser } from '../launch/launch-browser.ts';
import { downloadsFolder } from '../launch/profile.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { connectBrowser, downloadsOf, networkOf, type OpenBrowser } from './connect-browser.ts';
import type { ResolvedDriverOptions, ResolvedLaunchOptions } from './resolve-driver-options.ts';

const LEFT_RUNNING = 'Left the browser running.';

/**
 * Starts a browser on this machine, or attaches to the one at `cdpUrl`. On failure, ends the browser that it started.
 */
export async function openLocalBrowser(
  progress: Progress,
  options: ResolvedDriverOptions,
  log: Log,
): Promise<OpenBrowser> {
  const { launch, keepAlive, domainPolicy } = options;
  if (launch.cdpUrl !== undefined) return attach(progress, options, log);
  const { executablePath, foundBy } = browserOf(launch);
  log.write('launch', 2, `Found ${executablePath} in ${foundBy}.`);
  if (process.platform === 'linux' && process.getuid?.() === 0)
    log.write('launch', 1, 'Running as root: starting the browser with --no-sandbox.');
  const begun = performance.now();
  const browser = await launchBrowser(progress, { ...launch, executablePath, keepAlive, domainPolicy });
  log.write('launch', 1, `Started ${executablePath}`, { pid: browser.pid, url: browser.url });
  const ms = Math.round(performance.now() - begun);
  log.write('launch', 2, `Started in ${ms} ms with the arguments ${browser.args.join(' ')}`, {
    ms,
    args: browser.args,
  });
  try {
    return await connectBrowser(progress, {
      url: browser.url,
      open: (signal) => Connection.open(browser.url, { signal }),
      launch,
      log,
      downloads: downloadsOf(options, browser.downloads),
      network: { ...networkOf(options), ...(browser.names ? { names: browser.names } : {}) },
      isHeadless: launch.headless,
      isRemote: false,
      isFresh: true,
      takesDownloads: true,
      browser: keepAlive ? undefined : browser,
      leave: async () => {
        browser.leave();
        return LEFT_RUNNING;
      },
    });
  } catch (error) {
    await browser.end({ force: true });
    throw error;
  }
}

function browserOf({ executablePath }: ResolvedLaunchOptions): { executablePath: string; foundBy: string } {
  if (executablePath !== undefined) return { executablePath, foundBy: 'the option executablePath' };
  return locateBrowser() ?? noBrowser();
}

/** The browser keeps running on `close()`, because another program started it. */
async function attach(progress: Progress, options: ResolvedDriverOptions, log: Log): Promise<OpenBrowser> {
  const { launch } = options;
  const { cdpUrl = '', cdpHeaders } = launch;
  const url = await browserAddress({ cdpUrl, cdpHeaders }, progress.signal);
  const browser = await connectBrowser(progress, {
    url,
    open: (signal) => Connection.open(url, { headers: cdpHeaders, signal }),
    launch,
    log,
    downloads: downloadsOf(options, downloadsFolder()),
    network: networkOf(options),
    isRemote: false,
    isFresh: false,
    // Keeps the download folder of the browser's owner unless the options set something else.
    takesDownloads: options.downloadsPath !== undefined || options.acceptDownloads !== undefined,
    browser: undefined,
    leave: async () => LEFT_RUNNING,
  });
  log.write('launch', 1, `Attached to ${loggableUrl(url)}`);
  return browser;
}

function noBrowser(): never {
  throw new DriverInitError(
    'Found no Chromium or Chrome on this machine. Run `npx pagechauffeur install` to download one, install one yourself (on Debian: apt-get install chromium), or set `executablePath` in `localBrowserLaunchOptions` or the environment variable CHROME_PATH.',
  );
}
