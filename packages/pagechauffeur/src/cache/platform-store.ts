import { RemoteApiError } from '../errors.ts';
import { requestPlatform, type PlatformAccess } from '../remote/platform-request.ts';
import { isRecord } from '../util/is-record.ts';
import type { CacheStore } from './cache-store.ts';

/** A read usually takes milliseconds. If the platform's database is down, calling the model is faster than waiting. */
const READ_MS = 1000;
const WRITE_MS = 2000;
/** How long to skip the platform after it did not respond, because one call reads and writes several times. */
const REST_MS = 10_000;
const SERVER_FAILED = 500;

/** Stores each entry on the platform. All API keys of a project share the entries. */
export class PlatformStore implements CacheStore {
  readonly place = 'the platform';
  readonly #access: () => PlatformAccess;
  /** Why the platform did not respond, and until when requests are skipped. */
  #away: { readonly until: number; readonly reason: unknown } | undefined;

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

  /** Returns nothing: no caller needs all entries of a project. */
  async names(): Promise<readonly string[]> {
    return [];
  }

  async write(name: string, text: string): Promise<void> {
    await this.#ask('PUT', name, { value: text });
  }

  async #ask(method: 'GET' | 'PUT', name: string, body?: object): Promise<Response> {
    if (this.#away && performance.now() < this.#away.until) throw this.#away.reason;
    try {
      const response = await requestPlatform(this.#access(), {
        method,
        path: `/v1/cache/${encodeURIComponent(name)}`,
        ...(body ? { body } : {}),
        signal: AbortSignal.timeout(body ? WRITE_MS : READ_MS),
      });
      this.#away = undefined;
      return response;
    } catch (error) {
      if (!isAnswer(error)) this.#away = { until: performance.now() + REST_MS, reason: error };
      throw error;
    }
  }
}

/** True if the platform responded and rejected the request. */
function isAnswer(error: unknown): boolean {
  return error instanceof RemoteApiError && error.status !== undefined && error.status < SERVER_FAILED;
}
