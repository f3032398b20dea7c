import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Driver } from '../../src/index.ts';
import { childrenOf, isRunning, processesWith, profileOf, remainsOf } from '../support/processes.ts';
import { type Program, runProgram } from '../support/run-program.ts';

/** The promise of the documentation: so long after its parent ended, nothing of a browser is left. */
const GONE_WITHIN = { timeout: 5000, interval: 50 };
const SIGNALS: readonly string[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'];
const OWN_WAYS = ['an uncaught exception', 'an unhandled rejection', 'process.exit', 'process.abort'];

let folder: string;

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'end-'));
  vi.stubEnv('TMPDIR', folder);
}

async function removeFolder(): Promise<void> {
  vi.unstubAllEnvs();
  for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}

interface Opened {
  readonly program: Program;
  /** The browser that is to end with its parent, and its profile. */
  readonly ending: OpenedBrowser;
  /** The one that is to outlive it. */
  readonly kept: OpenedBrowser;
  /** The processes that the program started, but for the browser that is kept. */
  readonly helpers: readonly number[];
  /** The socket of the browser that is kept. */
  readonly url: string;
}

interface OpenedBrowser {
  readonly pid: number;
  readonly profile: string;
}

async function open(way: string): Promise<Opened> {
  const script = new URL('./programs/end-somehow.ts', import.meta.url);
  const program = runProgram(script, ['end,keep', way], { quiet: true });
  const browserOf = async (mode: string): Promise<OpenedBrowser> => {
    const { browser } = JSON.parse(await program.lineWith(`"mode":"${mode}"`)) as { browser: number };
    return { pid: browser, profile: profileOf(browser) };
  };
  const [ending, kept] = [await browserOf('end'), await browserOf('keep')];
  const { urls } = JSON.parse(await program.lineWith('"urls"')) as { urls: string[] };
  const helpers = childrenOf(program.pid).filter((pid) => pid !== kept.pid);
  return { program, ending, kept, helpers, url: urls[1] ?? '' };
}

describe.each([...SIGNALS, ...OWN_WAYS])('when its parent ends by %s', (way) => {
  let opened: Opened;

  beforeAll(async () => {
    await makeFolder();
    opened = await open(way);
    const { program } = opened;
    if (SIGNALS.includes(way)) process.kill(program.pid, way);
    else program.write('now\n');
  });

  afterAll(async () => {
    await opened?.program.kill();
    await removeFolder();
  });

  // [spec: states.parent-exit, driver-options.keepAlive]
  it('nothing is left of a browser without keepAlive, its watchdog and its profile', async () => {
    const { program, ending, kept, helpers } = opened;
    expect(helpers).toContain(ending.pid);
    expect(helpers).toHaveLength(2);
    const end = await program.ended;
    expect(SIGNALS.includes(way) ? end : end !== 0).toBe(SIGNALS.includes(way) ? way : true);
    await expect.poll(() => [...remainsOf(ending.profile), ...helpers.filter(isRunning)], GONE_WITHIN).toEqual([]);
    // A browser that runs may have a file there for a moment.
    await expect.poll(async () => (await readdir(folder)).toSorted(), GONE_WITHIN).toEqual([basename(kept.profile)]);
  });

  // [spec: states.parent-exit-keep-alive, driver-options.keepAlive]
  it('a browser with keepAlive survives, can be found with its page, and survives close()', async () => {
    const { program, kept, url } = opened;
    await program.ended;
    for (const cdpUrl of way === 'SIGKILL' ? [url, `http://${new URL(url).host}`] : [url]) {
      const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true, localBrowserLaunchOptions: { cdpUrl } });
      await driver.init();
      expect(driver.context.pages()).toHaveLength(1);
      expect(await driver.context.activePage()?.title()).toBe('Still here');
      expect(driver.context.activePage()?.url()).toBe('data:text/html,<title>Still here</title>');
      await driver.close();
    }
    expect(isRunning(kept.pid)).toBe(true);
    expect(await readdir(kept.profile)).toContain('Default');
  });
});

describe('without keepAlive', () => {
  beforeEach(makeFolder);
  afterEach(removeFolder);

  // [spec: states.parent-exit]
  it('nothing is left if the watchdog was killed before', async () => {
    await using program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), ['end']);
    const { browser } = JSON.parse(await program.lineWith('"browser"')) as { browser: number };
    const profile = profileOf(browser);
    await program.lineWith('"urls"');
    const watchdogs = (): number[] => childrenOf(program.pid).filter((pid) => pid !== browser);
    const [first] = watchdogs();
    process.kill(first ?? 0, 'SIGKILL');
    await expect.poll(() => watchdogs().filter((pid) => pid !== first)).toHaveLength(1);
    await program.kill();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
  });

  it('nothing is left of a browser whose parent exited during its start', async () => {
    const program = runProgram(new URL('./programs/end-somehow.ts', import.meta.url), [
      'end',
      'an exit while it starts',
    ]);
    onTestFinished(() => program.kill());
    expect(await program.ended).toBe(3);
    await expect.poll(() => [...processesWith(folder), ...childrenOf(program.pid)], GONE_WITHIN).toEqual([]);
    await expect.poll(() => readdir(folder), GONE_WITHIN).toEqual([]);
  });

  // [spec: states.parent-exit]
  it(
    'nothing is left of a browser whose parent was killed at any step of its start',
    { timeout: 180_000 },
    async () => {
      const script = new URL('./programs/killed-while-starting.ts', import.meta.url);
      await using whole = runProgram(script, ['0']);
      const { steps } = JSON.parse(await whole.lineWith('steps')) as { steps: number };
      // The first browser with its watchdog, its folders and a file; the second needs no watchdog more.
      expect(steps).toBe(9);
      await whole.kill();
      for (let step = 1; step <= steps; step++) {
        await using program = runProgram(script, [String(step)]);
        expect(await program.ended).toBe('SIGKILL');
        await expect.poll(() => processesWith(folder), { ...GONE_WITHIN, message: `after step ${step}` }).toEqual([]);
        await expect.poll(() => readdir(folder), { ...GONE_WITHIN, message: `after step ${step}` }).toEqual([]);
      }
    },
  );

  it('a program that handles its signal closes its browser in order', async () => {
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

describe('a program without pending work', () => {
  it.each(['close', 'force'])('exits after its last call: %s', async (mode) => {
    await using program = runProgram(new URL('./programs/end-by-itself.ts', import.meta.url), [mode]);
    await program.lineWith('done');
    await expect.poll(() => isRunning(program.pid), GONE_WITHIN).toBe(false);
    expect(await program.ended).toBe(0);
  });
});
