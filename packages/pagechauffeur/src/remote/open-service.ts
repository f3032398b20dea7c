import type { PlatformAccess } from './platform-request.ts';
import { HostedService } from './hosted-service.ts';
import { RemotePlatform } from './remote-platform.ts';
import type { RemoteService } from './remote-service.ts';
import type { ServiceShape } from './service-shape.ts';
import { BareAddress } from './services/bare-address.ts';
import { browserbase } from './services/browserbase.ts';
import { browserless } from './services/browserless.ts';
import { steel } from './services/steel.ts';

const SHAPES: Readonly<Record<'browserbase' | 'steel' | 'browserless', ServiceShape>> = {
  browserbase,
  steel,
  browserless,
};

/** Values of the option `remoteService`. */
export const REMOTE_SERVICES = ['chauffeur', 'browserbase', 'steel', 'browserless', 'cdp'] as const;

/**
 * Provider of remote browsers: `chauffeur` (a chauffeur platform), `browserbase`, `steel`, `browserless`, or `cdp` (any
 * DevTools URL).
 */
export type RemoteServiceName = (typeof REMOTE_SERVICES)[number];

/** Returns the default base URL. The chauffeur platform is expected on this machine, and `cdp` has no default. */
export function defaultAddress(name: RemoteServiceName): string | undefined {
  if (name === 'cdp') return undefined;
  return name === 'chauffeur' ? 'http://127.0.0.1:4600' : SHAPES[name].baseUrl;
}

export function openService(name: RemoteServiceName, access: PlatformAccess): RemoteService {
  if (name === 'chauffeur') return new RemotePlatform(access);
  if (name === 'cdp') return new BareAddress(access.baseUrl);
  return new HostedService(SHAPES[name], access);
}
