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
import type { SessionQuestion } from '../remote/person-question.ts';
import type { Takeover } from '../remote/takeover.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ResolvedDriverOptions, ResolvedLaunchOptions } from './resolve-driver-options.ts';

/** A browser that a driver works with: connected, attached to its pages, and at least one of them open. */
export interface OpenBrowser {
  readonly connection: Connection;
  readonly targets: BrowserTargets;
  readonly downloads: DownloadMonitor;
  /** Aborted, with a `DriverClosedError`, when the connection is gone or the driver begins to close. */
  readonly gone: AbortSignal;
  /** The remote session that it is rented by; undefined for a local one. */
  readonly remote?: RemoteFacts;
  /** Whether a person works in it by hand, so that calls wait. */
  readonly takeover?: Takeover;
  /** Asks the people who look at it; undefined where nobody does. Gives their words. */
  readonly people?: (asked: SessionQuestion, signal: AbortSignal) => Promise<string | undefined>;
  /** Tells the platform what is done in it, for people to see. */
  readonly events?: EventSender;
  /** Ends the browser, or only the connection when it is to live on or was not started by us. */
  end(options: { force: boolean }): Promise<void>;
}

/** What users may know of a remote session. */
export interface RemoteFacts {
  readonly sessionID: string;
  /** Its page on the platform's dashboard. */
  readonly sessionURL: string | undefined;
  /** Where its browser can be inspected. */
  readonly debugURL: string | undefined;
}

/** How a browser is reached, and what it is to be like for the driver. */
export interface Connecting {
  /** Its DevTools socket. */
  readonly url: string;
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  readonly launch: ResolvedLaunchOptions;
  readonly log: Log;
  readonly downloads: Downloads;
  readonly network: NetworkSetup;
  /** Whether nobody sees its windows; undefined where it was started by others, and is asked. */
  readonly isHeadless?: boolean;
  /** Whether it runs on a machine of the platform. */
  readonly isRemote: boolean;
  /** Whether the browser was started for this connection. */
  readonly isFresh: boolean;
  /** Whether downloads are ours from the start. */
  readonly takesDownloads: boolean;
  /** The browser that `close()` ends; undefined when it is to live on. */
  readonly browser: LaunchedBrowser | undefined;
  /** Lets go of a browser that is not ours to end; gives what to say of it. */
  readonly leave: () => Promise<string>;
}

interface Downloads extends DownloadSetup {
  /** The folder is removed when the driver closes. */
  readonly isTemporary: boolean;
}

/** Where downloads go: to the user's folder, else to a temporary one. */
export function downloadsOf(
  { downloadsPath, acceptDownloads = true }: ResolvedDriverOptions,
  temporary: string,
): Downloads {
  const folder = downloadsPath === undefined ? temporary : resolve(downloadsPath);
  return { folder, isAllowed: acceptDownloads, isTemporary: downloadsPath === undefined };
}

/** What stands between the pages and the network by the options. */
export function networkOf({ domainPolicy, launch }: ResolvedDriverOptions): NetworkSetup {
  const credentials = launch.proxy?.credentials;
  return {
    ...(domainPolicy ? { policy: domainPolicy } : {}),
    ...(credentials ? { proxyCredentials: credentials } : {}),
  };
}

/** Connects to a browser, attaches to its pages and opens one when there is none. */
export async function connectBrowser(progress: Progress, connecting: Connecting): Promise<OpenBrowser> {
  const { url, launch, log, takesDownloads } = connecting;
  progress.log(`connecting to ${loggableUrl(url)}`);
  const begun = performance.now();
  const connection = await progress.race(connecting.open(progress.signal));
  // Whoever knows a fixed port, or started the browser, may be connected to it as well.
  connection.isShared = launch.cdpUrl !== undefined || launch.port !== undefined;
  connection.recovery = { advice: 'Call close() and init() to start another.' };
  try {
    const targets = new BrowserTargets(connection, {
      viewport: launch.viewport,
      ignoreHTTPSErrors: launch.ignoreHTTPSErrors,
      // Behind an address, be it of this machine, may be another one.
      sharesFiles: launch.cdpUrl === undefined && !connecting.isRemote,
      isRented: connecting.isRemote,
      network: connecting.network,
      isFresh: connecting.isFresh,
    });
    progress.log('attaching to its pages');
    const downloads = new DownloadMonitor(connection, targets, connecting.downloads);
    const [mute, product] = await progress.race(
      Promise.all([
        attachToPages(targets, url),
        learnPlatform(connection.browser, connecting.isHeadless),
        takesDownloads ? downloads.start() : undefined,
      ]),
    );
    for (const { openedUrl } of mute)
      log.write(
        'launch',
        0,
        `The page ${openedUrl} does not answer: it may show a dialog or be asleep. Calls on it may time out.`,
      );
    const ms = Math.round(performance.now() - begun);
    log.write('launch', 2, `Connected to ${product || 'the browser'} at ${loggableUrl(url)} in ${ms} ms.`, {
      ms,
      product,
    });
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
    throw new DriverInitError(
      `${loggableUrl(url)} does not speak as a browser does; is this a Chromium? ${error.message}`,
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

/** The browser writes its profile when asked to close; it may be gone before it answers. A dialog would keep it open. */
async function askToClose(connection: Connection, targets: BrowserTargets): Promise<void> {
  for (const { openDialog } of targets.pages)
    openDialog?.answer(openDialog.type === 'beforeunload').catch(ignoreRejection);
  try {
    await connection.browser.send('Browser.close');
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
  }
}
