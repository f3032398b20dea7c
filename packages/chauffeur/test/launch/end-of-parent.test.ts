import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Driver } from '../../src/index.ts';
import { childrenOf, isRunning, processesWith, profileOf, remainsOf } from '../support/processes.ts';
import { type Program, runProgram } from '../support/run-program.ts';

/** The promise of the documentation: so long after its parent ended, nothing of a browser is left. */
const GONE_WITHIN = { timeout: 5000, interval: 50 };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-parent-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});

interface Opened {
  readonly program: Program;
  readonly browser: number;
  readonly profile: string;
  readonly url: string;
}

async function open(mode: 'keep' | 'end', way = ''): Promise<Opened> {
  const program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), [mode, way], { quiet: true });
  onTestFinished(() => program.kill());
  const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
  const profile = profileOf(browser);
  const { urls } = JSON.parse(await program.lineWith('"urls"')) as { urls: string[] };
  return { program, browser, profile, url: urls[0] ?? '' };
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const OWN_WAYS = ['an uncaught exception', 'an unhandled rejection', 'process.exit', 'process.abort'];

describe('without keepAlive', () => {
  // [spec: states.parent-exit, driver-options.keepAlive]
  it.each(SIGNALS)('nothing is left of a browser whose parent got %s', async (signal) => {
    const { program, profile } = await open('end');
    const helpers = childrenOf(program.pid);
    process.kill(program.pid, signal);
    expect(await program.ended).toBe(signal);
    await expect.poll(() => [...remainsOf(profile), ...helpers.filter(isRunning)], GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  // [spec: states.parent-exit]
  it.each(OWN_WAYS)('nothing is left of a browser whose parent ended by %s', async (way) => {
    const { program, profile } = await open('end', way);
    const helpers = childrenOf(program.pid);
    program.write('now\n');
    expect(await program.ended).not.toBe(0);
    await expect.poll(() => [...remainsOf(profile), ...helpers.filter(isRunning)], GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('nothing is left of a browser whose parent ended while it started', async () => {
    const program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), [
      'end',
      'an exit while it starts',
    ]);
    onTestFinished(() => program.kill());
    expect(await program.ended).toBe(3);
    await expect.poll(() => [...processesWith(folder), ...childrenOf(program.pid)], GONE_WITHIN).toEqual([]);
    await expect.poll(() => readdir(folder), GONE_WITHIN).toEqual([]);
  });

  it('a program that handles its signal closes in order, and its browser with it', async () => {
    const program = runProgram(new URL('./programs/close-on-signal.ts', import.meta.url));
    onTestFinished(() => program.kill());
    const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
    const profile = profileOf(browser);
    await program.lineWith('ready');
    process.kill(program.pid, 'SIGTERM');
    expect(await program.ended).toBe(0);
    expect(remainsOf(profile)).toEqual([]);
  });
});

describe('with keepAlive', () => {
  // [spec: states.parent-exit-keep-alive, driver-options.keepAlive]
  it.each([...SIGNALS, ...OWN_WAYS])(
    'a browser lives on when its parent ends by %s, and is come back to',
    async (way) => {
      const { program, browser, profile, url } = await open('keep', way);
      if (SIGNALS.some((signal) => signal === way)) process.kill(program.pid, way);
      else program.write('now\n');
      await program.ended;
      const driver = new Driver({
        env: 'LOCAL',
        disableLoggerBackend: true,
        localBrowserLaunchOptions: { cdpUrl: url },
      });
      await driver.init();
      expect(await driver.context.pages()[0]?.evaluate('1 + 1')).toBe(2);
      await driver.close();
      expect(isRunning(browser)).toBe(true);
      expect(await readdir(profile)).toContain('Default');
    },
  );
});
