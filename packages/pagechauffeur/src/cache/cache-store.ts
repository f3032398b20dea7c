/**
 * Stores cache entries: text by name. Methods may reject; the cache logs that once and continues without the store.
 * Names consist of letters, digits, `-` and `.`, so they work as file names and as URL path segments.
 */
export interface CacheStore {
  /** Location of the store for logs, for example a folder path. */
  readonly place: string;
  /** Returns the text, or `undefined` if there is none. Never returns a partly written text. */
  read(name: string): Promise<string | undefined>;
  /** Returns the names of all texts. Empty if the store does not exist yet. */
  names(): Promise<readonly string[]>;
  /** Adds or replaces a text atomically. */
  write(name: string, text: string): Promise<void>;
}
