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

/** Providers of browsers: the chauffeur platform, another service, or only a DevTools URL. */
export const REMOTE_SERVICES = ['chauffeur', 'browserbase', 'steel', 'browserless', 'cdp'] as const;

/** One of {@link REMOTE_SERVICES}. */
export type RemoteServiceName = (typeof REMOTE_SERVICES)[number];

/** Default URL of a service. The chauffeur platform is expected on this machine. */
export function defaultAddress(name: RemoteServiceName): string | undefined {
  if (name === 'cdp') return undefined;
  return name === 'chauffeur' ? 'http://127.0.0.1:4600' : SHAPES[name].baseUrl;
}

/** Creates the client of a service. */
export function openService(name: RemoteServiceName, access: PlatformAccess): RemoteService {
  if (name === 'chauffeur') return new RemotePlatform(access);
  if (name === 'cdp') return new BareAddress(access.baseUrl);
  return new HostedService(SHAPES[name], access);
}
