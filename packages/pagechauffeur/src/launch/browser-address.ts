import { DriverError, DriverInitError } from '../errors.ts';

export interface AttachSettings {
  /** `ws://…` or `http://host:port`. */
  readonly cdpUrl: string;
  readonly cdpHeaders: Readonly<Record<string, string>>;
}

/** DevTools HTTP endpoint that reports `webSocketDebuggerUrl`. */
const VERSION_PATH = '/json/version';

/**
 * Resolves `cdpUrl` to a DevTools WebSocket URL. A `ws:` URL with a path or query is returned unchanged. For other
 * URLs, the browser reports its WebSocket URL at `/json/version`.
 */
export async function browserAddress(settings: AttachSettings, signal: AbortSignal): Promise<string> {
  const address = new URL(settings.cdpUrl);
  if (/^\/devtools\/(?!browser\b)/.test(address.pathname)) throw notOfTheBrowser(settings.cdpUrl);
  if (address.protocol.startsWith('http')) return askForSocket(settings, address, signal);
  if (address.pathname !== '/' || address.search !== '') return settings.cdpUrl;
  try {
    return await askForSocket(settings, address, signal);
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
    // Some services accept WebSocket connections at the root path.
    return settings.cdpUrl;
  }
}

async function askForSocket(
  { cdpUrl, cdpHeaders }: AttachSettings,
  address: URL,
  signal: AbortSignal,
): Promise<string> {
  const versionUrl = versionUrlOf(address);
  const answer = await ask(versionUrl, { cdpUrl, cdpHeaders, signal });
  const socket = 'webSocketDebuggerUrl' in answer ? answer.webSocketDebuggerUrl : undefined;
  if (typeof socket !== 'string' || !URL.canParse(socket))
    throw new DriverInitError(
      `${versionUrl.href} returned no DevTools WebSocket URL. Check that a Chromium browser listens there.`,
    );
  const url = new URL(socket);
  // Behind a TLS-terminating proxy, the browser reports a `ws:` URL.
  if (versionUrl.protocol === 'https:') url.protocol = 'wss:';
  return url.href;
}

function versionUrlOf(address: URL): URL {
  const url = new URL(address);
  url.protocol = address.protocol.replace('ws', 'http');
  const path = address.pathname.replace(/\/$/, '');
  url.pathname = path.endsWith(VERSION_PATH) ? path : path + VERSION_PATH;
  return url;
}

async function ask(
  versionUrl: URL,
  { cdpUrl, cdpHeaders, signal }: AttachSettings & { signal: AbortSignal },
): Promise<object> {
  try {
    const response = await fetch(versionUrl, { signal, headers: cdpHeaders });
    if (!response.ok)
      throw new DriverInitError(`${versionUrl.href} responded with ${response.status} ${response.statusText}`);
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const answered = error instanceof DriverInitError ? ` (${error.message})` : '';
    throw new DriverInitError(
      `No browser responded at ${cdpUrl}${answered}. Start one with --remote-debugging-port, or pass its ws:// URL.`,
      { cause: error },
    );
  }
}

function notOfTheBrowser(cdpUrl: string): DriverInitError {
  return new DriverInitError(
    `${cdpUrl} is the WebSocket URL of a single page. Pass the URL of the browser instead: ws://host:port/devtools/browser/…, or http://host:port.`,
  );
}
