import { Connection } from '../cdp/connection.ts';
import type { Transport } from '../cdp/transport.ts';
import { openTransport } from '../cdp/web-socket.ts';
import { DriverInitError, type Recovery } from '../errors.ts';
import { downloadsFolder } from '../launch/profile.ts';
import { browserAddress } from '../launch/browser-address.ts';
import { DEFAULT_VIEWPORT } from '../launch/default-arguments.ts';
import { EventSender } from '../remote/event-sender.ts';
import { openService } from '../remote/open-service.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import type { RemoteSession } from '../remote/remote-session.ts';
import { openResumingTransport } from '../remote/resuming-transport.ts';
import { recoveryOf, withRecovery } from '../remote/session-recovery.ts';
import { Takeover } from '../remote/takeover.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Log } from '../util/log.ts';
import type { Progress } from '../util/progress.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { connectBrowser, downloadsOf, networkOf, type OpenBrowser } from './connect-browser.ts';
import { platformAccess } from './platform-access.ts';
import type { ResolvedDriverOptions, ResolvedLaunchOptions, ResolvedRemoteOptions } from './resolve-driver-options.ts';

/** Creates or resumes a session and connects to its browser. On failure, releases the session that it created. */
export async function openRemoteBrowser(
  progress: Progress,
  options: ResolvedDriverOptions,
  log: Log,
): Promise<OpenBrowser> {
  const { remote } = options;
  const platform = openService(remote.service, platformAccess(remote));
  progress.log('requesting a session from the platform');
  const session = await openSession(progress, platform, remote);
  log.write('remote', 1, `${remote.sessionId === undefined ? 'Created' : 'Resumed'} session ${session.id}`, {
    session: session.id,
    url: session.sessionUrl && loggableUrl(session.sessionUrl),
  });
  const takeover = new Takeover((isTakenOver) =>
    log.write(
      'remote',
      1,
      isTakenOver ? 'An operator has taken over the browser. Calls wait.' : 'The operator has handed the browser back.',
    ),
  );
  const tenancy = { platform, session, log, takeover, isLost: false };
  try {
    const browser = await connect(progress, options, tenancy);
    await settleKeepAlive(progress, browser, tenancy, remote);
    const events = eventsOf(tenancy);
    return {
      ...browser,
      takeover,
      ...(events ? { events } : {}),
      ...operatorsOf(tenancy),
      end: async (how) => {
        // The platform accepts events only while the session is running.
        if (!how.force) await events?.close();
        await browser.end(how);
      },
      remote: { sessionID: session.id, sessionURL: session.sessionUrl, debugURL: session.debugUrl },
    };
  } catch (error) {
    // A failed start must not end a session that existed before.
    if (remote.sessionId === undefined) await release(tenancy);
    throw error;
  }
}

interface Tenancy {
  readonly platform: RemoteService;
  /** The platform's latest response. */
  session: RemoteSession;
  readonly log: Log;
  readonly takeover: Takeover;
  /** The connection cannot be resumed. Another client may use the session by now, so the driver must not release it. */
  isLost: boolean;
}

async function openSession(
  { signal }: Progress,
  platform: RemoteService,
  { sessionId, createParameters, keepAlive }: ResolvedRemoteOptions,
): Promise<RemoteSession> {
  if (sessionId === undefined)
    return platform.create({ ...createParameters, ...(keepAlive === undefined ? {} : { keepAlive }) }, signal);
  return platform.find(sessionId, signal);
}

/** Applies the option to a resumed session. Runs last, because a failed start must not change the session. */
async function settleKeepAlive(
  { signal }: Progress,
  { connection }: OpenBrowser,
  tenancy: Tenancy,
  { sessionId, keepAlive = tenancy.session.keepAlive }: ResolvedRemoteOptions,
): Promise<void> {
  if (sessionId === undefined || keepAlive === tenancy.session.keepAlive) return;
  try {
    tenancy.session = await tenancy.platform.keepAlive(tenancy.session, keepAlive, signal);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connect(progress: Progress, options: ResolvedDriverOptions, tenancy: Tenancy): Promise<OpenBrowser> {
  const { session } = tenancy;
  const isFresh = options.remote.sessionId === undefined;
  const url = session.connectUrl;
  if (url === undefined)
    throw new DriverInitError(
      `Cannot connect to session ${session.id}: the platform returned no URL. Check that the API key has the scope sessions:write.`,
    );
  const downloads = downloadsOf(options, downloadsFolder());
  return connectBrowser(progress, {
    url,
    open: (signal) => openConnection(url, signal, tenancy, options.launch.cdpHeaders),
    launch: launchOf(options),
    log: tenancy.log,
    downloads: { ...downloads, fetch: (name) => tenancy.platform.download(session.id, name, downloads.folder) },
    network: networkOf({ ...options, launch: launchOf(options) }),
    isRemote: true,
    isFresh,
    takesDownloads: isFresh || options.downloadsPath !== undefined || options.acceptDownloads !== undefined,
    browser: undefined,
    leave: () => leave(tenancy),
  });
}

/** Third-party services cannot resume a lost connection. */
async function openConnection(
  url: string,
  signal: AbortSignal,
  tenancy: Tenancy,
  cdpHeaders: Readonly<Record<string, string>>,
): Promise<Connection> {
  if (tenancy.platform.hasLinks) return new Connection(url, await openLink(url, signal, tenancy));
  const address = await browserAddress({ cdpUrl: url, cdpHeaders }, signal);
  const transport = await openTransport(address, { headers: cdpHeaders, signal });
  return new Connection(
    url,
    withRecovery(transport, () => recoveryFor(tenancy)),
  );
}

function openLink(url: string, signal: AbortSignal, tenancy: Tenancy): Promise<Transport> {
  const { platform, session, log, takeover } = tenancy;
  let next: string | undefined = url;
  return openResumingTransport({
    signal,
    address: async (given) => {
      const address = next ?? (await platform.find(session.id, given)).connectUrl ?? url;
      next = undefined;
      return address;
    },
    onLoss: (reason) => log.write('remote', 0, `The connection was lost (${reason}). Resuming it.`),
    onResume: () => log.write('remote', 0, 'Resumed the connection.'),
    onEnd: (code) => recoveryFor(tenancy, code),
    onTakeover: (isTakenOver) => takeover.set(isTakenOver),
  });
}

function recoveryFor(tenancy: Tenancy, code?: number): Promise<Recovery> {
  tenancy.isLost = true;
  return recoveryOf(tenancy.platform, tenancy.session, code);
}

/** The platform starts the browser, so the session's parameters replace the launch options. */
function launchOf({ launch, remote }: ResolvedDriverOptions): ResolvedLaunchOptions {
  const { viewport } = remote.createParameters;
  // Other services have their own default viewport sizes.
  const byDefault = remote.service === 'chauffeur' ? DEFAULT_VIEWPORT : undefined;
  return {
    ...launch,
    viewport: isSize(viewport) ? { width: viewport.width, height: viewport.height } : byDefault,
    proxy: undefined,
    ignoreHTTPSErrors: remote.createParameters['ignoreHTTPSErrors'] === true,
    cdpUrl: undefined,
    cdpHeaders: {},
  };
}

function eventsOf({ platform, session, log }: Tenancy): EventSender | undefined {
  if (!platform.tell) return undefined;
  return new EventSender({
    send: async (events) => platform.tell?.(session.id, events),
    onFailure: (error) =>
      log.write('remote', 2, `Cannot store the session's event log: ${errorSentence(errorFacts(error))}`),
  });
}

function operatorsOf({ platform: { operators }, session, log }: Tenancy): Pick<OpenBrowser, 'operators'> {
  return operators ? { operators: (asked, signal) => operators.ask(session.id, asked, { signal, log }) } : {};
}

function isSize(value: unknown): value is { readonly width: number; readonly height: number } {
  return isRecord(value) && typeof value['width'] === 'number' && typeof value['height'] === 'number';
}

async function leave(tenancy: Tenancy): Promise<string> {
  const { id, keepAlive } = tenancy.session;
  if (tenancy.isLost) return `Left remote session ${id}: its connection was lost.`;
  if (keepAlive) return `Left remote session ${id} running.`;
  await release(tenancy);
  return `Released remote session ${id}.`;
}

/** If the request fails, the platform ends the session shortly after its last client disconnects. */
async function release({ platform, session, log }: Tenancy): Promise<void> {
  try {
    await platform.release(session);
  } catch (error) {
    log.write('remote', 0, `Cannot release session ${session.id}: ${errorSentence(errorFacts(error))}`);
  }
}
