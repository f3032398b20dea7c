import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverInitError } from '../../src/errors.ts';
import { findBrowser, installedPlaces } from '../../src/launch/find-browser.ts';
import { installBrowser } from '../../src/launch/install-browser.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-find-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function executableAt(path: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, 0o755);
  return path;
}

describe('findBrowser', () => {
  it('prefers CHROME_PATH to PATH', async () => {
    const chosen = await executableAt(join(folder, 'mine/browser'));
    await executableAt(join(folder, 'bin/chromium'));
    const environment = { CHROME_PATH: chosen, PATH: join(folder, 'bin') };
    expect(findBrowser({ platform: 'linux', environment })).toBe(chosen);
  });

  it('rejects a nonexistent CHROME_PATH instead of using another browser', async () => {
    await executableAt(join(folder, 'bin/chromium'));
    const environment = { CHROME_PATH: join(folder, 'gone'), PATH: join(folder, 'bin') };
    expect(() => findBrowser({ platform: 'linux', environment })).toThrow(
      /CHROME_PATH must be an executable file\. Received ".*gone"/,
    );
  });

  it('finds a command in PATH and skips a folder of the same name', async () => {
    await mkdir(join(folder, 'one/chromium'), { recursive: true });
    const expected = await executableAt(join(folder, 'two/chromium'));
    const environment = { PATH: `${join(folder, 'one')}:${join(folder, 'two')}` };
    expect(findBrowser({ platform: 'linux', environment })).toBe(expected);
  });

  it('finds Chromium in its install location if PATH is empty', () => {
    expect(installedPlaces({ platform: 'linux', environment: {} })).toContain('/usr/bin/chromium');
  });

  it('searches the application folders of macOS and Windows', () => {
    expect(installedPlaces({ platform: 'darwin', environment: { HOME: '/Users/ann' } })).toEqual(
      expect.arrayContaining([
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Users/ann/Applications/Chromium.app/Contents/MacOS/Chromium',
      ]),
    );
    expect(installedPlaces({ platform: 'win32', environment: { PROGRAMFILES: 'C:\\Program Files' } })).toContain(
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    );
  });

  it('finds a downloaded browser on a platform without an installed one', async () => {
    const browsers = join(folder, 'browsers');
    const expected = await executableAt(join(browsers, 'chrome/linux-1/chrome'));
    await writeFile(join(browsers, 'executable.txt'), 'chrome/linux-1/chrome\n');
    const environment = { CHAUFFEUR_CACHE_DIR: folder };
    expect(findBrowser({ platform: 'win32', environment })).toBe(expected);
  });

  it('returns undefined without any browser', () => {
    expect(findBrowser({ platform: 'win32', environment: { CHAUFFEUR_CACHE_DIR: folder } })).toBeUndefined();
  });
});

describe('installBrowser', () => {
  it('explains why apt-get and the download failed, and what to do', async () => {
    await writeFile(join(folder, 'file'), '');
    const lines: string[] = [];
    const environment = { PATH: '', CHAUFFEUR_CACHE_DIR: join(folder, 'file') };
    const failure = installBrowser({ log: (line) => lines.push(line), machine: { platform: 'linux', environment } });
    await expect(failure).rejects.toThrow(DriverInitError);
    await expect(failure).rejects.toThrow(/apt-get install chromium: .*Download of Chrome for Testing: .*CHROME_PATH/s);
    expect(lines.some((line) => line.startsWith('apt-get'))).toBe(true);
  });
});
