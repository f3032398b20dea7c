/**
 * Where entries of a cache are kept: text by name. Its methods may fail; the cache tells it once and goes on without.
 * Names are made of letters, digits, `-` and `.`, so that they can be names of files or parts of an address.
 */
export interface CacheStore {
  /** What people know the store by, such as the path of a folder. */
  readonly place: string;
  /** The text of that name; undefined when there is none. Never a part of one that is being written. */
  read(name: string): Promise<string | undefined>;
  /** The names of all texts; empty for a store that has none yet. */
  names(): Promise<readonly string[]>;
  /** Adds or replaces a text, whole or not at all. */
  write(name: string, text: string): Promise<void>;
}
