import { DriverInitError } from '../errors.ts';

/** The DevTools socket behind `cdpUrl`: a `ws:` address as it is, an `http:` one asked for its socket. */
export async function browserAddress(cdpUrl: string, signal: AbortSignal): Promise<string> {
  if (/^wss?:/i.test(cdpUrl)) return cdpUrl;
  const versionUrl = new URL('/json/version', cdpUrl);
  const response = await fetch(versionUrl, { signal }).catch((error: unknown) => {
    throw new DriverInitError(`No browser answers at ${cdpUrl}. Start one with --remote-debugging-port, or give its ws:// address.`, { cause: error });
  });
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: string };
  if (!webSocketDebuggerUrl) throw new DriverInitError(`${versionUrl.href} names no DevTools socket; is this a Chromium?`);
  return webSocketDebuggerUrl;
}
