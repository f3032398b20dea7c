import { Connection } from 'pagechauffeur/internal';
import { PlatformError } from '../../errors.ts';

const ANSWER_MS = 10_000;

/** Returns the product version, for example `Chrome/156.0.8078.79`. */
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
    throw new PlatformError('browser_unreachable', "Cannot connect to this session's browser.", { cause: error });
  }
}
