import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DriverOptions } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { childrenOf, isRunning, openHandles, processesWith, profileOf } from '../support/processes.ts';
import { runProgram } from '../support/run-program.ts';
import { serve, type TestServer } from '../support/serve.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
/** Ten browsers end at once, on two processors that may have other work. */
const GONE_WITHIN = { timeout: 20_000 };
/** Ten browsers start on two processors, which may have other work. */
const TIMEOUT_MS = 180_000;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await serve({ '/': '<title>Shared</title><button onclick="this.textContent += \'!\'">Count</button>' });
});

afterAll(() => server.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-ten-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});

/** A driver that is closed in any case. */
async function started(options: Partial<DriverOptions> = {}): Promise<LaunchedDriver> {
  const launched = await launchedDriver({}, options);
  onTestFinished(() => launched.driver.close());
  return launched;
}

describe('ten concurrent drivers', () => {
  // [spec: driver-options.logger]
  it(
    'drivers in one process share nothing and leave nothing after a kill or close()',
    { timeout: TIMEOUT_MS },
    async () => {
      const handlesBefore = openHandles();
      const all = await Promise.all(TEN.map(() => started({ model: 'offline/lexical', defaultTimeout: 0 })));
      const distinct = (values: readonly unknown[]): number => new Set(values).size;
      expect(distinct(all.map(({ browser }) => browser))).toBe(10);
      expect(distinct(all.map(({ browser }) => profileOf(browser)))).toBe(10);
      expect(distinct(all.map(({ driver }) => new URL(driver.connectURL()).port))).toBe(10);
      // One watchdog for all.
      expect(childrenOf(process.pid).filter((pid) => !all.some(({ browser }) => browser === pid))).toHaveLength(1);

      await Promise.all(
        all.map(async ({ driver, page }, index) => {
          await page.goto(`${server.origin}/?driver=${index}`);
          await page.evaluate(`document.cookie = 'own=${index}; max-age=60'`);
          for (let click = 0; click <= index % 3; click++) await page.locator('button').click();
          await driver.observe(`the buttons of ${index}`);
        }),
      );
      expect(await Promise.all(all.map(({ page }) => page.evaluate('document.cookie')))).toEqual(
        TEN.map((index) => `own=${index}`),
      );
      expect(await Promise.all(all.map(({ page }) => page.locator('button').textContent()))).toEqual(
        TEN.map((index) => `Count${'!'.repeat((index % 3) + 1)}`),
      );
      await all[0]?.driver.context.newPage();
      expect(all.map(({ driver }) => driver.context.pages().length)).toEqual(TEN.map((index) => (index === 0 ? 2 : 1)));
      for (const [index, { driver, lines }] of all.entries()) {
        const told = lines.map(({ message }) => message).filter((message) => message.includes('?driver='));
        expect(told).toEqual([expect.stringContaining(`?driver=${index} `)]);
        expect(lines.filter(({ category }) => category === 'observe')).toMatchObject([
          { message: expect.stringContaining(`the buttons of ${index}"`) },
        ]);
        expect(lines.filter(({ message }) => message === 'Ready.')).toHaveLength(1);
        expect((await driver.history).map(({ method }) => method)).toEqual(['navigate', 'observe']);
      }

      const [first, ...rest] = all;
      await first?.driver.close();
      expect(rest.map(({ browser }) => isRunning(browser))).toEqual(rest.map(() => true));
      expect(await Promise.all(rest.map(({ driver }) => firstPage(driver).title()))).toEqual(rest.map(() => 'Shared'));
      // Some are killed all at once, and each close() cleans up behind its own.
      for (const { browser } of rest.slice(0, 5)) process.kill(-browser, 'SIGKILL');
      await Promise.all(rest.map(({ driver }) => driver.close()));
      await expect.poll(() => [...processesWith(folder), ...childrenOf(process.pid)], GONE_WITHIN).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
      await expect.poll(openHandles, GONE_WITHIN).toEqual(handlesBefore);
    },
  );

  it('drivers in ten processes share nothing and leave nothing when killed', { timeout: TIMEOUT_MS }, async () => {
    const programs = TEN.map(() => runProgram(new URL('../launch/programs/end-somehow.ts', import.meta.url), ['end']));
    try {
      const urls = await Promise.all(
        programs.map(async (program) => {
          const {
            urls: [url = ''],
          } = JSON.parse(await program.lineWith('"urls"')) as { urls: string[] };
          return new URL(url).port;
        }),
      );
      expect(new Set(urls).size).toBe(10);
      const profiles = (await readdir(folder)).filter((name) => name.startsWith('chauffeur-profile-'));
      expect(profiles).toHaveLength(10);
    } finally {
      await Promise.all(programs.map((program) => program.kill()));
    }
    await expect.poll(() => processesWith(folder), GONE_WITHIN).toEqual([]);
    await expect.poll(() => readdir(folder), GONE_WITHIN).toEqual([]);
  });
});
