import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../../chauffeur/src/index.ts';
import { firstPage } from '../../../chauffeur/test/support/driver-for-test.ts';
import { failureOf } from '../../../chauffeur/test/support/failure-of.ts';
import type { LocalService } from '../support/local-service.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { noGrid, useGrid } from '../support/use-grid.ts';

/** A router is a program in Java, which begins anew here. */
const BEGIN_MS = 120_000;

describe.skipIf(noGrid !== '')(`a platform on a grid of many parts${noGrid}`, () => {
  let redis: LocalService | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const shared = useGrid(() => ({ shape: 'distributed', slots: 1, ...(redis ? { redisPort: redis.port } : {}) }));

  async function open(remoteSessionID?: string): Promise<Driver> {
    const driver = new Driver({
      env: 'REMOTE',
      apiKey: shared.key,
      remoteBaseURL: shared.platform.url,
      keepAlive: remoteSessionID === undefined,
      disableLoggerBackend: true,
      ...(remoteSessionID === undefined ? {} : { remoteSessionID }),
    });
    await driver.init();
    return driver;
  }

  it(
    'loses a connection with the router, and goes on with the session when that is back',
    { timeout: BEGIN_MS },
    async () => {
      const first = await open();
      await firstPage(first).evaluate('window.mark = 7');
      const pending = failureOf(firstPage(first).evaluate('new Promise(() => undefined)'));
      await shared.grid.kill('router');
      expect(await pending).toMatchObject({
        name: 'DriverClosedError',
        message: expect.stringContaining('was cut') as unknown,
      });
      const id = first.remoteSessionID ?? '';
      await first.close();
      shared.grid.start('router');
      await shared.grid.ready();
      const second = await open(id);
      expect(await firstPage(second).evaluate('window.mark')).toBe(7);
      await second.close();
      expect(await shared.sessions()).toEqual(new Map());
    },
  );
});
