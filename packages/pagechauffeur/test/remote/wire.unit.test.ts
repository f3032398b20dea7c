import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import {
  Driver,
  type DriverOptions,
  DriverInitError,
  RemoteApiError,
  RemoteQuotaError,
  RemoteSessionNotFoundError,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve } from '../support/serve.ts';

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const asked: Asked[] = [];

afterEach(() => {
  asked.length = 0;
});

/** How `init()` fails against a platform that answers like this, one answer after the other. */
async function failedInit(
  answers: readonly (readonly [status: number, body: string, headers?: Readonly<Record<string, string>>])[],
  options: Partial<DriverOptions> = {},
): Promise<unknown> {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) });
    const [status, body, headers = {}] = answers[Math.min(asked.length, answers.length) - 1] ?? [500, ''];
    response.writeHead(status, headers).end(body);
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => void reply(request, response);
  await using server = await serve({ '/v1/sessions': answer, '/v1/sessions/some': answer });
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: 'the-key',
    remoteBaseURL: server.origin,
    disableLoggerBackend: true,
    ...options,
  });
  return await failureOf(driver.init());
}

const refusal = (code: string): string =>
  JSON.stringify({ error: { code, message: `It is ${code}.`, requestId: 'request-1' } });

// [spec: authentication.wire]
it('sends the key as bearer token, parameters as JSON, and the same Idempotency-Key when it repeats a request', async () => {
  const failure = await failedInit(
    [
      [502, 'bad gateway'],
      [401, refusal('unauthorized')],
    ],
    {
      keepAlive: true,
      remoteSessionCreateParams: { keepAlive: false, region: 'eu', extra: { any: [1] } },
    },
  );
  expect(failure).toBeInstanceOf(RemoteApiError);
  expect(failure).toBeInstanceOf(DriverInitError);
  expect(failure).toMatchObject({ status: 401, requestId: 'request-1', code: 'REMOTE_API' });
  expect(String(failure)).toContain('It is unauthorized.');
  expect(String(failure)).not.toContain('the-key');
  expect(asked.map(({ line }) => line)).toEqual(['POST /v1/sessions', 'POST /v1/sessions']);
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer the-key', 'content-type': 'application/json' });
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ keepAlive: true, region: 'eu', extra: { any: [1] } });
  const [first, second] = asked.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).toBe(first);
});

it.each<[number, string | undefined, number]>([
  [429, '7', 7000],
  [503, '1', 1000],
  [503, undefined, 5000],
  [429, 'Wed, 21 Oct 2026 07:28:00 GMT', 5000],
])('maps %i with Retry-After %s to a retry time', async (status, after, retryAfter) => {
  const failure = await failedInit([[status, refusal('full'), after === undefined ? {} : { 'retry-after': after }]]);
  expect(failure).toBeInstanceOf(RemoteQuotaError);
  expect(failure).toBeInstanceOf(DriverInitError);
  expect(failure).toMatchObject({ status, retryAfter, requestId: 'request-1', code: 'REMOTE_QUOTA' });
});

it.each([404, 410])('maps %i to RemoteSessionNotFoundError', async (status) => {
  const failure = await failedInit([[status, refusal('gone')]], { remoteSessionID: 'some' });
  expect(failure).toBeInstanceOf(RemoteSessionNotFoundError);
  expect(failure).toBeInstanceOf(DriverInitError);
  expect(asked[0]?.line).toBe('GET /v1/sessions/some');
});

it.each<[string, string]>([
  ['no JSON', '<!doctype html>'],
  ['no session', '{}'],
  ['no object', '"session"'],
])('reports that the server is not a platform: %s', async (_what, body) => {
  expect(String(await failedInit([[200, body]]))).toMatch(/RemoteApiError: The platform returned no session/);
});

it('rejects unserializable parameters before any request', () => {
  const made = (remoteSessionCreateParams: Readonly<Record<string, unknown>>) => (): Driver =>
    new Driver({ env: 'REMOTE', remoteSessionCreateParams });
  expect(made({ timeout: 5n })).toThrow('remoteSessionCreateParams must be an object of JSON data');
  expect(made({ keepAlive: 'yes' })).toThrow('remoteSessionCreateParams.keepAlive must be a boolean');
});

it('rejects a redirect of the platform, and sends no request to its location', async () => {
  const followed: unknown[] = [];
  await using other = await serve({
    '/v1/sessions': ({ headers }, response) => {
      followed.push(headers);
      response.writeHead(500).end();
    },
  });
  const failure = await failedInit([[307, '', { location: `${other.origin}/v1/sessions` }]]);
  expect(failure).toBeInstanceOf(RemoteApiError);
  expect(String(failure)).toMatch(/redirect/);
  expect(new Set(asked.map(({ line }) => line))).toEqual(new Set(['POST /v1/sessions']));
  expect(followed).toEqual([]);
});

it('explains how to start a platform when none is reachable', async () => {
  const failure = await failedInit([], { remoteBaseURL: 'http://127.0.0.1:1' });
  expect(failure).toBeInstanceOf(RemoteApiError);
  expect(failure).toBeInstanceOf(DriverInitError);
  expect(failure).toMatchObject({ status: undefined });
  expect(String(failure)).toMatch(/Cannot reach the platform at http:\/\/127\.0\.0\.1:1: .*npx pagechauffeur-platform/);
});

it('rejects with DriverAbortError when the signal aborts before the platform responds', async () => {
  await using mute = await serve({ '/v1/sessions': () => undefined });
  const failure = await failedInit([], { remoteBaseURL: mute.origin, signal: AbortSignal.timeout(100) });
  expect(failure).toMatchObject({ name: 'DriverAbortError' });
});
