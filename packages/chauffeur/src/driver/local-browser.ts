import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { learnPlatform } from '../cdp/browser-platform.ts';
import { BrowserTargets } from '../cdp/browser-targets.ts';
import { Connection } from '../cdp/connection.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import { DownloadMonitor, type DownloadSetup } from '../cdp/download-monitor.ts';
import type { NetworkSetup } from '../cdp/network/network-control.ts';
import { DriverClosedError, DriverError, DriverInitError } from '../errors.ts';
import { browserAddress } from '../launch/browser-address.ts';
import { findBrowser } from '../launch/find-browser.ts';
import { CLOSE_GRACE_MS, type LaunchedBrowser, launchBrowser } from '../launch/launch-browser.ts';
import { downloadsFolder } from '../launch/profile.ts';
import { handledElsewhere } from '../util/deferred.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';
import { within } from '../util/within.ts';
import type { ResolvedDriverOptions, ResolvedLaunchOptions } from './resolve-driver-options.ts';

/** A browser that a driver works with: connected, attached to its pages, and at least one of them open. */
export interface OpenBrowser {
  readonly connection: Connection;
  readonly targets: BrowserTargets;
  readonly downloads: DownloadMonitor;
  /** Aborted, with a `DriverClosedError`, when the connection is gone or the driver begins to close. */
  readonly gone: AbortSignal;
  /** Ends the browser, or only the connection when it is to live on or was not started by us. */
  end(options: { force: boolean }): Promise<void>;
}

/** Starts a browser on this machine, or attaches to the one at `cdpUrl`. What was begun is undone when it fails. */
export async function openLocalBrowser(
  progress: Progress,
  options: ResolvedDriverOptions,
  log: Log,
): Promise<OpenBrowser> {
  const { launch, keepAlive, domainPolicy } = options;
  if (launch.cdpUrl !== undefined) return attach(progress, options, log);
  const executablePath = launch.executablePath ?? findBrowser() ?? noBrowser();
  if (process.platform === 'linux' && process.getuid?.() === 0)
    log.write('launch', 1, 'Running as root: the browser starts with --no-sandbox.');
  const browser = await launchBrowser(progress, { ...launch, executablePath, keepAlive, domainPolicy });
  log.write('launch', 1, `Started ${executablePath}`, { pid: browser.pid, url: browser.url });
  try {
    return await connect(progress, {
      url: browser.url,
      launch,
      log,
      downloads: downloadsOf(options, browser.downloads),
      network: networkOf(options),
      isFresh: true,
      takesDownloads: true,
      browser: keepAlive ? undefined : browser,
      leave: () => browser.leave(),
    });
  } catch (error) {
    await browser.end({ force: true });
    throw error;
  }
}

/** The browser was started by somebody else, who also ends it. */
async function attach(progress: Progress, options: ResolvedDriverOptions, log: Log): Promise<OpenBrowser> {
  const { launch } = options;
  const { cdpUrl = '', cdpHeaders } = launch;
  const url = await browserAddress({ cdpUrl, cdpHeaders }, progress.signal);
  const browser = await connect(progress, {
    url,
    launch,
    log,
    downloads: downloadsOf(options, downloadsFolder()),
    network: networkOf(options),
    isFresh: false,
    // Where files go is the user's who started it, until somebody here asks for them.
    takesDownloads: options.downloadsPath !== undefined || options.acceptDownloads !== undefined,
    browser: undefined,
    leave: () => undefined,
  });
  // What follows the path may be a key.
  log.write('launch', 1, `Attached to ${url.replace(/\?.*/, '')}`);
  return browser;
}

interface Connecting {
  readonly url: string;
  readonly launch: ResolvedLaunchOptions;
  readonly log: Log;
  readonly downloads: Downloads;
  readonly network: NetworkSetup;
  /** Whether the browser was started for this connection. */
  readonly isFresh: boolean;
  /** Whether downloads are ours from the start. */
  readonly takesDownloads: boolean;
  /** The browser that `close()` ends; undefined when it is to live on. */
  readonly browser: LaunchedBrowser | undefined;
  /** Lets go of a browser that lives on. */
  readonly leave: () => void;
}

interface Downloads extends DownloadSetup {
  /** The folder is removed when the driver closes. */
  readonly isTemporary: boolean;
}

function downloadsOf({ downloadsPath, acceptDownloads = true }: ResolvedDriverOptions, temporary: string): Downloads {
  const folder = downloadsPath === undefined ? temporary : resolve(downloadsPath);
  return { folder, isAllowed: acceptDownloads, isTemporary: downloadsPath === undefined };
}

function networkOf({ domainPolicy, launch }: ResolvedDriverOptions): NetworkSetup {
  const credentials = launch.proxy?.credentials;
  return {
    ...(domainPolicy ? { policy: domainPolicy } : {}),
    ...(credentials ? { proxyCredentials: credentials } : {}),
  };
}

async function connect(progress: Progress, connecting: Connecting): Promise<OpenBrowser> {
  const { url, launch, log, takesDownloads } = connecting;
  progress.log(`connecting to ${url}`);
  const connection = await progress.race(Connection.open(url, { headers: launch.cdpHeaders, signal: progress.signal }));
  try {
    const targets = new BrowserTargets(connection, {
      viewport: launch.viewport,
      ignoreHTTPSErrors: launch.ignoreHTTPSErrors,
      // Behind an address, be it of this machine, may be another one.
      sharesFiles: launch.cdpUrl === undefined,
      network: connecting.network,
      isFresh: connecting.isFresh,
    });
    progress.log('attaching to its pages');
    const downloads = new DownloadMonitor(connection, targets, connecting.downloads);
    const [mute] = await progress.race(
      Promise.all([
        attachToPages(targets, url),
        learnPlatform(connection.browser),
        takesDownloads ? downloads.start() : undefined,
      ]),
    );
    for (const { openedUrl } of mute)
      log.write(
        'launch',
        0,
        `The page ${openedUrl} does not answer: it may show a dialog or be asleep. Calls on it may time out.`,
      );
    if (targets.pages.length === mute.length) await progress.race(openFirstPage(connection, targets));
    const loss = lossOf(connection);
    return {
      connection,
      targets,
      downloads,
      gone: loss.signal,
      end: (options) => {
        // First, because a dialog that closes would let a call that waits for it come to its end.
        loss.abort(new DriverClosedError('The driver was closed.'));
        return endBrowser({ connection, targets }, connecting, options);
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function attachToPages(targets: BrowserTargets, url: string): ReturnType<BrowserTargets['start']> {
  try {
    return await targets.start();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new DriverInitError(`${url} does not speak as a browser does; is this a Chromium? ${error.message}`, {
      cause: error,
    });
  }
}

function lossOf({ browser }: Connection): AbortController {
  const loss = new AbortController();
  browser.on('closed', (reason) => loss.abort(new DriverClosedError(`${reason}.`)));
  return loss;
}

async function openFirstPage(connection: Connection, targets: BrowserTargets): Promise<void> {
  const { targetId } = await connection.browser.send('Target.createTarget', { url: 'about:blank' });
  await targets.page(targetId)?.ready;
}

async function endBrowser(
  { connection, targets }: { readonly connection: Connection; readonly targets: BrowserTargets },
  { browser, leave, log, downloads }: Connecting,
  { force }: { force: boolean },
): Promise<void> {
  if (!browser) {
    leave();
    connection.close();
    if (downloads.isTemporary) await rm(downloads.folder, { recursive: true, force: true });
    log.write('driver', 1, 'Left the browser running.');
    return;
  }
  if (!force && !connection.browser.isClosed) await within(CLOSE_GRACE_MS, askToClose(connection, targets));
  connection.close();
  await browser.end({ force });
  log.write('driver', 1, 'Closed the browser.');
}

/** The browser writes its profile when asked to close; it may be gone before it answers. A dialog would keep it open. */
async function askToClose(connection: Connection, targets: BrowserTargets): Promise<void> {
  for (const { openDialog } of targets.pages)
    openDialog?.answer(openDialog.type === 'beforeunload').catch(handledElsewhere);
  try {
    await connection.browser.send('Browser.close');
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
  }
}

function noBrowser(): never {
  throw new DriverInitError(
    'No Chromium or Chrome was found on this machine. Install one (on Debian: apt-get install chromium), or name it by `executablePath` in `localBrowserLaunchOptions` or by the environment variable CHROME_PATH.',
  );
}
