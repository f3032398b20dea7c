import { FileStore } from '../cache/file-store.ts';
import { VerbCache } from '../cache/verb-cache.ts';
import type { Log } from '../util/log.ts';
import type { ResolvedDriverOptions } from './resolve-driver-options.ts';

/** The cache that the options ask for; undefined without `cacheDir`. */
export function openCache(
  { cacheDir, cacheQuery }: ResolvedDriverOptions,
  { log, mask }: { readonly log: Log; readonly mask: (text: string) => string },
): VerbCache | undefined {
  if (cacheDir === undefined) return undefined;
  return new VerbCache({ store: new FileStore(cacheDir), log, countedParameters: cacheQuery, mask });
}
