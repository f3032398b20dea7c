import { DriverInitError, MissingEnvironmentVariableError } from '../errors.ts';
import type { PlatformAccess } from '../remote/ask-platform.ts';
import { defaultAddress } from '../remote/open-service.ts';
import type { ResolvedRemoteOptions } from './resolve-driver-options.ts';

type AccessOptions = Pick<ResolvedRemoteOptions, 'service' | 'apiKey' | 'baseUrl'>;

/** Which platform is asked and as whom: by the options, else by the environment as it is now. */
export function platformAccess({ service, apiKey, baseUrl }: AccessOptions): PlatformAccess {
  // A bare address carries what it needs.
  const key = service === 'cdp' ? '' : (apiKey ?? process.env['REMOTE_API_KEY']);
  if (!key && service !== 'cdp')
    throw new MissingEnvironmentVariableError(
      'env REMOTE needs a key of the platform: set REMOTE_API_KEY or give the apiKey option.',
      { variable: 'REMOTE_API_KEY' },
    );
  const url = (baseUrl ?? process.env['REMOTE_API_URL']) || defaultAddress(service);
  if (url === undefined)
    throw new DriverInitError("remoteService 'cdp' needs an address: give remoteBaseURL, such as wss://host/devtools.");
  if (!URL.canParse(url)) throw new DriverInitError(`REMOTE_API_URL is no address: ${JSON.stringify(url)}.`);
  return { baseUrl: service === 'cdp' ? url : url.replace(/\/+$/, ''), apiKey: key ?? '' };
}
