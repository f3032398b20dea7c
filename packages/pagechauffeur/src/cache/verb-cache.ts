import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Log } from '../util/log.ts';
import {
  type CacheKey,
  type CountedParameters,
  ENTRY_VERSION,
  entryName,
  type NormalizedKey,
  normalizedKey,
} from './cache-key.ts';
import type { CacheStore } from './cache-store.ts';

interface CacheSettings {
  readonly store: CacheStore;
  readonly log: Log;
  readonly countedParameters: CountedParameters;
  readonly mask: (text: string) => string;
}

type Found = 'nothing' | 'damaged' | 'from another version' | { readonly key: unknown; readonly content: unknown };

/**
 * Stores the results of calls by cache key. Cache problems never fail a call: an unreadable entry counts as missing and
 * a failed write is dropped. Only the first problem of each entry and the first error of the store are logged.
 */
export class VerbCache {
  readonly #settings: CacheSettings;
  readonly #logged = new Set<string>();

  constructor(settings: CacheSettings) {
    this.#settings = settings;
  }

  /** Returns the stored content, converted by `parse`, or `undefined` if the key has no usable entry. */
  async read<T>(key: CacheKey, parse: (content: unknown) => T | undefined): Promise<T | undefined> {
    const normalized = this.#normalized(key);
    const name = entryName(normalized);
    const found = await this.#find(name);
    if (typeof found === 'string' || !isEqual(found.key, normalized)) {
      if (found !== 'nothing') this.#logUnused(name, typeof found === 'string' ? found : 'for another call');
      return undefined;
    }
    const content = parse(found.content);
    if (content === undefined) this.#logUnused(name, 'damaged');
    return content;
  }

  /** Creates or replaces an entry. `content` must be JSON data. Keeps an existing entry of another format version. */
  async write(key: CacheKey, content: unknown): Promise<void> {
    const normalized = this.#normalized(key);
    const name = entryName(normalized);
    if ((await this.#find(name)) === 'from another version') return;
    const entry = { version: ENTRY_VERSION, key: normalized, saved: new Date().toISOString(), content };
    try {
      await this.#settings.store.write(name, `${JSON.stringify(entry, undefined, 2)}\n`);
    } catch (error) {
      this.#logStoreError(error);
    }
  }

  /** Returns all readable entries of this format version, in no particular order. */
  async entries(): Promise<readonly { readonly key: NormalizedKey; readonly content: unknown }[]> {
    const found = await Promise.all((await this.#names()).map((name) => this.#find(name)));
    return found
      .filter((entry) => typeof entry !== 'string')
      .flatMap(({ key, content }) =>
        isRecord(key) && typeof key['url'] === 'string' ? [{ key: key as unknown as NormalizedKey, content }] : [],
      );
  }

  async #names(): Promise<readonly string[]> {
    try {
      return (await this.#settings.store.names()).filter((name) => name.endsWith(`.v${ENTRY_VERSION}.json`));
    } catch (error) {
      this.#logStoreError(error);
      return [];
    }
  }

  /** Replaces variable values with their placeholders. */
  mask(text: string): string {
    return this.#settings.mask(text);
  }

  #normalized(key: CacheKey): NormalizedKey {
    return normalizedKey({ ...key, url: this.mask(key.url) }, this.#settings.countedParameters);
  }

  async #find(name: string): Promise<Found> {
    try {
      const text = await this.#settings.store.read(name);
      return text === undefined ? 'nothing' : foundIn(text);
    } catch (error) {
      this.#logStoreError(error);
      return 'nothing';
    }
  }

  #logUnused(name: string, why: string): void {
    this.#logOnce(name, `Ignored cache entry ${name} (${this.#settings.store.location}): it is ${why}.`);
  }

  #logStoreError(error: unknown): void {
    this.#logOnce(
      '',
      `Cannot use the cache (${this.#settings.store.location}): ${reasonOf(error)}. Continuing without it.`,
    );
  }

  #logOnce(subject: string, message: string): void {
    if (this.#logged.has(subject)) return;
    this.#logged.add(subject);
    this.#settings.log.write('cache', 0, message);
  }
}

/** Maximum entry length in characters. Longer entries count as damaged. */
const MAX_LENGTH = 4_000_000;
/** Maximum nesting depth. Recursive code overflows the stack at a few thousand levels. */
const MAX_DEPTH = 200;

function foundIn(text: string): Found {
  const entry = text.length > MAX_LENGTH || isDeeperThan(text, MAX_DEPTH) ? undefined : parsed(text);
  if (!isRecord(entry) || !('version' in entry)) return 'damaged';
  return entry['version'] === ENTRY_VERSION ? { key: entry['key'], content: entry['content'] } : 'from another version';
}

function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Matches a string literal or a bracket. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]/g;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isEqual(key: unknown, normalized: NormalizedKey): boolean {
  return JSON.stringify(key) === JSON.stringify(normalized);
}
