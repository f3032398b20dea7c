import { Connection } from 'pagechauffeur/internal';
import type { PlatformLog } from '../../platform-log.ts';

/** A browser that hangs is ended by its node. */
const CLOSE_MS = 3000;

/**
 * Asks a browser elsewhere to end by itself, by its DevTools socket, and waits for that. One that its node kills, as the driver
 * there does, leaves the folder of a socket behind for good.
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
    // It may be gone before it answers.
    await Promise.race([connection.browser.send('Browser.close').then(() => closed), closed]);
  } catch {
    // The reason would name the address, which opens the browser.
    log.info({ session }, 'a browser did not end by itself');
  }
}
