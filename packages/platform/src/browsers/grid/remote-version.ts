import { Connection } from 'pagechauffeur/internal';
import { PlatformError } from '../../errors.ts';

const ANSWER_MS = 10_000;

/** What a browser elsewhere is, such as `Chrome/156.0.8078.79`, by its DevTools socket. */
export async function remoteVersion(url: string): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const connection = await Connection.open(url, { signal });
    signal.addEventListener('abort', () => connection.close());
    try {
      return (await connection.browser.send('Browser.getVersion')).product;
    } finally {
      connection.close();
    }
  } catch (error) {
    throw new PlatformError('browser_unreachable', 'The browser of this session cannot be reached.', { cause: error });
  }
}
