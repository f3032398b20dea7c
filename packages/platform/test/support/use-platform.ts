import { afterAll, beforeAll } from 'vitest';
import type { PlatformOptions } from '../../src/options.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';

/** A platform shared by the tests of a file, with its first key. */
export interface SharedPlatform {
  readonly platform: Platform;
  readonly key: string;
  /** Sends a request with an optional key and JSON body. */
  ask(method: string, path: string, question?: Question): Promise<Answer>;
}

/** Options of a request. */
export interface Question {
  /** Default: the first key. Empty for none. */
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** Error code of a refusal. */
  readonly code: string | undefined;
}

/** Tests run as any user, also on machines without a sandbox. */
export const FOR_TESTS = { database: ':memory:', port: 0, warm: 0, logLevel: 'silent', allowNoSandbox: true } as const;

/**
 * Starts a platform before the tests of a file and stops it after them. Options may depend on what was started before.
 */
export function usePlatform(options: Partial<PlatformOptions> | (() => Partial<PlatformOptions>) = {}): SharedPlatform {
  let platform: Platform;
  beforeAll(async () => {
    const given = typeof options === 'function' ? options() : options;
    platform = await startPlatform({ ...FOR_TESTS, ...given });
  });
  afterAll(() => platform?.close());
  return {
    get platform() {
      return platform;
    },
    get key() {
      return platform.firstKey ?? '';
    },
    ask: (method, path, question) => ask(platform, { method, path, ...question }),
  };
}

/** Sends a request to a server. */
export async function ask(
  { url, firstKey = '' }: Pick<Platform, 'url' | 'firstKey'>,
  { method, path, key = firstKey, body, headers = {} }: Question & { method: string; path: string },
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>;
  const code = (answer['error'] as { code?: string } | undefined)?.code;
  return { status: response.status, headers: response.headers, body: answer, code };
}
