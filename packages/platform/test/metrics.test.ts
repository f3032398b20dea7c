import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlatformOptions } from '../src/options.ts';
import { type Platform, startPlatform } from '../src/platform.ts';
import { simulatedBackend } from './support/simulated-backend.ts';
import { simulateBrowsers } from './support/simulated-browsers.ts';
import { ask, FOR_TESTS } from './support/use-platform.ts';

const TOKEN = 't'.repeat(43);
const NAMES = 'chauffeur_project_sessions{project="default"} 1';

/** Starts a platform with one session of the project `default`. */
async function started(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const browsers = await simulateBrowsers();
  onTestFinished(() => browsers[Symbol.asyncDispose]());
  const platform = await startPlatform({ ...FOR_TESTS, ...options }, simulatedBackend(browsers.origin, 'own', 1));
  onTestFinished(() => platform.close());
  const { status } = await ask(
    { url: `http://127.0.0.1:${platform.port}`, firstKey: platform.firstKey },
    { method: 'POST', path: '/v1/sessions', body: {} },
  );
  expect(status).toBe(201);
  return platform;
}

/** Status and text of `/metrics`. */
async function metricsOf(
  { port }: Platform,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const asked = request({ host: '127.0.0.1', port, path: '/metrics', headers, agent: false }, (answer) => {
    text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

describe('project names in metrics', () => {
  it.each([
    ['127.0.0.1', true],
    ['localhost:4600', true],
    ['[::1]:4600', true],
    ['evil.test', false],
    ['localhost.evil.test', false],
    ['127.0.0.1.evil.test', false],
    ['a b', false],
  ])('decides by the requested host on a loopback address whether to show names: %s, %s', async (host, isShown) => {
    const { status, body } = await metricsOf(await started(), { host });
    expect(status).toBe(200);
    expect(body).toMatch(/^chauffeur_sessions 1$/m);
    expect(body.includes(NAMES)).toBe(isShown);
  });

  it.each<[string, Partial<PlatformOptions>]>([
    ['listens on the network', { host: '0.0.0.0' }],
    ['has a public URL', { publicUrl: 'https://browsers.example.com' }],
  ])('omits project names if the server %s', async (_what, options) => {
    const { status, body } = await metricsOf(await started(options));
    expect(status).toBe(200);
    expect(body).toMatch(/^chauffeur_sessions 1$/m);
    expect(body).not.toContain('default');
  });
});

describe('metrics token', () => {
  it('protects `/metrics`, and shows project names on any address', async () => {
    const platform = await started({ host: '0.0.0.0', metricsToken: TOKEN });
    for (const authorization of [undefined, '', TOKEN, 'Bearer x', `Bearer ${TOKEN}x`, `Bearer ${platform.firstKey}`]) {
      const refused = await metricsOf(platform, authorization === undefined ? {} : { authorization });
      expect(refused.status).toBe(401);
      expect(refused.body).not.toContain('chauffeur_');
    }
    const { status, body } = await metricsOf(platform, { host: 'metrics.test', authorization: `Bearer ${TOKEN}` });
    expect(status).toBe(200);
    expect(body).toContain(NAMES);
    expect((await ask(platform, { method: 'GET', path: '/readyz', key: '' })).status).toBe(200);
  });

  it('rejects a token shorter than 32 characters', async () => {
    await expect(startPlatform({ ...FOR_TESTS, metricsToken: 'short' })).rejects.toThrow(
      'CHAUFFEUR_METRICS_TOKEN must have at least 32 characters.',
    );
  });
});

it('computes metrics less than 5 times for 50 concurrent requests', async () => {
  const platform = await started();
  // Processor time differs between two computations.
  const answers = await Promise.all(Array.from({ length: 50 }, () => metricsOf(platform)));
  expect(new Set(answers.map(({ body }) => body)).size).toBeLessThan(5);
  const [first] = answers;
  await expect.poll(async () => (await metricsOf(platform)).body).not.toBe(first?.body);
});
