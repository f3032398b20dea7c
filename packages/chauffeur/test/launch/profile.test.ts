import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriverInitError } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { launchedDriver } from '../support/launched-driver.ts';
import { isRunning, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

const GONE_WITHIN = { timeout: 5000 };

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await serve({ '/': '<title>Memory</title>' });
});

afterAll(() => server.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-own-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Visits the page with this profile, lets a script run there and gives its result; the browser ends in order. */
async function visit(userDataDir: string, script: string): Promise<unknown> {
  await using launched = await launchedDriver({ userDataDir });
  await launched.page.goto(server.origin);
  return await launched.page.evaluate(script);
}

const REMEMBER = `document.cookie = 'flavour=mint; max-age=3600'; localStorage.setItem('seat', '12A')`;
const RECALL = `[document.cookie, localStorage.getItem('seat')]`;

describe('userDataDir', () => {
  // [spec: launch-options.userDataDir]
  it('is written on close: cookies and storage of one run are there in the next', async () => {
    const userDataDir = join(folder, 'profile');
    await visit(userDataDir, REMEMBER);
    expect(await visit(userDataDir, RECALL)).toEqual(['flavour=mint', '12A']);
    expect(existsSync(userDataDir)).toBe(true);
  });

  it('is made when it is not there, with the folders above it', async () => {
    const userDataDir = join(folder, 'a/b/c');
    await using launched = await launchedDriver({ userDataDir });
    expect(profileOf(launched.browser)).toBe(userDataDir);
    expect(await readdir(userDataDir)).toContain('Default');
  });

  it('is relative to the working directory', async () => {
    const path = join(folder, 'relative');
    await using launched = await launchedDriver({ userDataDir: relative(process.cwd(), path) });
    expect(profileOf(launched.browser)).toBe(path);
    expect(existsSync(join(path, 'Default'))).toBe(true);
  });

  it('is never removed, not by force and not with files of others in it', async () => {
    const userDataDir = join(folder, 'kept');
    await mkdir(userDataDir);
    await writeFile(join(userDataDir, 'mine.txt'), 'mine');
    const launched = await launchedDriver({ userDataDir });
    await launched.driver.close({ force: true });
    expect(await readdir(userDataDir)).toEqual(expect.arrayContaining(['mine.txt', 'Default']));
  });

  it('can be used again at once after a browser was killed on it, and nothing of that one is left', async () => {
    const userDataDir = join(folder, 'crashed');
    const first = await launchedDriver({ userDataDir });
    process.kill(-first.browser, 'SIGKILL');
    await first.driver.close();
    expect(await readdir(folder)).toEqual(['crashed']);
    await expect(lstat(join(userDataDir, 'SingletonLock'))).rejects.toThrow('ENOENT');
    await using second = await launchedDriver({ userDataDir });
    expect(isRunning(second.browser)).toBe(true);
  });

  it('that another browser uses is an init error, and the other keeps its lock and goes on', async () => {
    const userDataDir = join(folder, 'shared');
    await using first = await launchedDriver({ userDataDir });
    const failure = await failureOf(launchedDriver({ userDataDir }));
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toContain('Another browser uses this profile, and only one can at a time.');
    expect((await lstat(join(userDataDir, 'SingletonLock'))).isSymbolicLink()).toBe(true);
    expect(await first.page.evaluate('1 + 1')).toBe(2);
    await expect(launchedDriver({ userDataDir })).rejects.toThrow(DriverInitError);
  });

  it.each([
    ['a file', () => join(folder, 'file'), 'ENOTDIR'],
    ['below a file', () => join(folder, 'file/profile'), 'ENOTDIR'],
    ['where nobody may write', () => '/proc/profile', 'ENOENT'],
  ])('that is %s is an init error, and no other profile is taken', async (_what, path, code) => {
    await writeFile(join(folder, 'file'), '');
    const failure = await failureOf(launchedDriver({ userDataDir: path() }));
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`userDataDir ${path()} cannot be used as a profile folder: ${code}.*Give a folder`),
      ),
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('of two drivers are two memories', async () => {
    await visit(join(folder, 'one'), REMEMBER);
    expect(await visit(join(folder, 'two'), RECALL)).toEqual(['', null]);
  });
});

describe('a temporary profile', () => {
  it('is new each time, also for the same driver', async () => {
    const launched = await launchedDriver();
    await launched.page.goto(server.origin);
    await launched.page.evaluate(REMEMBER);
    await launched.driver.close();
    await launched.driver.init();
    const [page] = launched.driver.context.pages();
    await page?.goto(server.origin);
    expect(await page?.evaluate(RECALL)).toEqual(['', null]);
    await launched.driver.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['closed', (end: Ending) => end.close()],
    ['closed by force', (end: Ending) => end.close({ force: true })],
    ['killed', (end: Ending) => void process.kill(-end.browser, 'SIGKILL')],
  ])('is gone with everything else a browser made when it is %s', async (_how, end) => {
    const launched = await launchedDriver();
    const profile = profileOf(launched.browser);
    expect(await readdir(folder)).toHaveLength(2);
    await end({ browser: launched.browser, close: (options) => launched.driver.close(options) });
    await launched.driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('stands in the folder for temporary files that the environment names', async () => {
    await using launched = await launchedDriver();
    expect(profileOf(launched.browser).startsWith(join(folder, 'chauffeur-profile-'))).toBe(true);
  });
});

interface Ending {
  readonly browser: number;
  close(options?: { force?: boolean }): Promise<void>;
}
