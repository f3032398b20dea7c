import { DriverInitError, MissingEnvironmentVariableError } from '../errors.ts';
import type { PlatformAccess } from '../remote/platform-request.ts';
import { defaultAddress } from '../remote/open-service.ts';
import type { ResolvedRemoteOptions } from './resolve-driver-options.ts';

type AccessOptions = Pick<ResolvedRemoteOptions, 'service' | 'apiKey' | 'baseUrl'>;

/** Reads URL and API key from the options, else from the environment at the time of the call. */
export function platformAccess({ service, apiKey, baseUrl }: AccessOptions): PlatformAccess {
  // A DevTools URL contains its own credentials.
  const key = service === 'cdp' ? '' : (apiKey ?? process.env['REMOTE_API_KEY']);
  if (!key && service !== 'cdp')
    throw new MissingEnvironmentVariableError('env REMOTE needs an API key. Set REMOTE_API_KEY or pass apiKey.', {
      variable: 'REMOTE_API_KEY',
    });
  const url = (baseUrl ?? process.env['REMOTE_API_URL']) || defaultAddress(service);
  if (url === undefined)
    throw new DriverInitError(
      "remoteService 'cdp' needs a DevTools URL. Pass remoteBaseURL, for example wss://host/devtools.",
    );
  if (!URL.canParse(url))
    throw new DriverInitError(
      `REMOTE_API_URL must be an http(s) URL, for example http://127.0.0.1:8080. Received ${JSON.stringify(url)}.`,
    );
  return { baseUrl: service === 'cdp' ? url : url.replace(/\/+$/, ''), apiKey: key ?? '' };
}
