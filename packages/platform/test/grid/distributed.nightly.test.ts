import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../../pagechauffeur/src/index.ts';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { failureOf } from '../../../pagechauffeur/test/support/failure-of.ts';
import { runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import { serve } from '../../../pagechauffeur/test/support/serve.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { freePort, type LocalService } from '../support/local-service.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { hasSharedServices } from '../support/shared-services.ts';
import { noGrid, useGrid } from '../support/use-grid.ts';

/** A router is a Java program that restarts here. */
const BEGIN_MS = 120_000;
/** A Grid sends no events. */
const SOON = { timeout: 25_000, interval: 200 };
const SERVER = new URL('../support/server-program.ts', import.meta.url);

describe.skipIf(noGrid !== '')(`platform on a distributed Grid${noGrid}`, () => {
  let redis: LocalService | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const shared = useGrid(() => ({ shape: 'distributed', slots: 1, ...(redis ? { redisPort: redis.port } : {}) }));

  /** Opens a driver whose session is kept alive until another one resumes it. */
  async function open(
    remoteSessionID?: string,
    { url, firstKey = '' }: Pick<Platform, 'url' | 'firstKey'> = shared.platform,
  ): Promise<Driver> {
    const driver = new Driver({
      env: 'REMOTE',
      apiKey: firstKey,
      remoteBaseURL: url,
      keepAlive: remoteSessionID === undefined,
      disableLoggerBackend: true,
      ...(remoteSessionID === undefined ? {} : { remoteSessionID }),
    });
    await driver.init();
    return driver;
  }

  it('resumes a session after the router was killed and restarted', { timeout: BEGIN_MS }, async () => {
    const first = await open();
    await firstPage(first).evaluate('window.mark = 7');
    const pending = failureOf(firstPage(first).evaluate('new Promise(() => undefined)'));
    await shared.grid.kill('router');
    expect(await pending).toMatchObject({
      name: 'DriverClosedError',
      message: expect.stringContaining('was lost') as unknown,
    });
    const id = first.remoteSessionID ?? '';
    await first.close();
    shared.grid.start('router');
    await shared.grid.ready();
    const second = await open(id);
    expect(await firstPage(second).evaluate('window.mark')).toBe(7);
    await second.close();
    await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
  });

  it.skipIf(!hasSharedServices)(
    'resumes sessions on another server after a shutdown and after a kill',
    { timeout: BEGIN_MS },
    async () => {
      await using pages = await serve({ '/': '<title>Page</title>' });
      await using postgres = await startPostgres();
      const options = {
        database: postgres.url,
        redis: redis?.url ?? '',
        grid: [shared.grid.url],
        // Browsers expect their egress proxy at the same port.
        egressPort: await freePort(),
        allowNetworks: ['127.0.0.0/8'],
        leaseTimeout: 4000,
        port: 0,
        logLevel: 'silent',
      };
      await using leaving = await startPlatform(options);
      await using staying = await startPlatform(options);
      const { firstKey } = leaving;
      const first = await open(undefined, leaving);
      const id = first.remoteSessionID ?? '';
      await firstPage(first).evaluate('window.mark = 7');
      const pending = failureOf(firstPage(first).evaluate('new Promise(() => undefined)'));
      await leaving.close();
      expect(String(await pending)).toContain('The session continues; connect to it again');
      await first.close();

      await using program = runProgram(SERVER, [JSON.stringify({ options })]);
      const url = `http://127.0.0.1:${(await program.lineWith('Port ')).slice(5)}`;
      const second = await open(id, { url: staying.url, firstKey });
      expect(await firstPage(second).evaluate('window.mark')).toBe(7);
      await firstPage(second).goto(pages.origin);
      expect(await firstPage(second).title()).toBe('Page');
      await second.close();
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());

      const third = await open(undefined, { url, firstKey });
      await firstPage(third).evaluate('window.mark = 8');
      const lost = third.remoteSessionID ?? '';
      await program.kill();
      const last = await open(lost, { url: staying.url, firstKey });
      expect(await firstPage(last).evaluate('window.mark')).toBe(8);
      await firstPage(last).goto(pages.origin);
      await Promise.all([last.close(), third.close()]);
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
    },
  );
});
