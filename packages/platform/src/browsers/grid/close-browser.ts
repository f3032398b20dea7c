import { Connection } from 'pagechauffeur/internal';
import type { PlatformLog } from '../../platform-log.ts';

/** The node ends a browser that hangs. */
const CLOSE_MS = 3000;

/**
 * Closes a remote browser over its DevTools WebSocket and waits for it. If the node's driver killed it instead, the
 * folder
 * of its socket would remain.
 */
export async function closeBrowser(
  url: string,
  { sessionId: session, log }: { readonly sessionId: string; readonly log: PlatformLog },
): Promise<void> {
  const signal = AbortSignal.timeout(CLOSE_MS);
  try {
    const connection = await Connection.open(url, { signal });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    connection.browser.on('closed', () => resolve());
    signal.addEventListener('abort', () => connection.close());
    // The browser may exit before it answers.
    await Promise.race([connection.browser.send('Browser.close').then(() => closed), closed]);
  } catch {
    // The error would contain the URL, which gives access to the browser.
    log.info({ session }, 'browser did not exit by itself');
  }
}
