import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Driver } from '../../src/index.ts';
import { childrenOf, isRunning, processesWith, profileOf, remainsOf } from '../support/processes.ts';
import { type Program, runProgram } from '../support/run-program.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** The promise of the documentation: so long after its parent was killed, nothing of a browser is left. */
const GONE_WITHIN = { timeout: 5000, interval: 50 };

let server: TestServer;

beforeAll(async () => {
  server = await serve({ '/': '<title>Still here</title>' });
});

afterAll(() => server.close());

interface Opened {
  readonly program: Program;
  readonly browser: number;
  readonly url: string;
}

async function open(mode: 'keep' | 'end'): Promise<Opened> {
  const program = runProgram(new URL('./programs/open-page.ts', import.meta.url), [mode, server.origin]);
  onTestFinished(() => program.kill());
  const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
  const profile = profileOf(browser);
  onTestFinished(() => processesWith(profile).forEach((pid) => process.kill(pid, 'SIGKILL')));
  const { url } = JSON.parse(await program.lineWith('"url"')) as { url: string };
  return { program, browser, url };
}

describe('when the process that drives is killed', () => {
  it('no browser, no watchdog and no profile is left', async () => {
    const { program, browser } = await open('end');
    const profile = profileOf(browser);
    const helpers = childrenOf(program.pid);
    expect(helpers).toContain(browser);
    expect(helpers).toHaveLength(2);
    await program.kill();
    await expect.poll(() => [...remainsOf(profile), ...helpers.filter(isRunning)], GONE_WITHIN).toEqual([]);
  });

  it('nor is it when the watchdog was killed before', async () => {
    const { program, browser } = await open('end');
    const profile = profileOf(browser);
    const watchdogs = (): number[] => childrenOf(program.pid).filter((pid) => pid !== browser);
    const [first] = watchdogs();
    process.kill(first ?? 0, 'SIGKILL');
    await expect.poll(() => watchdogs().filter((pid) => pid !== first)).toHaveLength(1);
    await program.kill();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
  });

  it('a browser with keepAlive lives on, is found again with its page, and survives close()', async () => {
    const { program, browser, url } = await open('keep');
    const profile = profileOf(browser);
    expect(childrenOf(program.pid)).toEqual([browser]);
    await program.kill();
    expect(isRunning(browser)).toBe(true);
    for (const cdpUrl of [url, `http://${new URL(url).host}`]) {
      const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true, localBrowserLaunchOptions: { cdpUrl } });
      await driver.init();
      expect(driver.context.pages()).toHaveLength(1);
      expect(await driver.context.activePage()?.title()).toBe('Still here');
      expect(driver.context.activePage()?.url()).toBe(`${server.origin}/`);
      await driver.close();
    }
    expect(isRunning(browser)).toBe(true);
    const killer = new Driver({ env: 'LOCAL', disableLoggerBackend: true, localBrowserLaunchOptions: { cdpUrl: url } });
    await killer.init();
    // The profile is the caller's to remove once he has ended a browser that was to live on.
    process.kill(-browser, 'SIGKILL');
    await killer.close({ force: true });
    await expect.poll(() => processesWith(profile), GONE_WITHIN).toEqual([]);
    await rm(profile, { recursive: true });
  });
});

describe('a program that has nothing else to do', () => {
  it.each(['close', 'force'])('ends by itself after its last call: %s', async (mode) => {
    await using program = runProgram(new URL('./programs/end-by-itself.ts', import.meta.url), [mode]);
    await program.lineWith('done');
    await expect.poll(() => isRunning(program.pid), GONE_WITHIN).toBe(false);
    expect(await program.ended).toBe(0);
  });
});
