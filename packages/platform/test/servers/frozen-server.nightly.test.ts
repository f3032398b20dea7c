import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Driver } from '../../../pagechauffeur/src/index.ts';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { type Program, runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import { startBalancer } from '../support/balancer.ts';
import { outlivingBrowsers } from '../support/outliving-browsers.ts';
import { connectRaw } from '../support/raw-client.ts';
import { hasSharedServices, useSharedServices } from '../support/shared-services.ts';
import { ask } from '../support/use-platform.ts';

const SERVER = new URL('../support/server-program.ts', import.meta.url);
const LEASE = { leaseTimeout: 4000 };
/** A client gives up a silent socket after at most 12 s. */
const NOTICED = { timeout: 40_000 };

describe.skipIf(!hasSharedServices)('frozen server', () => {
  const services = useSharedServices();

  /** Starts a server process with simulated browsers that outlive it. */
  async function startServer(publicUrl: string): Promise<{ readonly program: Program; readonly port: number }> {
    const shared = { database: services.postgres.url, redis: services.redis.url, logLevel: 'silent', ...LEASE };
    const simulated = { origin: services.browsers.origin, kind: 'shared' };
    const program = runProgram(SERVER, [JSON.stringify({ options: { ...shared, publicUrl, port: 0 }, simulated })]);
    onTestFinished(() => program.kill());
    return { program, port: Number((await program.lineWith('Port ')).slice(5)) };
  }

  it('does not block a driver whose session runs on another server', NOTICED, async () => {
    await using address = await startBalancer();
    const browsers = outlivingBrowsers();
    onTestFinished(() => browsers.end());
    const staying = await services.server(browsers, { ...LEASE, publicUrl: address.url });
    const { text: apiKey } = await staying.keys.create({
      project: 'default',
      name: 'test',
      scopes: ['sessions:read', 'sessions:write'],
      expiresAt: undefined,
    });
    const { program, port } = await startServer(address.url);
    const settings = { env: 'REMOTE', apiKey, disableLoggerBackend: true } as const;
    await using first = new Driver({ ...settings, remoteBaseURL: staying.url, keepAlive: true });
    // The URL was configured before a server listened there.
    address.targets.push(staying.port);
    await first.init();
    const { remoteSessionID = '' } = first;
    await first.close();
    address.targets.splice(0, 1, port);
    await using driver = new Driver({ ...settings, remoteBaseURL: address.url, remoteSessionID, keepAlive: false });
    await driver.init();
    address.targets.push(staying.port);
    process.kill(program.pid, 'SIGSTOP');
    expect(await firstPage(driver).evaluate('6 * 7')).toBe(42);
    await driver.close();
    await staying.close();
  });

  it('loses its session to another server', NOTICED, async () => {
    const staying = await services.server('shared', LEASE);
    const scopes = ['sessions:read', 'sessions:write'] as const;
    const { text: key } = await staying.keys.create({ project: 'default', name: 'test', scopes, expiresAt: undefined });
    const { program, port } = await startServer(services.balancer.url);
    const askAt = (at: number, method: string, path: string, body?: object): ReturnType<typeof ask> =>
      ask({ url: `http://127.0.0.1:${at}`, firstKey: key }, { method, path, ...(body ? { body } : {}) });
    const { body } = await askAt(port, 'POST', '/v1/sessions', { keepAlive: true });
    const path = `/v1/sessions/${String(body['id'])}`;
    const address = new URL(String(body['connectUrl']));
    address.host = `127.0.0.1:${staying.port}`;
    process.kill(program.pid, 'SIGSTOP');
    const [downloads, client] = await Promise.all([
      askAt(staying.port, 'GET', `${path}/downloads`),
      connectRaw(address.href),
    ]);
    expect([downloads.status, downloads.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await client.command('Browser.getVersion')).result?.['browser']).toBe(body['id']);
    await vi.waitFor(async () => expect((await askAt(staying.port, 'GET', `${path}/downloads`)).status).toBe(200));
    await askAt(staying.port, 'POST', path, { status: 'REQUEST_RELEASE' });
  });
});
