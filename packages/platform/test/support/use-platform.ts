import { afterAll, beforeAll } from 'vitest';
import type { PlatformOptions } from '../../src/options.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';

/** A platform that all tests of a file share, with its first key. */
export interface SharedPlatform {
  readonly platform: Platform;
  readonly key: string;
  /** Asks the platform, with a key and a JSON body where they are given. */
  ask(method: string, path: string, question?: Question): Promise<Answer>;
}

/** What goes with a request. */
export interface Question {
  /** Default: the first key; empty for none. */
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The code of a refusal. */
  readonly code: string | undefined;
}

/** Tests run as any user, on machines without a sandbox too. */
export const FOR_TESTS = { database: ':memory:', port: 0, warm: 0, logLevel: 'silent', allowNoSandbox: true } as const;

/** Starts a platform before the tests of a file and ends it after them. Options may hang on what was started before. */
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

/** Asks a server. */
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
