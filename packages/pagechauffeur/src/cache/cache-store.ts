/**
 * Stores cache entries, which are strings with a name. Methods may reject; the cache logs that once and continues
 * without the store. Names consist of letters, digits, `-` and `.`, so they are valid as file names and URL path
 * segments.
 */
export interface CacheStore {
  /** Location of the store for logs, such as a folder path. */
  readonly place: string;
  /** Returns an entry, or `undefined` if there is none. Never returns a partially written entry. */
  read(name: string): Promise<string | undefined>;
  /** Returns the names of all entries. Empty if the store does not exist yet. */
  names(): Promise<readonly string[]>;
  /** Adds or replaces an entry atomically. */
  write(name: string, text: string): Promise<void>;
}
