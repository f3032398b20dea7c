import type { CacheStore } from '../cache/cache-store.ts';
import { FileStore } from '../cache/file-store.ts';
import { PlatformStore } from '../cache/platform-store.ts';
import { VerbCache } from '../cache/verb-cache.ts';
import type { Log } from '../util/log.ts';
import { platformAccess } from './platform-access.ts';
import type { ResolvedDriverOptions } from './resolve-driver-options.ts';

export interface Caches {
  /** Undefined without `cacheDir`. */
  readonly own: VerbCache | undefined;
  /** Cache on the platform. Undefined for `LOCAL` and third-party services. */
  readonly server: VerbCache | undefined;
}

export function openCaches(
  { env, cacheDir, cacheQuery, remote }: ResolvedDriverOptions,
  settings: { readonly log: Log; readonly mask: (text: string) => string },
): Caches {
  const cacheIn = (store: CacheStore): VerbCache =>
    new VerbCache({ ...settings, store, countedParameters: cacheQuery });
  return {
    own: cacheDir === undefined ? undefined : cacheIn(new FileStore(cacheDir)),
    server:
      env === 'REMOTE' && remote.service === 'chauffeur'
        ? cacheIn(new PlatformStore(() => platformAccess(remote)))
        : undefined,
  };
}
