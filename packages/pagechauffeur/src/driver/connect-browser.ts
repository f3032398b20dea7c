import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { learnPlatform } from '../cdp/browser-platform.ts';
import { BrowserTargets } from '../cdp/browser-targets.ts';
import type { Connection } from '../cdp/connection.ts';
import { DownloadMonitor, type DownloadSetup } from '../cdp/download-monitor.ts';
import type { NetworkSetup } from '../cdp/network/network-control.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import { DriverClosedError, DriverError, DriverInitError } from '../errors.ts';
import { CLOSE_GRACE_MS, type LaunchedBrowser } from '../launch/launch-browser.ts';
import type { EventSender } from '../remote/event-sender.ts';
import type { SessionQuestion } from '../remote/operator-questions.ts';
import type { Takeover } from '../remote/takeover.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ResolvedDriverOptions, ResolvedLaunchOptions } from './resolve-driver-options.ts';

/** A connected browser with at least one open page. */
export interface OpenBrowser {
  readonly connection: Connection;
  readonly targets: BrowserTargets;
  readonly downloads: DownloadMonitor;
  /** Aborts with a `DriverClosedError` when the connection is lost or the driver starts to close. */
  readonly gone: AbortSignal;
  /** Undefined for a local browser. */
  readonly remote?: RemoteFacts;
  /** Calls wait while an operator controls the browser. Undefined for a local browser. */
  readonly takeover?: Takeover;
  /** Asks the operators who watch the browser. Undefined if nobody can watch it. */
  readonly operators?: (asked: SessionQuestion, signal: AbortSignal) => Promise<string | undefined>;
  /** The platform's event log. Undefined if there is none. */
  readonly events?: EventSender;
  /** Closes the browser. If it is kept alive or another program started it, only disconnects. */
  end(options: { force: boolean }): Promise<void>;
}

export interface RemoteFacts {
  readonly sessionID: string;
  /** Page of the session on the platform's dashboard. */
  readonly sessionURL: string | undefined;
  /** Page where a person can inspect the browser. */
  readonly debugURL: string | undefined;
}

export interface Connecting {
  /** DevTools WebSocket URL. */
  readonly url: string;
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  readonly launch: ResolvedLaunchOptions;
  readonly log: Log;
  readonly downloads: Downloads;
  readonly network: NetworkSetup;
  /** Undefined if another program started the browser. The driver then queries it. */
  readonly isHeadless?: boolean;
  /** True if a remote service runs the browser. */
  readonly isRemote: boolean;
  /** True if the browser was started for this connection. */
  readonly isFresh: boolean;
  /**
   * True if the driver sets the download folder on connect. If false, it does so when somebody waits for a download.
   */
  readonly takesDownloads: boolean;
  /** The process that `close()` ends. Undefined if the browser keeps running. */
  readonly browser: LaunchedBrowser | undefined;
  /** Called after the driver has disconnected from a browser that it does not end. Returns the log message. */
  readonly leave: () => Promise<string>;
}

interface Downloads extends DownloadSetup {
  /** True if the folder is removed when the driver closes. */
  readonly isTemporary: boolean;
}

export function downloadsOf(
  { downloadsPath, acceptDownloads = true }: ResolvedDriverOptions,
  temporary: string,
): Downloads {
  const folder = downloadsPath === undefined ? temporary : resolve(downloadsPath);
  return { folder, isAllowed: acceptDownloads, isTemporary: downloadsPath === undefined };
}

export function networkOf({ domainPolicy, launch }: ResolvedDriverOptions): NetworkSetup {
  const credentials = launch.proxy?.credentials;
  return {
    ...(domainPolicy ? { policy: domainPolicy } : {}),
    ...(credentials ? { proxyCredentials: credentials } : {}),
  };
}

/** Connects to a browser and attaches to its pages. Opens a page if none responds. */
export async function connectBrowser(progress: Progress, connecting: Connecting): Promise<OpenBrowser> {
  const { url, launch, log, takesDownloads } = connecting;
  progress.log(`connecting to ${loggableUrl(url)}`);
  const begun = performance.now();
  const connection = await progress.race(connecting.open(progress.signal));
  // Another program may know a fixed port, or may have started the browser.
  connection.isShared = launch.cdpUrl !== undefined || launch.port !== undefined;
  connection.recovery = { advice: 'Call close() and init() to start a new browser.' };
  try {
    const targets = new BrowserTargets(connection, {
      viewport: launch.viewport,
      ignoreHTTPSErrors: launch.ignoreHTTPSErrors,
      // Even a local address may be a tunnel to another machine.
      sharesFiles: launch.cdpUrl === undefined && !connecting.isRemote,
      isRented: connecting.isRemote,
      network: connecting.network,
      isFresh: connecting.isFresh,
    });
    progress.log('attaching to its pages');
    const downloads = new DownloadMonitor(connection, targets, connecting.downloads);
    const [unresponsive, product] = await progress.race(
      Promise.all([
        attachToPages(targets, url),
        learnPlatform(connection.browser, connecting.isHeadless),
        takesDownloads ? downloads.start() : undefined,
      ]),
    );
    for (const { openedUrl } of unresponsive)
      log.write(
        'launch',
        0,
        `The page ${openedUrl} does not respond. It may show a dialog or be frozen. Calls on it may time out.`,
      );
    const ms = Math.round(performance.now() - begun);
    log.write('launch', 2, `Connected to ${product || 'the browser'} at ${loggableUrl(url)} in ${ms} ms.`, {
      ms,
      product,
    });
    if (targets.pages.length === unresponsive.length) await progress.race(openFirstPage(connection, targets));
    const loss = lossOf(connection);
    return {
      connection,
      targets,
      downloads,
      gone: loss.signal,
      end: (options) => {
        // Aborts calls first, because closing a dialog would let a waiting call complete.
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
    throw new DriverInitError(
      `${loggableUrl(url)} does not respond like a browser. Check that a Chromium browser listens there. ${error.message}`,
      {
        cause: error,
      },
    );
  }
}

function lossOf({ browser }: Connection): AbortController {
  const loss = new AbortController();
  browser.on('closed', (reason) => loss.abort(new DriverClosedError(`${reason}.`, browser.recovery)));
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
    connection.close();
    if (downloads.isTemporary) await rm(downloads.folder, { recursive: true, force: true });
    log.write('driver', 1, await leave());
    return;
  }
  if (!force && !connection.browser.isClosed) await withTimeout(CLOSE_GRACE_MS, askToClose(connection, targets));
  connection.close();
  await browser.end({ force });
  log.write('driver', 1, 'Closed the browser.');
}

/**
 * The browser writes its profile and may exit without a response. Open dialogs would block it, so they are closed
 * first.
 */
async function askToClose(connection: Connection, targets: BrowserTargets): Promise<void> {
  for (const { openDialog } of targets.pages)
    openDialog?.answer(openDialog.type === 'beforeunload').catch(ignoreRejection);
  try {
    await connection.browser.send('Browser.close');
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
  }
}
