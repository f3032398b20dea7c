import { DriverInitError } from '../errors.ts';

/** The DevTools socket behind `cdpUrl`: a `ws:` address as it is, an `http:` one asked for its socket. */
export async function browserAddress(cdpUrl: string, signal: AbortSignal): Promise<string> {
  if (/^wss?:/i.test(cdpUrl)) return cdpUrl;
  const versionUrl = new URL('/json/version', cdpUrl);
  try {
    const response = await fetch(versionUrl, { signal });
    const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: string };
    if (webSocketDebuggerUrl) return webSocketDebuggerUrl;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new DriverInitError(
      `No browser answers at ${cdpUrl}. Start one with --remote-debugging-port, or give its ws:// address.`,
      { cause: error },
    );
  }
  throw new DriverInitError(`${versionUrl.href} names no DevTools socket; is this a Chromium?`);
}
