import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { Driver } from '../../src/index.ts';
import { childrenOf, isRunning, processesWith, profileOf, remainsOf } from '../support/processes.ts';
import { type Program, runProgram } from '../support/run-program.ts';

/** The promise of the documentation: so long after its parent ended, nothing of a browser is left. */
export const GONE_WITHIN = { timeout: 5000, interval: 50 };
const SIGNALS: readonly string[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'];
let folder: string;

/** The temporary folder of the programs that a test starts. */
export function programFolder(): string {
  return folder;
}

export async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'end-'));
  vi.stubEnv('TMPDIR', folder);
}

export async function removeFolder(): Promise<void> {
  vi.unstubAllEnvs();
  for (const pid of processesWith(folder)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}

/** A program that opened two browsers. */
export interface Opened {
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

/** Starts a program with two browsers, with and without `keepAlive`, and ends it in this way before the tests of a suite. */
export function useEndedParent(way: string): () => Opened {
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
  return () => opened;
}

/** Expects that the browser without `keepAlive`, its watchdog and its profile disappear. */
export async function expectNothingLeft({ program, ending, kept, helpers }: Opened, way: string): Promise<void> {
  expect(helpers).toContain(ending.pid);
  expect(helpers).toHaveLength(2);
  const end = await program.ended;
  expect(SIGNALS.includes(way) ? end : end !== 0).toBe(SIGNALS.includes(way) ? way : true);
  await expect.poll(() => [...remainsOf(ending.profile), ...helpers.filter(isRunning)], GONE_WITHIN).toEqual([]);
  // A browser that runs may have a file there for a moment.
  await expect.poll(async () => (await readdir(folder)).toSorted(), GONE_WITHIN).toEqual([basename(kept.profile)]);
}

/** Expects that the browser with `keepAlive` still runs with its page, also after a driver attached to it and was closed. */
export async function expectKept({ program, kept, url }: Opened, way: string): Promise<void> {
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
}
