import { RemoteApiError } from '../errors.ts';
import { requestPlatform, type PlatformAccess } from '../remote/platform-request.ts';
import { isRecord } from '../util/is-record.ts';
import type { CacheStore } from './cache-store.ts';

/** A read usually takes a few milliseconds. After 1 s, calling the model is likely faster than waiting longer. */
const READ_MS = 1000;
const WRITE_MS = 2000;
/**
 * How long to send no requests after one timed out or failed, in ms. Otherwise each read and write of a call would time
 * out in turn.
 */
const REST_MS = 10_000;
const SERVER_FAILED = 500;

/** Stores entries on the platform. All API keys of a project share them. */
export class PlatformStore implements CacheStore {
  readonly location = 'platform';
  readonly #access: () => PlatformAccess;
  /** Set after a request failed. Requests before `until` fail immediately with the same error. */
  #outage: { readonly until: number; readonly reason: unknown } | undefined;

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

  /** Always empty. Actions stored by other runs are only preloaded from a folder. */
  async names(): Promise<readonly string[]> {
    return [];
  }

  async write(name: string, text: string): Promise<void> {
    await this.#ask('PUT', name, { value: text });
  }

  async #ask(method: 'GET' | 'PUT', name: string, body?: object): Promise<Response> {
    if (this.#outage && performance.now() < this.#outage.until) throw this.#outage.reason;
    try {
      const response = await requestPlatform(this.#access(), {
        method,
        path: `/v1/cache/${encodeURIComponent(name)}`,
        ...(body ? { body } : {}),
        signal: AbortSignal.timeout(body ? WRITE_MS : READ_MS),
      });
      this.#outage = undefined;
      return response;
    } catch (error) {
      if (!isRejection(error)) this.#outage = { until: performance.now() + REST_MS, reason: error };
      throw error;
    }
  }
}

/** True if the platform rejected the request (HTTP 4xx), so it is reachable. */
function isRejection(error: unknown): boolean {
  return error instanceof RemoteApiError && error.status !== undefined && error.status < SERVER_FAILED;
}
