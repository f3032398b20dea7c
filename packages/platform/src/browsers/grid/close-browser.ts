import { Connection } from 'pagechauffeur/internal';
import type { PlatformLog } from '../../platform-log.ts';

/** If the browser takes longer, the Grid node kills it when the session is removed. */
const CLOSE_MS = 3000;

/**
 * Closes a remote browser over its DevTools WebSocket and waits up to 3 s until it exits. If chromedriver killed the
 * browser instead, the browser's socket folder would remain on the node.
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
    // The browser may exit before it responds.
    await Promise.race([connection.browser.send('Browser.close').then(() => closed), closed]);
  } catch {
    // Does not log the error: its message contains the secret browser URL.
    log.info({ session }, 'browser did not exit by itself');
  }
}
