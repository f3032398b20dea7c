import { DriverInitError, MissingEnvironmentVariableError } from '../errors.ts';
import type { PlatformAccess } from '../remote/ask-platform.ts';
import type { ResolvedRemoteOptions } from './resolve-driver-options.ts';

/** A platform that was started on this machine with nothing said. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:4600';

/** Which platform is asked and as whom: by the options, else by the environment as it is now. */
export function platformAccess({ apiKey, baseUrl }: ResolvedRemoteOptions): PlatformAccess {
  const key = apiKey ?? process.env['REMOTE_API_KEY'];
  if (!key)
    throw new MissingEnvironmentVariableError(
      'env REMOTE needs a key of the platform: set REMOTE_API_KEY or give the apiKey option.',
      { variable: 'REMOTE_API_KEY' },
    );
  const url = (baseUrl ?? process.env['REMOTE_API_URL']) || DEFAULT_BASE_URL;
  if (!URL.canParse(url)) throw new DriverInitError(`REMOTE_API_URL is no address: ${JSON.stringify(url)}.`);
  return { baseUrl: url.replace(/\/+$/, ''), apiKey: key };
}
