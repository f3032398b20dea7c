/**
 * Storage for cache entries: named strings. Entry names contain only letters, digits, `-` and `.`, so they are valid
 * file names and URL path segments. Methods may reject. {@link VerbCache} then logs the error and continues without the
 * cache.
 */
export interface CacheStore {
  /** Shown in log lines, for example the folder path. */
  readonly location: string;
  /** Resolves with `undefined` if the entry does not exist. Never resolves with a partially written entry. */
  read(name: string): Promise<string | undefined>;
  /** Resolves with an empty list if the store does not exist yet. */
  names(): Promise<readonly string[]>;
  /** Creates or replaces an entry atomically. */
  write(name: string, text: string): Promise<void>;
}
