import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriverInitError } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn, launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { isRunning, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

const GONE_WITHIN = { timeout: 5000 };

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await serve({ '/': '<title>Memory</title>' });
});

afterAll(() => server.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

// Reading the cookie waits until the browser has it.
const REMEMBER = `document.cookie = 'flavour=mint; max-age=3600'; localStorage.setItem('seat', '12A'); document.cookie`;
const RECALL = `[document.cookie, localStorage.getItem('seat')]`;

/** Lets a script run on the page that remembers. */
async function visit({ driver }: LaunchedDriver, script: string): Promise<unknown> {
  const page = firstPage(driver);
  await page.goto(server.origin);
  return page.evaluate(script);
}

/** Where a browser was told to keep its temporary files. */
function temporaryFolderOf(browser: number): string {
  const variables = readFileSync(`/proc/${browser}/environ`, 'utf8').split('\0');
  return variables.find((variable) => variable.startsWith('TMPDIR='))?.slice('TMPDIR='.length) ?? '';
}

describe('userDataDir', () => {
  // [spec: launch-options.userDataDir]
  it('is created relative to the working directory and keeps cookies and storage', async () => {
    const userDataDir = join(folder, 'a/b/c');
    {
      await using launched = await launchedDriver({ userDataDir: relative(process.cwd(), userDataDir) });
      expect(profileOf(launched.browser)).toBe(userDataDir);
      expect(await readdir(userDataDir)).toContain('Default');
      await visit(launched, REMEMBER);
    }
    expect(existsSync(userDataDir)).toBe(true);
    await using next = await launchedDriver({ userDataDir });
    expect(await visit(next, RECALL)).toEqual(['flavour=mint', '12A']);
  });

  it('is never removed, even with force or with other files in it', async () => {
    const userDataDir = join(folder, 'kept');
    await mkdir(userDataDir);
    await writeFile(join(userDataDir, 'mine.txt'), 'mine');
    const launched = await launchedDriver({ userDataDir });
    expect(await visit(launched, RECALL)).toEqual(['', null]);
    await launched.driver.close({ force: true });
    expect(await readdir(userDataDir)).toEqual(expect.arrayContaining(['mine.txt', 'Default']));
  });

  it('is unlocked after its browser is killed and rejects a second browser', async () => {
    const userDataDir = join(folder, 'shared');
    const killed = await launchedDriver({ userDataDir });
    // As the browser itself leaves them when it is killed while it shares memory with a process of its own.
    await writeFile(join(temporaryFolderOf(killed.browser), '.org.chromium.Chromium.1a2b3c'), 'shared memory');
    process.kill(-killed.browser, 'SIGKILL');
    await killed.driver.close();
    expect(await readdir(folder)).toEqual(['shared']);
    await expect(lstat(join(userDataDir, 'SingletonLock'))).rejects.toThrow('ENOENT');

    await using first = await launchedDriver({ userDataDir });
    expect(isRunning(first.browser)).toBe(true);
    const failure = await failureOf(launchedDriver({ userDataDir }));
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toContain('Another browser uses this profile. Only one can use it at a time.');
    expect((await lstat(join(userDataDir, 'SingletonLock'))).isSymbolicLink()).toBe(true);
    expect(await first.page.evaluate('1 + 1')).toBe(2);
    await expect(launchedDriver({ userDataDir })).rejects.toThrow(DriverInitError);
  });

  it.each([
    ['is a file', () => join(folder, 'file'), 'ENOTDIR'],
    ['is inside a file', () => join(folder, 'file/profile'), 'ENOTDIR'],
    ['cannot be created', () => '/proc/profile', 'ENOENT'],
  ])('rejects a `userDataDir` that %s, and creates no other profile', async (_what, path, code) => {
    await writeFile(join(folder, 'file'), '');
    const failure = await failureOf(launchedDriver({ userDataDir: path() }));
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`Cannot use userDataDir ${path()} as a profile folder: ${code}.*Pass a folder`),
      ),
    });
    expect(await readdir(folder)).toEqual(['file']);
  });
});

describe('temporary profile', () => {
  it('is new for each start, and removed on close', async () => {
    const launched = await launchedDriver();
    const profile = profileOf(launched.browser);
    expect(profile.startsWith(join(folder, 'chauffeur-profile-'))).toBe(true);
    // Its temporary files too are in there.
    expect(await readdir(folder)).toEqual([basename(profile)]);
    expect(await readdir(profile)).toContainEqual(expect.stringContaining('org.chromium.Chromium.'));
    await visit(launched, REMEMBER);
    await launched.driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);

    await launched.driver.init();
    const second = profileOf(browserIn(launched.lines));
    expect(second).not.toBe(profile);
    expect(await visit(launched, RECALL)).toEqual(['', null]);
    await launched.driver.close({ force: true });
    await expect.poll(() => remainsOf(second), GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is removed with all other files of a killed browser', async () => {
    const launched = await launchedDriver();
    const profile = profileOf(launched.browser);
    process.kill(-launched.browser, 'SIGKILL');
    await launched.driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});
