import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Driver } from '../../../pagechauffeur/src/index.ts';
import { processesWith } from '../../../pagechauffeur/test/support/processes.ts';
import { runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import type { Platform } from '../../src/platform.ts';
import { startBalancer } from '../support/balancer.ts';
import { connectRaw, type RawClient, refusalOf } from '../support/raw-client.ts';
import { hasSharedServices, useSharedServices } from '../support/shared-services.ts';
import { type Answer, ask, type Question } from '../support/use-platform.ts';

/** Maximum time without an owner. */
const SETTLED = { timeout: 60_000, interval: 200 };
const SERVER = new URL('../support/server-program.ts', import.meta.url);
/** A server that is silent for this long is lost. */
const LEASE = { leaseTimeout: 4000 };

describe.skipIf(!hasSharedServices)('killed server', () => {
  const services = useSharedServices();

  it.concurrent(
    'leaves sessions with running browsers to another server, where clients reconnect',
    { timeout: 150_000 },
    async () => {
      const staying = await services.server('shared', LEASE);
      const key = staying.firstKey ?? (await firstKeyOf(staying));
      const options = {
        database: services.postgres.url,
        redis: services.redis.url,
        publicUrl: services.balancer.url,
        port: 0,
        logLevel: 'silent',
        ...LEASE,
      };
      const simulated = { origin: services.browsers.origin, kind: 'shared' };
      await using program = runProgram(SERVER, [JSON.stringify({ options, simulated })]);
      const port = Number((await program.lineWith('Port ')).slice(5));
      const askAt = asker(`http://127.0.0.1:${port}`, key);
      const sessions = await Promise.all(
        Array.from(
          { length: 20 },
          async () => (await askAt('POST', '/v1/sessions', { body: { keepAlive: true } })).body,
        ),
      );
      const clients = await Promise.all(sessions.map((session) => connectRaw(urlAt(port, session))));
      await program.kill();
      expect(new Set((await Promise.all(clients.map(({ closed }) => closed))).map(([code]) => code))).toEqual(
        new Set([1006]),
      );
      const next = await Promise.all(sessions.map((session) => connectRaw(urlAt(staying.port, session))));
      expect(await Promise.all(next.map(browserOf))).toEqual(sessions.map(({ id }) => id));
      expect(staying.sessionManager.live.size).toBe(20);
      const askStaying = asker(`http://127.0.0.1:${staying.port}`, key);
      const release = { body: { status: 'REQUEST_RELEASE' } };
      await Promise.all(sessions.map(({ id }) => askStaying('POST', `/v1/sessions/${String(id)}`, release)));
      expect(services.browsers.running.size).toBe(0);
    },
  );

  it.concurrent(
    'ends the sessions of its own browsers, and leaves no process or profile',
    { timeout: 150_000 },
    async () => {
      await using address = await startBalancer();
      const shared = { database: services.postgres.url, redis: services.redis.url, logLevel: 'silent', ...LEASE };
      const options = { ...shared, publicUrl: address.url, port: 0 };
      await using program = runProgram(SERVER, [JSON.stringify({ options })]);
      const other = await services.server('own', LEASE);
      const key = await firstKeyOf(other);
      address.targets.push(Number((await program.lineWith('Port ')).slice(5)));
      const settings = {
        env: 'REMOTE',
        remoteBaseURL: address.url,
        apiKey: key,
        keepAlive: true,
        disableLoggerBackend: true,
      } as const;
      const driver = new Driver(settings);
      await driver.init();
      const id = driver.remoteSessionID ?? '';
      address.targets.push(other.port);
      const askOther = asker(`http://127.0.0.1:${other.port}`, key);
      const seen = await askOther('GET', `/v1/sessions/${id}`);
      const client = await connectRaw(urlAt(other.port, seen.body));
      expect(browserProcesses()).not.toEqual([]);
      const page = driver.context.pages()[0];
      const call = page?.evaluate('new Promise(() => undefined)').catch((error: unknown) => error);
      await program.kill();
      expect((await client.closed)[0]).toBe(1006);
      expect(await call).toMatchObject({
        name: 'DriverClosedError',
        message: expect.stringContaining('The server that ran the session was lost.'),
        canResume: false,
        remoteSessionID: id,
      });
      await vi.waitFor(
        async () =>
          expect((await askOther('GET', `/v1/sessions/${id}`)).body).toMatchObject({
            status: 'ERROR',
            endReason: 'The server that ran the session was lost.',
          }),
        SETTLED,
      );
      expect(await refusalOf(urlAt(other.port, seen.body))).toMatch(/^410 .*The server that ran the session was lost/);
      await vi.waitFor(() => expect([...browserProcesses(), ...profiles()]).toEqual([]), SETTLED);
      await driver.close();
    },
  );
});

async function firstKeyOf({ keys }: Platform): Promise<string> {
  const scopes = ['sessions:read', 'sessions:write'] as const;
  return (await keys.create({ project: 'default', name: 'test', scopes, expiresAt: undefined })).text;
}

function asker(url: string, firstKey: string): (method: string, path: string, question?: Question) => Promise<Answer> {
  return (method, path, question = {}) => ask({ url, firstKey }, { method, path, ...question });
}

function urlAt(port: number, { connectUrl }: Answer['body']): string {
  const url = new URL(String(connectUrl));
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

async function browserOf(client: RawClient): Promise<unknown> {
  return (await client.command('Browser.getVersion')).result?.['browser'];
}

function browserProcesses(): number[] {
  return processesWith(join(tmpdir(), 'chauffeur-profile-'));
}

function profiles(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('chauffeur-profile-'));
}
