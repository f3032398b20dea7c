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

describe('download event', () => {
  it.each([
    ['#disposition', 'report.txt', '/file', 'the report'],
    ['#attribute', 'renamed.txt', '/text', 'plain text'],
    ['#bare', 'text.html', '/text', 'plain text'],
    ['#tab', 'report.txt', '/file', 'the report'],
    ['#opened', 'report.txt', '/file', 'the report'],
  ])('returns name, URL and content of the download of %s', async (selector, name, path, content) => {
    const download = await downloadBy(selector);
    expect([download.suggestedFilename(), download.url()]).toEqual([name, test.server.origin + path]);
    expect(await readFile(await download.path(), 'utf8')).toBe(content);
    expect(await download.failure()).toBeNull();
  });

  it.each([
    ['#blob', 'blob.txt', /^blob:/, 'from a blob'],
    ['#data', 'data.txt', /^data:/, 'from data'],
  ])('returns name, URL and content of the download of %s', async (selector, name, address, content) => {
    const download = await downloadBy(selector);
    expect(download.suggestedFilename()).toBe(name);
    expect(download.url()).toMatch(address);
    expect(await readFile(await download.path(), 'utf8')).toBe(content);
  });

  it.each([
    ['/empty', 0],
    ['/large', 5_000_000],
  ])('saves all bytes of %s', async (path, length) => {
    const download = await openDownload(path);
    expect(await readFile(await download.path())).toHaveLength(length);
  });

  it('emits a download of a frame in another process on its page', async () => {
    await page.goto(`${test.server.origin}/framed`, { waitUntil: 'load' });
    const download = await downloadBy('iframe >> a');
    expect(download.suggestedFilename()).toBe('report.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('the report');
  });

  it('emits a download of a popup with a document on the popup', async () => {
    const popped = page.waitForEvent('popup');
    await page.evaluate(`void window.open('/')`);
    const popup = await popped;
    await popup.waitForLoadState('load');
    const [download] = await Promise.all([popup.waitForEvent('download'), popup.locator('#disposition').click()]);
    expect(await readFile(await download.path(), 'utf8')).toBe('the report');
  });

  it('omits path separators from the suggested file name', async () => {
    const download = await openDownload('/named');
    expect(download.suggestedFilename()).not.toMatch(/[/\\]/);
    expect(download.suggestedFilename()).toContain('pass wd ü.txt');
  });

  it('rejects `goto()` to a download, and emits the download', async () => {
    const waiting = page.waitForEvent('download');
    await expect(page.goto(`${test.server.origin}/file`)).rejects.toThrow(DriverNavigationError);
    expect((await waiting).suggestedFilename()).toBe('report.txt');
    expect(page.url()).toBe(`${test.server.origin}/`);
  });

  it('saves each download to its own path', async () => {
    const first = await downloadBy('#disposition');
    const second = await downloadBy('#disposition');
    const paths = [await first.path(), await second.path()];
    expect(new Set(paths).size).toBe(2);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['the report', 'the report']);
  });

  it('reports the download in the message of `act`', async () => {
    const result = await test.driver.act({ selector: '#disposition', description: 'file', method: 'click' }, { page });
    expect(result).toMatchObject({
      effect: 'opened',
      message: expect.stringContaining('a download of "report.txt" started'),
    });
  });

  it('leaves the page usable without a listener', async () => {
    await page.locator('#disposition').click();
    expect(await page.title()).toBe('Files');
  });
});

describe('saveAs()', () => {
  it('copies the file, creates missing folders, and works more than once', async () => {
    const download = await downloadBy('#disposition');
    const paths = [join(folder, 'a.txt'), join(folder, 'deep', 'er', 'b.txt')];
    for (const path of paths) await download.saveAs(path);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['the report', 'the report']);
  });

  it('replaces an existing file', async () => {
    const path = join(folder, 'again.txt');
    await (await downloadBy('#attribute')).saveAs(path);
    await (await downloadBy('#disposition')).saveAs(path);
    expect(await readFile(path, 'utf8')).toBe('the report');
  });

  it('waits until the download is complete', async () => {
    const download = await downloadBy('#slow');
    const path = join(folder, 'slow.txt');
    const saved = download.saveAs(path);
    expect(existsSync(path)).toBe(false);
    open[0]?.end('and done');
    await saved;
    expect(await readFile(path, 'utf8')).toBe('begun and done');
  });

  it('names the path that it cannot write, and rejects invalid paths', async () => {
    const download = await downloadBy('#disposition');
    const path = join(await download.path(), 'below-a-file.txt');
    await expect(download.saveAs(path)).rejects.toThrow(` as ${path}`);
    for (const wrong of ['', 5, undefined])
      await expect(download.saveAs(wrong as never)).rejects.toThrow(DriverInvalidArgumentError);
  });
});

describe('incomplete download', () => {
  it('reports `canceled` after `cancel()`', async () => {
    const download = await downloadBy('#slow');
    await download.cancel();
    expect(await download.failure()).toBe('canceled');
    await expect(download.path()).rejects.toThrow(/failed: canceled/);
    await expect(download.saveAs(join(folder, 'never.txt'))).rejects.toThrow(DriverError);
    await download.cancel();
  });

  it('reports that the server interrupted the download', async () => {
    const download = await openDownload('/cut');
    await expect.poll(() => open.length).toBe(1);
    open[0]?.destroy();
    expect(await download.failure()).toBe('it was interrupted');
  });

  it('rejects calls at their timeout or abort, and continues the download', async () => {
    const download = await downloadBy('#slow');
    await expect(download.path({ timeout: 100 })).rejects.toThrow(DriverTimeoutError);
    await expect(download.failure({ signal: AbortSignal.abort() })).rejects.toThrow(DriverAbortError);
    open[0]?.end();
    expect(await readFile(await download.path(), 'utf8')).toBe('begun ');
  });

  it('ignores `cancel()` after the download is complete', async () => {
    const download = await downloadBy('#disposition');
    await download.path();
    await download.cancel();
    expect(await download.failure()).toBeNull();
  });

  it('continues the download after its page closes', async () => {
    const download = await downloadBy('#slow');
    await page.close();
    open[0]?.end('later');
    expect(await readFile(await download.path(), 'utf8')).toBe('begun later');
  });
});

// A headless shell keeps the tab of a download.
describe('download in a full browser', () => {
  useWholeBrowser();
  const whole = useBrowser({
    routes: {
      '/': '<title>Files</title><a href="/file" target="_blank">in a tab</a>',
      '/file': (_request, response) => attach(response, 'report.txt').end('the report'),
    },
  });

  it('keeps the opener active when the download opened a tab', async () => {
    const { page: opener, driver, server } = whole;
    await opener.goto(server.origin);
    const [download] = await Promise.all([opener.waitForEvent('download'), opener.locator('a').click()]);
    await download.path();
    await expect.poll(() => driver.context.pages()).toEqual([opener]);
    expect(driver.context.activePage()).toBe(opener);
  });
});

describe('download options', () => {
  it('rejects downloads and names the reason when `acceptDownloads` is false', async () => {
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

  it('keeps files in `downloadsPath` after the driver closes', async () => {
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
    'deletes the default folder when the driver closes (%o)',
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

  it('rejects invalid download options', () => {
    const wrong: readonly object[] = [{ acceptDownloads: 'no' }, { downloadsPath: 5 }, { downloadsPath: '' }];
    for (const options of wrong)
      expect(() => new Driver({ env: 'LOCAL', ...options })).toThrow(DriverInvalidArgumentError);
  });

  it('downloads in an attached browser, and deletes the file when the driver closes', async () => {
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
