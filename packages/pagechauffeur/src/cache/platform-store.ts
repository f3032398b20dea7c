import { RemoteApiError } from '../errors.ts';
import { askPlatform, type PlatformAccess } from '../remote/ask-platform.ts';
import { isRecord } from '../util/is-record.ts';
import type { CacheStore } from './cache-store.ts';

/** A slow platform must not hold up what a model would answer as well. */
const TIMEOUT_MS = 5000;

/** Keeps each text on the platform, for all who work with keys of one project. */
export class PlatformStore implements CacheStore {
  readonly place = 'the platform';
  readonly #access: () => PlatformAccess;

  constructor(access: () => PlatformAccess) {
    this.#access = access;
  }

  async read(name: string): Promise<string | undefined> {
    try {
      const response = await this.#ask('GET', name);
      const answer: unknown = await response.json();
      return isRecord(answer) && typeof answer['value'] === 'string' ? answer['value'] : undefined;
    } catch (error) {
      if (error instanceof RemoteApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The platform does not tell names: nobody needs all that a project has. */
  async names(): Promise<readonly string[]> {
    return [];
  }

  async write(name: string, text: string): Promise<void> {
    await this.#ask('PUT', name, { value: text });
  }

  #ask(method: 'GET' | 'PUT', name: string, body?: object): Promise<Response> {
    return askPlatform(this.#access(), {
      method,
      path: `/v1/cache/${encodeURIComponent(name)}`,
      ...(body ? { body } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
