import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPlatform, type Platform } from '../../../platform/src/platform.ts';
import type { LocalService } from '../../../platform/test/support/local-service.ts';
import { hasPostgres, startPostgres } from '../../../platform/test/support/postgres-server.ts';
import { FOR_TESTS } from '../../../platform/test/support/use-platform.ts';
import { Driver } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** Less than a platform waits for its database, more than a call needs on a busy machine. */
const CALL_MS = 8000;
const PAGE = '<!doctype html><title>Shop</title><button onclick="document.title += `!`">Buy</button>';

describe.skipIf(!hasPostgres)('platform database outage', () => {
  const stack = new AsyncDisposableStack();
  let postgres: LocalService;
  let platform: Platform;
  let server: TestServer;

  beforeAll(async () => {
    postgres = stack.use(await startPostgres());
    platform = stack.use(await startPlatform({ ...FOR_TESTS, database: postgres.url, allowNetworks: ['127.0.0.1'] }));
    server = stack.use(await serve({ '/': PAGE }));
  });

  afterAll(async () => {
    await postgres?.start();
    await stack.disposeAsync();
  });

  it('runs act() without the shared cache', async () => {
    const model = new ScriptedModel(({ page }) => {
      const ref = /(e\d+) button/.exec(page.text)?.[1] ?? 'none';
      const action = { ref, description: 'the button', method: 'click', arguments: [] };
      return { action, twoStep: false, reason: '', candidates: [] };
    });
    const driver = new Driver({
      env: 'REMOTE',
      apiKey: platform.firstKey ?? '',
      remoteBaseURL: platform.url,
      llmClient: model,
      disableLoggerBackend: true,
    });
    await driver.init();
    try {
      const page = firstPage(driver);
      await page.goto(server.origin);
      expect(await driver.act('buy it')).toMatchObject({ success: true, cacheStatus: 'MISS' });
      expect(await driver.act('buy it')).toMatchObject({ success: true, cacheStatus: 'HIT' });
      await postgres.stop('SIGKILL');
      for (const bangs of ['!!!', '!!!!']) {
        const result = await Promise.race([driver.act('buy it'), pause(CALL_MS, 'still waiting', { ref: false })]);
        expect(result).toMatchObject({ success: true, cacheStatus: 'MISS' });
        expect(await page.title()).toBe(`Shop${bangs}`);
      }
      await postgres.start();
    } finally {
      await driver.close();
    }
  });
});
