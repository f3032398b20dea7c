import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Driver } from '../../../pagechauffeur/src/index.ts';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import type { PlatformOptions } from '../../src/options.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { freePort } from '../support/local-service.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startRedis } from '../support/redis-server.ts';
import { hasSharedServices } from '../support/shared-services.ts';
import { noGrid, useGrid } from '../support/use-grid.ts';

/** Time for the first browser of a new node, and for processes on a busy machine. */
const BEGIN_MS = 120_000;
/** A Grid sends no events. */
const SOON = { timeout: 25_000, interval: 200 };
const SERVER = new URL('../support/server-program.ts', import.meta.url);
const CREDENTIALS = { username: 'me', password: 'pass' };

describe.skipIf(noGrid !== '' || !hasSharedServices)(`tenant proxy${noGrid}`, () => {
  const shared = useGrid({ slots: 1 });
  const stack = new AsyncDisposableStack();
  /** URLs requested through the proxy, with their credentials. */
  const seen: string[] = [];
  let proxy: Server;
  let options: PlatformOptions;
  let staying: Platform;

  beforeAll(async () => {
    proxy = createServer(({ url, headers }, response) => {
      seen.push(`${url} ${headers['proxy-authorization']}`);
      response.end(`<title>Through the proxy: ${url}</title>`);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    stack.defer(() => void proxy.close());
    const [postgres, redis] = [stack.use(await startPostgres()), stack.use(await startRedis())];
    options = {
      ...{ database: postgres.url, redis: redis.url, grid: [shared.grid.url], egressPort: await freePort() },
      ...{ allowNetworks: ['127.0.0.0/8'], leaseTimeout: 4000, port: 0, logLevel: 'silent' },
    };
    staying = stack.use(await startPlatform(options));
  }, BEGIN_MS);

  afterAll(() => stack.disposeAsync());

  async function open(url: string, remoteSessionID?: string): Promise<Driver> {
    const server = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const driver = new Driver({
      env: 'REMOTE',
      apiKey: staying.firstKey ?? '',
      remoteBaseURL: url,
      keepAlive: remoteSessionID === undefined,
      disableLoggerBackend: true,
      ...(remoteSessionID === undefined
        ? { remoteSessionCreateParams: { proxy: { server, ...CREDENTIALS } } }
        : { remoteSessionID }),
    });
    await driver.init();
    return driver;
  }

  /** Returns the page's text and the last request through the proxy. */
  async function shownAndSeen(driver: Driver): Promise<readonly unknown[]> {
    return [await firstPage(driver).evaluate('document.title'), seen.at(-1)];
  }

  function throughProxy(address: string): readonly string[] {
    return [`Through the proxy: ${address}`, `${address} Basic ${Buffer.from('me:pass').toString('base64')}`];
  }

  it('receives the requests of an operator who has taken over', { timeout: BEGIN_MS }, async () => {
    const driver = await open(staying.url);
    const live = new WebSocket(`${staying.url.replace('http', 'ws')}/v1/sessions/${driver.remoteSessionID}/live`, {
      headers: { authorization: `Bearer ${staying.firstKey}` },
    });
    await once(live, 'open');
    for (const request of [{ type: 'take-over' }, { type: 'navigate', url: 'http://example.invalid/person' }])
      live.send(JSON.stringify(request));
    await expect.poll(() => shownAndSeen(driver)).toEqual(throughProxy('http://example.invalid/person'));
    live.terminate();
    const last = await open(staying.url, driver.remoteSessionID);
    await Promise.all([driver.close(), last.close()]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'receives requests after %s ended a server and another one adopted the session',
    { timeout: BEGIN_MS },
    async (signal) => {
      await using program = runProgram(SERVER, [JSON.stringify({ options })]);
      const first = await open(`http://127.0.0.1:${(await program.lineWith('Port ')).slice(5)}`);
      await firstPage(first).goto('http://example.invalid/first');
      expect(await shownAndSeen(first)).toEqual(throughProxy('http://example.invalid/first'));
      process.kill(program.pid, signal);
      await program.ended;
      const next = await open(staying.url, first.remoteSessionID);
      await firstPage(next).goto('http://example.invalid/next');
      expect(await shownAndSeen(next)).toEqual(throughProxy('http://example.invalid/next'));
      await Promise.all([next.close(), first.close()]);
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
      const row = await staying.store.session(next.remoteSessionID ?? '');
      expect(row).toMatchObject({ status: 'COMPLETED', browser: undefined });
    },
  );
});
