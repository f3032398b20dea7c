import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { installCommand } from '../../src/cli/install-command.ts';
import { DriverInitError } from '../../src/errors.ts';
import { downloadBrowser, type DownloadOptions } from '../../src/launch/download-browser.ts';
import { findBrowser, type Machine } from '../../src/launch/find-browser.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { zipOf } from './zip.ts';

const VERSION = '150.0.7800.12';
const LISTS = {
  '/last-known-good-versions.json': { channels: { Stable: { version: VERSION }, Beta: { version: '151.0.1.1' } } },
  '/latest-versions-per-milestone.json': {
    milestones: { '150': { version: VERSION }, '9': { version: '../../../x' } },
  },
  '/latest-patch-versions-per-build.json': { builds: { '150.0.7800': { version: VERSION } } },
};
const ARCHIVE = `/${VERSION}/win64/chrome-win64.zip`;

let server: TestServer;
/** What was asked of the server. */
let asked: string[];
let folder: string;
/** Has no browser installed, because this is no Windows. */
let machine: Machine;

beforeAll(async () => {
  server = await serve();
  for (const [path, list] of Object.entries(LISTS)) answer(path, (response) => response.end(JSON.stringify(list)));
});

afterAll(() => server.close());

beforeEach(async () => {
  asked = [];
  serveArchive(browser(`echo 'Google Chrome for Testing ${VERSION}'`));
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-install-'));
  machine = { platform: 'win32', environment: { CHAUFFEUR_CACHE_DIR: folder } };
});

afterEach(() => {
  vi.unstubAllEnvs();
  return rm(folder, { recursive: true });
});

function answer(path: string, give: (response: ServerResponse) => void): void {
  server.page(path, (request, response) => {
    asked.push(request.url ?? '');
    give(response);
  });
}

function browser(script: string): Buffer {
  return zipOf({ path: 'chrome-win64/chrome.exe', text: `#!/bin/sh\n${script}\n` });
}

function serveArchive(archive: Buffer): void {
  answer(ARCHIVE, (response) => response.setHeader('content-length', archive.length).end(archive));
}

function download(options: Partial<DownloadOptions> = {}): Promise<string> {
  const log = (): void => undefined;
  return downloadBrowser({ version: VERSION, mirror: server.origin, log, machine, architecture: 'x64', ...options });
}

describe('downloadBrowser()', () => {
  it.each([
    ['stable', '/last-known-good-versions.json'],
    ['Stable', '/last-known-good-versions.json'],
    ['150', '/latest-versions-per-milestone.json'],
    ['150.0.7800', '/latest-patch-versions-per-build.json'],
    [VERSION, undefined],
  ])('installs version %s where drivers find it', async (version, list) => {
    const executable = await download({ version });
    expect(asked).toEqual([list, ARCHIVE].filter(Boolean));
    expect(executable).toBe(join(folder, `browsers/chrome/win64-${VERSION}/chrome-win64/chrome.exe`));
    expect(findBrowser(machine)).toBe(executable);
    expect(await readdir(join(folder, 'browsers'))).toEqual(['chrome', 'executable.txt']);
  });

  it('logs its progress', async () => {
    const lines: string[] = [];
    await download({ log: (line) => lines.push(line) });
    expect(lines[0]).toBe(`Downloading Chrome for Testing ${VERSION} into ${join(folder, 'browsers')} …`);
    expect(lines.at(-2)).toMatch(/^100 % of/);
    expect(lines.at(-1)).toBe('Checked that the browser starts.');
  });

  it('skips an installed version unless forced', async () => {
    await download();
    const lines: string[] = [];
    await download({ log: (line) => lines.push(line) });
    expect(asked).toEqual([ARCHIVE]);
    expect(lines[0]).toBe(`Chrome for Testing ${VERSION} is already installed.`);
    await download({ isForced: true });
    expect(asked).toEqual([ARCHIVE, ARCHIVE]);
    expect(findBrowser(machine)).toBeDefined();
  });

  it('selects the last requested version', async () => {
    const first = await download();
    const other = first.replaceAll(VERSION, '151.0.1.1');
    const archive = browser("echo 'Google Chrome for Testing 151.0.1.1'");
    answer(ARCHIVE.replace(VERSION, '151.0.1.1'), (response) => response.end(archive));
    expect(await download({ version: 'beta' })).toBe(other);
    expect(findBrowser(machine)).toBe(other);
    expect(await download()).toBe(first);
    expect(findBrowser(machine)).toBe(first);
  });

  it.each<[string, () => void, Partial<DownloadOptions>, RegExp]>([
    [
      'an interrupted download',
      () => answer(ARCHIVE, (r) => void r.setHeader('content-length', 1000).write('PK', () => r.destroy())),
      {},
      /expected 1000 bytes, received 2 bytes.* Check the network\. Behind a proxy/,
    ],
    [
      'a stalled download',
      () => answer(ARCHIVE, (r) => void r.setHeader('content-length', 1000).write('PK')),
      { timeout: 200 },
      /no data arrived for 0 s\. Check the network/,
    ],
    ['a file that is not an archive', () => serveArchive(Buffer.from('<html>log in</html>')), {}, /Extraction failed/],
    [
      'an archive without Chrome',
      () => serveArchive(zipOf({ path: 'readme.txt', text: '' })),
      {},
      /does not contain chrome-win64\/chrome\.exe/,
    ],
    [
      'a browser of another version',
      () => serveArchive(browser('echo Chrome 1.2.3.4')),
      {},
      /reports version "Chrome 1\.2\.3\.4" instead of 150/,
    ],
    [
      'a browser that does not start',
      () => serveArchive(browser('echo "error while loading shared libraries: libnss3.so" >&2; exit 127')),
      {},
      /Cannot start .*libnss3\.so.*install --with-deps/s,
    ],
    [
      'a missing archive',
      () => answer(ARCHIVE, (r) => r.writeHead(404).end()),
      {},
      /code 404.* This version does not exist/,
    ],
    [
      'a channel that the mirror lacks',
      () => undefined,
      { version: 'canary' },
      /no version canary in http.*good-versions/,
    ],
    ['a version with path characters', () => undefined, { version: '9' }, /no version 9 in/],
    [
      'a mirror without version lists',
      () => undefined,
      { version: '1', mirror: 'ORIGIN/empty' },
      /responded with 404; use a full version/,
    ],
    ['an unreachable mirror', () => undefined, { mirror: 'http://ann:s3cret@127.0.0.1:1' }, /ECONNREFUSED.*proxy/],
    ['an unsupported machine', () => undefined, { architecture: 'arm' }, /no Chrome for Testing for win32 on arm\.$/],
  ])('fails with a reason and leaves no browser behind for %s', async (_which, prepare, options, reason) => {
    prepare();
    const mirror = options.mirror?.replace('ORIGIN', server.origin) ?? server.origin;
    const error = await failureOf(download({ ...options, mirror }));
    expect(error).toBeInstanceOf(DriverInitError);
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('s3cret');
    expect(findBrowser(machine)).toBeUndefined();
    const left = await readdir(join(folder, 'browsers')).catch(() => []);
    expect(left.filter((name) => name.startsWith('download-'))).toEqual([]);
  });

  it('succeeds after a failed download', async () => {
    serveArchive(zipOf({ path: 'readme.txt', text: '' }));
    await failureOf(download());
    serveArchive(browser(`echo 'Google Chrome for Testing ${VERSION}'`));
    expect(findBrowser(machine)).toBeUndefined();
    expect(await download()).toBe(findBrowser(machine));
  });

  it.each<[size: string, send: (response: ServerResponse, archive: Buffer) => void]>([
    ['a known', (response, archive) => response.setHeader('content-length', archive.length).end(archive)],
    ['an unknown', (response, archive) => response.write(archive, () => response.end())],
  ])('unpacks an archive of %s size for longer than the timeout for data', async (_size, send) => {
    answer(ARCHIVE, (response) => send(response, browser('')));
    const program = join(folder, 'program');
    await writeFile(program, `#!/bin/sh\necho 'Google Chrome for Testing ${VERSION}'\n`, { mode: 0o755 });
    const unzip = `#!/bin/sh\nsleep 1\nmkdir "$4/chrome-win64" && cp ${program} "$4/chrome-win64/chrome.exe"\n`;
    await writeFile(join(folder, 'unzip'), unzip, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    expect(await download({ timeout: 500 })).toBe(findBrowser(machine));
  });

  it.each(['file', '/proc/nowhere'])('suggests another folder when %s is not writable', async (path) => {
    await writeFile(join(folder, 'file'), '');
    const environment = { CHAUFFEUR_CACHE_DIR: resolve(folder, path) };
    const error = await failureOf(download({ machine: { ...machine, environment } }));
    expect(String(error)).toMatch(/(ENOTDIR|ENOENT|EEXIST).*CHAUFFEUR_CACHE_DIR to a folder/);
  });

  it('sends the credentials of the mirror URL and keeps them out of errors', async () => {
    const shown: unknown[] = [];
    for (const path of ['/last-known-good-versions.json', ARCHIVE]) {
      server.page(`/guarded${path}`, (request, response) => {
        shown.push(request.headers.authorization);
        if (path === ARCHIVE) response.writeHead(404).end();
        else response.end(JSON.stringify(LISTS['/last-known-good-versions.json']));
      });
    }
    const mirror = `${server.origin.replace('://', '://ann:s3%23cret@')}/guarded`;
    const error = await failureOf(download({ version: 'stable', mirror }));
    expect(shown).toEqual(Array(2).fill(`Basic ${btoa('ann:s3#cret')}`));
    expect(String(error)).not.toContain('cret');
  });
});

describe('npx pagechauffeur install', () => {
  async function install(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const said: string[] = [];
    await installCommand(words, {
      print: (text) => said.push(`> ${text}`),
      tell: (line) => said.push(line),
      machine: { platform: 'win32', environment: { ...machine.environment, ...environment } },
    });
    return said;
  }

  it('prints an existing browser and downloads nothing', async () => {
    const CHROME_PATH = fileURLToPath(new URL('../programs/none', import.meta.url));
    const error = await failureOf(install([], { CHROME_PATH }));
    expect(String(error)).toContain('CHROME_PATH must be an executable file');
    await download();
    asked = [];
    expect(await install([])).toEqual([
      `A browser is already installed: Google Chrome for Testing ${VERSION}. Use --force to download another one.`,
      `> ${findBrowser(machine)}\n`,
    ]);
    expect(asked).toEqual([]);
  });

  it('says that the browser starts, except on Windows, where it starts none', async () => {
    await download();
    expect(await install([VERSION])).toContain('Checked that the browser starts.');
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      expect(await install([VERSION])).toEqual([
        `Chrome for Testing ${VERSION} is already installed.`,
        `> ${findBrowser(machine)}\n`,
      ]);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it('explains which browser the driver uses if another one takes precedence', async () => {
    const own = await download();
    const mine = join(folder, 'mine');
    await writeFile(mine, await readFile(own), { mode: 0o755 });
    const said = await install([VERSION], { CHROME_PATH: mine });
    expect(said.slice(-2)).toEqual([
      `Drivers use ${mine}. To use the downloaded browser, set CHROME_PATH or pass \`executablePath\`.`,
      `> ${own}\n`,
    ]);
  });

  it.each([
    [['15.2'], /Unknown version "15\.2"\. Use stable/],
    [['150', 'beta'], /Pass only one version. Received 150 and beta/],
    [['--frce'], /Unknown option '--frce'\. Run `npx pagechauffeur install --help`/],
    [['--base-url'], /argument missing/],
    [['--base-url', 'mirror'], /--base-url must be an http\(s\) URL/],
  ])('rejects %j with a usage error', async (words, sentence) => {
    const error = await failureOf(install(words));
    expect(error).toMatchObject({ code: 'USAGE' });
    expect(String(error)).toMatch(sentence);
  });

  it('prints its options', async () => {
    expect(await install(['150', '--help'])).toEqual([expect.stringContaining('--with-deps')]);
  });

  it('rejects a mirror variable that is not a URL', async () => {
    const error = await failureOf(install([], { CHAUFFEUR_DOWNLOAD_BASE_URL: 'ftp://mirror' }));
    expect(String(error)).toContain('CHAUFFEUR_DOWNLOAD_BASE_URL must be an http(s) URL');
  });
});

describe('chauffeur command', () => {
  const run = promisify(execFile);
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

  it('downloads through a proxy, logs to standard error, and prints the path', async () => {
    const linux = ARCHIVE.replaceAll('win64', 'linux64');
    const archive = zipOf({ path: 'chrome-linux64/chrome', text: `#!/bin/sh\necho Chrome ${VERSION}\n` });
    answer(linux, (response) => response.end(archive));
    const words = ['install', VERSION, '--base-url', 'http://mirror.test/'];
    const env = { ...process.env, CHAUFFEUR_CACHE_DIR: folder, HTTP_PROXY: server.origin, NO_PROXY: '' };
    const { stdout, stderr } = await run(process.execPath, [program, ...words], { env });
    expect(asked).toEqual([`http://mirror.test${linux}`]);
    expect(stdout).toBe(`${join(folder, `browsers/chrome/linux-${VERSION}/chrome-linux64/chrome`)}\n`);
    expect(stderr).toContain('Downloading Chrome for Testing');
  });

  it('prints its version', async () => {
    const { stdout } = await run(process.execPath, [program, '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('exits with 2 and suggests a command for a typo', async () => {
    const failure = run(process.execPath, [program, 'instal']);
    await expect(failure).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "instal". Did you mean install?\n',
    });
  });

  it('exits with 1 if no browser is installed in the end', async () => {
    const words = ['install', VERSION, '--base-url', `${server.origin}/empty`];
    const env = { ...process.env, CHAUFFEUR_CACHE_DIR: folder };
    await expect(run(process.execPath, [program, ...words], { env })).rejects.toMatchObject({ code: 1, stdout: '' });
  });

  it('prints its commands', async () => {
    expect((await run(process.execPath, [program, '--help'])).stdout).toContain('install');
  });
});
