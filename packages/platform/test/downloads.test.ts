import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Connection } from 'pagechauffeur/internal';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DownloadController } from '../src/sessions/download-controller.ts';
import { DownloadList } from '../src/sessions/download-list.ts';
import { keptLog } from './support/kept-log.ts';
import { connectRaw, type RawClient } from './support/raw-client.ts';
import { simulateBrowsers } from './support/simulated-browsers.ts';
import { usePlatform } from './support/use-platform.ts';

const SIZE = 60_000;
/** File name chosen by CDP. */
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('downloads of a session', () => {
  const shared = usePlatform(() => {
    // The headless shell, which most tests use, has no preferences.
    vi.stubEnv('CHROME_PATH', undefined);
    return { capacity: 2, allowNetworks: ['127.0.0.1'], downloadQuota: SIZE * 2.5 };
  });
  let server: Server;
  let client: RawClient;
  let session: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('content-disposition', 'attachment; filename="name of the page.bin"');
      // Never completes.
      if (request.url === '/unannounced') response.write('x'.repeat(4096));
      else if (request.url === '/slow') response.writeHead(200, { 'content-length': SIZE }).write('x'.repeat(4096));
      else response.end('x'.repeat(SIZE));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
    vi.unstubAllEnvs();
  });

  beforeEach(async () => {
    session = (await shared.ask('POST', '/v1/sessions', { body: {} })).body;
    client = await connected();
  });
  afterEach(() => shared.ask('POST', `/v1/sessions/${String(session['id'])}`, { body: { status: 'REQUEST_RELEASE' } }));

  async function connected(): Promise<RawClient> {
    const opened = await connectRaw(String(session['connectUrl']));
    onTestFinished(() => opened.socket.terminate());
    return opened;
  }

  async function download(browserContextId?: string, path = '/'): Promise<void> {
    await client.command('Target.createTarget', {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      ...(browserContextId === undefined ? {} : { browserContextId }),
    });
  }

  /** Names of the files in the session's folder. */
  function files(): readonly string[] {
    const { downloads = '' } = shared.platform.sessionManager.live.get(String(session['id']))?.browser ?? {};
    return existsSync(downloads) ? readdirSync(downloads) : [];
  }

  async function listed(): Promise<readonly { name: string; state: string; fileName: string }[]> {
    const { body } = await shared.ask('GET', `/v1/sessions/${String(session['id'])}/downloads`);
    return body['downloads'] as { name: string; state: string; fileName: string }[];
  }

  const states = async (): Promise<readonly string[]> => (await listed()).map(({ state }) => state);

  it('stores a file in the session folder under its CDP name without a client setting', async () => {
    await download();
    await expect.poll(states).toEqual(['completed']);
    const [file] = await listed();
    expect(file).toMatchObject({ name: expect.stringMatching(GUID), fileName: 'name of the page.bin' });
    expect(files()).toEqual([file?.name]);
    const path = `/v1/sessions/${String(session['id'])}/downloads/${file?.name}`;
    expect((await shared.ask('GET', path)).status).toBe(200);
  });

  it.each(['default', 'allow', 'allowAndName'])(
    'stores a file in the session folder if a client requests `%s`',
    async (behavior) => {
      await client.command('Browser.setDownloadBehavior', { behavior, downloadPath: '/tmp' });
      await download();
      await expect.poll(states).toEqual(['completed']);
      expect(files()).toEqual([expect.stringMatching(GUID)]);
    },
  );

  it('stores files of a client context, and of a page with its own folder, in the session folder', async () => {
    const { result } = await client.command('Target.createBrowserContext');
    const settled = async (): Promise<readonly string[]> => (await states()).filter((state) => state !== 'inProgress');
    await download(String(result?.['browserContextId']));
    await expect.poll(settled).toEqual(['completed']);
    expect(
      (await client.command('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' })).result,
    ).toEqual({});
    await download();
    await expect.poll(settled).toEqual(['completed', 'completed']);
    expect(files()).toHaveLength(2);
  });

  it.each<[string, (path: string) => void]>([
    ['a symbolic link', (path) => symlinkSync('/etc/hostname', path)],
    [
      'a hard link',
      (path) => {
        writeFileSync(`${path}.other`, 'of the machine');
        linkSync(`${path}.other`, path);
      },
    ],
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ])('responds with 404 to %s in the download folder', async (_what, make) => {
    const { downloads = '' } = shared.platform.sessionManager.live.get(String(session['id']))?.browser ?? {};
    mkdirSync(downloads, { recursive: true });
    const name = '11111111-1111-4111-8111-111111111111';
    make(join(downloads, name));
    const path = `/v1/sessions/${String(session['id'])}/downloads/${name}`;
    expect(await shared.ask('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('stores files in the session folder after a client with the same setting disconnects', async () => {
    const other = await connected();
    await other.command('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' });
    other.socket.close();
    await other.closed;
    // The browser resets the setting a moment later, and the server sets it again: at once, and with each heartbeat.
    await expect
      .poll(
        async () => {
          await download();
          return files();
        },
        { timeout: 40_000, interval: 500 },
      )
      .toContainEqual(expect.stringMatching(GUID));
  });

  it('cancels a download after a client sets `deny`', async () => {
    await client.command('Browser.setDownloadBehavior', { behavior: 'deny' });
    const keeper = shared.platform.sessionManager.live.get(String(session['id']))?.downloadController;
    await keeper?.renew();
    await download();
    await expect.poll(states).toEqual(['canceled']);
    expect(files()).toEqual([]);
  });

  it('cancels a download that would exceed the session quota', async () => {
    await download();
    await expect.poll(states).toEqual(['completed']);
    await download();
    await expect.poll(states).toEqual(['completed', 'completed']);
    await download(undefined, '/slow');
    await expect.poll(states).toEqual(['completed', 'completed', 'canceled']);
    await expect.poll(files).toHaveLength(2);
  });

  it('measures an unfinished download by the bytes in its folder', async () => {
    const { browser } = shared.platform.sessionManager.live.get(String(session['id'])) ?? {};
    expect(await browser?.bytesInDownloads?.()).toBe(0);
    await download(undefined, '/unannounced');
    await expect.poll(() => browser?.bytesInDownloads?.()).toBe(4096);
    expect(await states()).toEqual(['inProgress']);
  });

  it('cancels downloads after files fill the quota, even if a client sets `allow`', async () => {
    for (let count = 1; count <= 6; count += 1) {
      await client.command('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' });
      await download();
      await expect.poll(async () => (await states()).filter((state) => state !== 'inProgress')).toHaveLength(count);
    }
    // Two, and at most one that was complete before it could be cancelled.
    expect((await states()).filter((state) => state === 'completed').length).toBeLessThanOrEqual(3);
    expect(await states()).toContain('canceled');
  });
});

describe('download of unknown size', () => {
  const QUOTA = 1000;
  const log = keptLog();
  let bytes = 0;
  let looks = 0;

  it('ends when its folder exceeds the quota, before the browser reports a size', async () => {
    const browsers = await simulateBrowsers();
    onTestFinished(() => browsers[Symbol.asyncDispose]());
    await fetch(`${browsers.origin}/one`, { method: 'PUT' });
    const url = `${browsers.origin.replace('http', 'ws')}/one`;
    const connection = await Connection.open(url);
    onTestFinished(() => connection.close());
    const browser = await connectRaw(url);
    onTestFinished(() => browser.socket.terminate());
    const report = (method: string, params: object): Promise<unknown> =>
      browser.command('Test.sayAll', { text: JSON.stringify({ method, params: { guid: 'one', ...params } }) });
    const bytesInFolder = async (): Promise<number> => {
      looks += 1;
      return bytes;
    };
    const list = new DownloadList([], () => undefined);
    const parts = { sessionId: 'some', folder: '/nowhere', quota: QUOTA, bytesInFolder, list, log };
    await new DownloadController(parts).attach(connection);
    await report('Browser.downloadWillBegin', { suggestedFilename: 'a', url: 'http://a.test/', frameId: 'f' });
    bytes = QUOTA;
    await expect.poll(() => looks).toBeGreaterThan(5);
    expect(log.lines).toEqual([]);
    bytes = QUOTA + 1;
    await expect.poll(() => log.lines[0]).toContain('canceled a download');
    await report('Browser.downloadProgress', { receivedBytes: 0, totalBytes: 0, state: 'canceled' });
    expect(list.list()).toMatchObject([{ name: 'one', state: 'canceled' }]);
  });
});
