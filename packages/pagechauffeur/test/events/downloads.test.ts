import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Download,
  Driver,
  DriverAbortError,
  DriverError,
  DriverInvalidArgumentError,
  DriverNavigationError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { firstPage, startDriver } from '../support/driver-for-test.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser('nightly');
const test = useBrowser({
  routes: {
    '/': `<title>Files</title>
      <a id="disposition" href="/file">by its server</a>
      <a id="attribute" href="/text" download="renamed.txt">by attribute</a>
      <a id="bare" href="/text" download>by bare attribute</a>
      <a id="tab" href="/file" target="_blank">in a tab</a>
      <a id="slow" href="/slow">slow</a>
      <button id="blob">blob</button><button id="data">data</button>
      <button id="opened" onclick="window.open('/file')">opened</button>
      <button id="two" onclick="location = '/file'; setTimeout(() => { location = '/named' })">two</button>
      <script>
        const give = (href, name) => Object.assign(document.createElement('a'), { href, download: name }).click();
        blob.onclick = () => give(URL.createObjectURL(new Blob(['from a blob'])), 'blob.txt');
        data.onclick = () => give('data:text/plain,from%20data', 'data.txt');
      </script>`,
    '/text': 'plain text',
    '/file': (_request, response) => attach(response, 'report.txt').end('the report'),
    '/named': (_request, response) => attach(response, '../../etc/pass wd ü.txt').end('named'),
    '/empty': (_request, response) => attach(response, 'empty.txt').end(),
    '/large': (_request, response) => attach(response, 'large.bin').end(Buffer.alloc(5_000_000, 7)),
    '/slow': (_request, response) => {
      attach(response, 'slow.txt').write('begun ');
      open.push(response);
    },
    '/cut': (_request, response) => {
      // The browser tries again by itself.
      if (open.length > 0) return void response.writeHead(404).end();
      attach(response, 'cut.txt', { 'content-length': '1000' }).write('begun');
      open.push(response);
    },
    '/frame': '<a href="/file">from a frame</a>',
  },
});
const openPage = reusedPage(test);
let page: Page;
let folder: string;
/** Answers that are not finished yet. */
let open: ServerResponse[];

beforeAll(async () => {
  test.server.page('/framed', `<iframe src="${test.server.otherOrigin}/frame"></iframe>`);
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-test-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  open = [];
  page = await openPage();
});

afterEach(async () => {
  for (const response of open) response.destroy();
});

function attach(response: ServerResponse, name: string, headers: Record<string, string> = {}): ServerResponse {
  const encoded = encodeURIComponent(name);
  return response.writeHead(200, {
    'content-type': 'application/octet-stream',
    // Without this the browser waits for more bytes before it says that it is a download.
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
    ...headers,
  });
}

async function downloadBy(selector: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()]);
  return download;
}

/** Starts a download whose answer stays open. */
async function openDownload(path: string): Promise<Download> {
  const waiting = page.waitForEvent('download');
  await page.evaluate(`void (location.href = ${JSON.stringify(path)})`);
  return waiting;
}

describe('a download', () => {
  it.each([
    ['#disposition', 'report.txt', '/file', 'the report'],
    ['#attribute', 'renamed.txt', '/text', 'plain text'],
    ['#bare', 'text.html', '/text', 'plain text'],
    ['#tab', 'report.txt', '/file', 'the report'],
    ['#opened', 'report.txt', '/file', 'the report'],
  ])('by %s has its name, address and content', async (selector, name, path, content) => {
    const download = await downloadBy(selector);
    expect([download.suggestedFilename(), download.url()]).toEqual([name, test.server.origin + path]);
    expect(await readFile(await download.path(), 'utf8')).toBe(content);
    expect(await download.failure()).toBeNull();
  });

  it.each([
    ['#blob', 'blob.txt', /^blob:/, 'from a blob'],
    ['#data', 'data.txt', /^data:/, 'from data'],
  ])('by %s has its name, address and content', async (selector, name, address, content) => {
    const download = await downloadBy(selector);
    expect(download.suggestedFilename()).toBe(name);
    expect(download.url()).toMatch(address);
    expect(await readFile(await download.path(), 'utf8')).toBe(content);
  });

  it.each([
    ['/empty', 0],
    ['/large', 5_000_000],
  ])('of %s has all its bytes', async (path, length) => {
    const download = await openDownload(path);
    expect(await readFile(await download.path())).toHaveLength(length);
  });

  it('of a frame in another process is told by its page', async () => {
    await page.goto(`${test.server.origin}/framed`, { waitUntil: 'load' });
    const download = await downloadBy('iframe >> a');
    expect(download.suggestedFilename()).toBe('report.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('the report');
  });

  it('of a popup that has a document is told by the popup', async () => {
    const popped = page.waitForEvent('popup');
    await page.evaluate(`void window.open('/')`);
    const popup = await popped;
    await popup.waitForLoadState('load');
    const [download] = await Promise.all([popup.waitForEvent('download'), popup.locator('#disposition').click()]);
    expect(await readFile(await download.path(), 'utf8')).toBe('the report');
  });

  it('has no path in its name', async () => {
    const download = await openDownload('/named');
    expect(download.suggestedFilename()).not.toMatch(/[/\\]/);
    expect(download.suggestedFilename()).toContain('pass wd ü.txt');
  });

  it('by goto is an error of the navigation, and an event', async () => {
    const waiting = page.waitForEvent('download');
    await expect(page.goto(`${test.server.origin}/file`)).rejects.toThrow(DriverNavigationError);
    expect((await waiting).suggestedFilename()).toBe('report.txt');
    expect(page.url()).toBe(`${test.server.origin}/`);
  });

  it('comes once per file, each with its own path', async () => {
    const first = await downloadBy('#disposition');
    const second = await downloadBy('#disposition');
    const paths = [await first.path(), await second.path()];
    expect(new Set(paths).size).toBe(2);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['the report', 'the report']);
  });

  it('is told by act', async () => {
    const result = await test.driver.act({ selector: '#disposition', description: 'file', method: 'click' }, { page });
    expect(result).toMatchObject({
      effect: 'opened',
      message: expect.stringContaining('a download of "report.txt" started'),
    });
  });

  it('that nobody listens to disturbs nothing', async () => {
    await page.locator('#disposition').click();
    expect(await page.title()).toBe('Files');
  });
});

describe('saveAs()', () => {
  it('copies the file, makes folders on the way, and may be called again', async () => {
    const download = await downloadBy('#disposition');
    const paths = [join(folder, 'a.txt'), join(folder, 'deep', 'er', 'b.txt')];
    for (const path of paths) await download.saveAs(path);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['the report', 'the report']);
  });

  it('replaces what is there', async () => {
    const path = join(folder, 'again.txt');
    await (await downloadBy('#attribute')).saveAs(path);
    await (await downloadBy('#disposition')).saveAs(path);
    expect(await readFile(path, 'utf8')).toBe('the report');
  });

  it('waits until the file is whole', async () => {
    const download = await downloadBy('#slow');
    const path = join(folder, 'slow.txt');
    const saved = download.saveAs(path);
    expect(existsSync(path)).toBe(false);
    open[0]?.end('and done');
    await saved;
    expect(await readFile(path, 'utf8')).toBe('begun and done');
  });

  it('says where it could not write', async () => {
    const download = await downloadBy('#disposition');
    const path = join(await download.path(), 'below-a-file.txt');
    await expect(download.saveAs(path)).rejects.toThrow(` as ${path}`);
    for (const wrong of ['', 5, undefined])
      await expect(download.saveAs(wrong as never)).rejects.toThrow(DriverInvalidArgumentError);
  });
});

describe('a download that does not arrive', () => {
  it('because it was cancelled says so', async () => {
    const download = await downloadBy('#slow');
    await download.cancel();
    expect(await download.failure()).toBe('canceled');
    await expect(download.path()).rejects.toThrow(/failed: canceled/);
    await expect(download.saveAs(join(folder, 'never.txt'))).rejects.toThrow(DriverError);
    await download.cancel();
  });

  it('because its server broke off says so', async () => {
    const download = await openDownload('/cut');
    await expect.poll(() => open.length).toBe(1);
    open[0]?.destroy();
    expect(await download.failure()).toBe('it was interrupted');
  });

  it('ends calls by their timeout or signal, and goes on', async () => {
    const download = await downloadBy('#slow');
    await expect(download.path({ timeout: 100 })).rejects.toThrow(DriverTimeoutError);
    await expect(download.failure({ signal: AbortSignal.abort() })).rejects.toThrow(DriverAbortError);
    open[0]?.end();
    expect(await readFile(await download.path(), 'utf8')).toBe('begun ');
  });

  it('is not cancelled once it has ended', async () => {
    const download = await downloadBy('#disposition');
    await download.path();
    await download.cancel();
    expect(await download.failure()).toBeNull();
  });

  it('with its page goes on', async () => {
    const download = await downloadBy('#slow');
    await page.close();
    open[0]?.end('later');
    expect(await readFile(await download.path(), 'utf8')).toBe('begun later');
  });
});

// A headless shell keeps the tab of a download.
describe('a download of a whole browser', () => {
  useWholeBrowser();
  const whole = useBrowser({
    routes: {
      '/': '<title>Files</title><a href="/file" target="_blank">in a tab</a>',
      '/file': (_request, response) => attach(response, 'report.txt').end('the report'),
    },
  });

  it('in a tab of its own leaves the page that opened it active', async () => {
    const { page: opener, driver, server } = whole;
    await opener.goto(server.origin);
    const [download] = await Promise.all([opener.waitForEvent('download'), opener.locator('a').click()]);
    await download.path();
    await expect.poll(() => driver.context.pages()).toEqual([opener]);
    expect(driver.context.activePage()).toBe(opener);
  });
});

describe('the options for downloads', () => {
  it('acceptDownloads: false refuses them, and says so', async () => {
    await using strict = await startDriver({ acceptDownloads: false });
    await strict.page.goto(test.server.origin);
    const [download] = await Promise.all([
      strict.page.waitForEvent('download'),
      strict.page.locator('#disposition').click(),
    ]);
    expect(download.suggestedFilename()).toBe('report.txt');
    expect(await download.failure()).toMatch(/acceptDownloads is false/);
    await expect(download.path()).rejects.toThrow(/acceptDownloads is false/);
  });

  it('downloadsPath is where files stay after close()', async () => {
    const downloadsPath = join(folder, 'kept');
    const keeping = await startDriver({ downloadsPath });
    await keeping.page.goto(test.server.origin);
    const [download] = await Promise.all([
      keeping.page.waitForEvent('download'),
      keeping.page.locator('#disposition').click(),
    ]);
    const path = await download.path();
    await keeping.driver.close();
    expect(path.startsWith(downloadsPath)).toBe(true);
    expect(await readdir(downloadsPath)).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe('the report');
  });

  it.each([{}, { localBrowserLaunchOptions: { userDataDir: 'profile' } }])(
    'by default the folder goes with the driver (%o)',
    async ({ localBrowserLaunchOptions }) => {
      const userDataDir = localBrowserLaunchOptions && join(folder, localBrowserLaunchOptions.userDataDir);
      const passing = await startDriver(userDataDir ? { localBrowserLaunchOptions: { userDataDir } } : {});
      await passing.page.goto(test.server.origin);
      const [download] = await Promise.all([
        passing.page.waitForEvent('download'),
        passing.page.locator('#disposition').click(),
      ]);
      const path = await download.path();
      const slow = await Promise.all([
        passing.page.waitForEvent('download'),
        passing.page.locator('#slow').click(),
      ]).then(([begun]) => begun);
      await passing.driver.close();
      expect(existsSync(path)).toBe(false);
      expect(existsSync(join(path, '..'))).toBe(false);
      expect(await slow.failure().catch(String)).toMatch(/gone|closed|cancel/i);
    },
  );

  it('are checked', () => {
    const wrong: readonly object[] = [{ acceptDownloads: 'no' }, { downloadsPath: 5 }, { downloadsPath: '' }];
    for (const options of wrong)
      expect(() => new Driver({ env: 'LOCAL', ...options })).toThrow(DriverInvalidArgumentError);
  });

  it('leave a browser that was attached to as it is until somebody listens', async () => {
    const attached = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const theirs = await attached.driver.context.newPage(test.server.origin);
    const [download] = await Promise.all([theirs.waitForEvent('download'), theirs.locator('#disposition').click()]);
    const path = await download.path();
    expect(await readFile(path, 'utf8')).toBe('the report');
    await theirs.close();
    await attached.driver.close();
    expect(existsSync(path)).toBe(false);
    expect(firstPage(test.driver).isClosed()).toBe(false);
  });
});
