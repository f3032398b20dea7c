import type { ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverNavigationError, type LoadState, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
let folder: string;
const held: ServerResponse[] = [];

const SOME_STATES: readonly LoadState[] = rows(['commit', 'load'], ['domcontentloaded', 'networkidle']);

useWholeBrowser('nightly');
beforeAll(async () => {
  const hold = (response: ServerResponse): void => void held.push(response);
  const to = (status: number, location: string) => (_request: unknown, response: ServerResponse) =>
    response.writeHead(status, { location }).end();
  server = await serve({
    '/': '<title>Start</title><a href="#part">part</a>',
    '/end': '<title>End</title>',
    '/never': (_request, response) => hold(response),
    '/301': to(301, '/end'),
    '/302': to(302, '/end'),
    '/303': to(303, '/end'),
    '/307': to(307, '/end'),
    '/308': to(308, '/end'),
    '/chain': to(302, '/301'),
    '/to-fragment': to(302, '/end#part'),
    '/circle': to(302, '/circle2'),
    '/circle2': to(302, '/circle'),
    '/meta': '<title>Meta</title><meta http-equiv="refresh" content="0; url=/end">',
    '/refresh-header': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/end' }).end('<title>Refresh</title>'),
    '/assigns': "<title>Assigns</title><script>location.href = '/end'</script>",
    '/replaces': "<title>Replaces</title><script>location.replace('/end')</script>",
    '/submits': '<title>Submits</title><form action="/end"></form><script>document.forms[0].submit()</script>',
    '/clicks': "<title>Clicks</title><a href='/end'></a><script>document.querySelector('a').click()</script>",
    '/reloads':
      "<title>Reloads</title><script>if (!sessionStorage.twice) { sessionStorage.twice = '1'; location.reload(); } else { sessionStorage.clear(); document.title = 'End'; }</script>",
    '/opens-document':
      "<title>Opens</title><script>addEventListener('load', () => { document.open(); document.write('<title>End</title>'); document.close(); })</script>",
    '/pushes':
      "<title>Pushes</title><script>for (const n of [1, 2, 3]) history.pushState(null, '', '/pushed' + n)</script>",
    '/hashes': "<title>Hashes</title><script>location.hash = 'part'</script>",
    '/replaces-state': "<title>Replaced state</title><script>history.replaceState(null, '', '/replaced')</script>",
    '/hanging-picture': '<title>Hanging picture</title><img src="/never">',
    '/hanging-script': '<title>Hanging script</title><script async src="/never"></script>',
    '/hanging-style': '<title>Hanging style</title><p>text<link rel="stylesheet" href="/never">',
    '/hanging-frame': '<title>Hanging frame</title><iframe src="/never"></iframe>',
    '/half': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Half</title><p>first');
      hold(response);
    },
    '/stops': (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .write('<title>Stops</title><script>setInterval(stop)</script>');
      hold(response);
    },
    '/stops-picture': '<title>Stops</title><img src="/never"><script>setInterval(stop)</script>',
    '/nothing': (_request, response) => response.writeHead(204).end(),
    '/reset-content': (_request, response) => response.writeHead(205).end(),
    '/file': (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('bytes'),
    '/binary': (_request, response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
    '/hang-up': (request) => request.socket.destroy(),
    '/no-http': (request) => request.socket.end('what?\r\n\r\n'),
    '/short': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
      response.write('<title>Short</title><img src="/short-is-read">');
      hold(response);
    },
    '/short-is-read': (_request, response) => {
      response.writeHead(204).end();
      held.pop()?.destroy();
    },
    '/json': (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
    '/text': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('plain'),
    '/picture': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"><title>Svg</title></svg>'),
    '/xhtml': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xhtml+xml' })
        .end('<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Xhtml</title></head><body/></html>'),
  });
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-documents-'));
  await writeFile(join(folder, 'one page.html'), '<title>From a file</title>');
  test = await startDriver();
  ({ page } = test);
});

afterAll(async () => {
  for (const response of held) response.destroy();
  await test?.driver.close();
  await server?.close();
  await rm(folder, { recursive: true });
});

describe('redirect', () => {
  it.each(rows(['/301', '/chain'], ['/302', '/303', '/307', '/308']))(
    'goto() returns the last document of %s',
    async (path) => {
      const response = await page.goto(server.origin + path, { waitUntil: 'load' });
      expect([response?.url(), response?.status(), page.url(), await page.title()]).toEqual([
        `${server.origin}/end`,
        200,
        `${server.origin}/end`,
        'End',
      ]);
    },
  );

  it('goto() keeps the fragment', async () => {
    expect((await page.goto(`${server.origin}/to-fragment`))?.status()).toBe(200);
    expect(page.url()).toBe(`${server.origin}/end#part`);
    await page.goto(`${server.origin}/301#kept`);
    expect(page.url()).toBe(`${server.origin}/end#kept`);
  });

  it('goto() follows a redirect to another site', async () => {
    server.page('/away', (_request, response) =>
      response.writeHead(302, { location: `${server.otherOrigin}/end` }).end(),
    );
    expect((await page.goto(`${server.origin}/away`))?.url()).toBe(`${server.otherOrigin}/end`);
    expect(page.url()).toBe(`${server.otherOrigin}/end`);
  });
});

describe('page that navigates itself', () => {
  const PATHS = rows(
    ['/meta', '/assigns', '/reloads', '/opens-document'],
    ['/refresh-header', '/replaces', '/submits', '/clicks'],
  );
  it.each(PATHS)('goto() resolves, and the page reaches its last document: %s', async (path) => {
    for (const waitUntil of SOME_STATES) {
      expect((await page.goto(server.origin + path, { waitUntil }))?.status(), waitUntil).toBe(200);
      await page.waitForFunction("document.title === 'End'");
      await page.waitForLoadState('load');
    }
  });

  it.each(['/stops', '/stops-picture'])('goto() resolves on a page that stops its own load: %s', async (path) => {
    for (const waitUntil of SOME_STATES) {
      expect((await page.goto(server.origin + path, { waitUntil }))?.status(), waitUntil).toBe(200);
      await page.waitForLoadState('load');
      expect(await page.title()).toBe('Stops');
    }
  });

  it.each(
    rows(
      [
        ['/pushes', '/pushed3', 'Pushes'],
        ['/hashes', '/hashes#part', 'Hashes'],
      ],
      [['/replaces-state', '/replaced', 'Replaced state']],
    ),
  )('goto() resolves on a page that changes its URL within the document: %s', async (path, shown, title) => {
    for (const waitUntil of SOME_STATES.slice(1)) {
      const response = await page.goto(server.origin + path, { waitUntil });
      expect([response?.url(), page.url(), await page.title()]).toEqual([
        server.origin + path,
        server.origin + shown,
        title,
      ]);
    }
  });
});

describe('document that never finishes loading', () => {
  it.each(rows(['/hanging-picture', '/hanging-frame'], ['/hanging-script']))(
    'goto() resolves for every state except load: %s',
    async (path) => {
      for (const waitUntil of ['commit', 'domcontentloaded', 'networkidle'] as const)
        expect((await page.goto(server.origin + path, { waitUntil }))?.status()).toBe(200);
      expect(await page.title()).toMatch(/^Hanging/);
      const failure = await failureOf(page.waitForLoadState('load', { timeout: 50 }));
      expect(failure).toMatchObject({ code: 'TIMEOUT', operation: 'page.waitForLoadState' });
    },
  );

  it.each(['/half', '/hanging-style'])(
    'waitForSelector() finds an element in the part that arrived: %s',
    async (path) => {
      await page.goto(server.origin + path, { waitUntil: 'commit' });
      await page.waitForSelector('p', { state: 'attached' });
      expect(page.url()).toBe(server.origin + path);
    },
  );

  it.each(rows(['goto', 'reload', 'goBack'], ['goForward']))(
    '%s() rejects at its timeout, and the next call works',
    async (call) => {
      await page.goto(`${server.origin}/hanging-picture`);
      await page.goto(`${server.origin}/end`);
      if (call !== 'goBack') await page.goto(`${server.origin}/hanging-picture`);
      if (call === 'goForward') await page.goBack();
      const limits = { waitUntil: 'load', timeout: 200 } as const;
      const failure = await failureOf(
        call === 'goto' ? page.goto(`${server.origin}/hanging-picture`, limits) : page[call](limits),
      );
      expect(failure).toMatchObject({ code: 'TIMEOUT', operation: `page.${call}`, timeout: 200 });
      expect((await page.goto(`${server.origin}/end`, { waitUntil: 'load' }))?.status()).toBe(200);
    },
  );
});

describe('document types and URL schemes', () => {
  it.each([
    ['/json', 'application/json'],
    ['/text', 'text/plain'],
    ['/picture', 'image/svg+xml'],
    ['/xhtml', 'application/xhtml+xml'],
  ])('goto() opens %s as a document of type %s', async (path, type) => {
    const response = await page.goto(server.origin + path, { waitUntil: 'load' });
    expect([
      response?.status(),
      response?.headers()['content-type'],
      await page.evaluate('document.contentType'),
    ]).toEqual([200, type, type]);
    expect(await page.content()).not.toBe('');
  });

  it('goto() returns null for a new fragment, and a response without one', async () => {
    await page.goto(server.origin);
    expect(await page.goto(`${server.origin}/#part`)).toBeNull();
    expect(await page.goto(`${server.origin}/#other`, { waitUntil: 'networkidle' })).toBeNull();
    expect(await page.goto(`${server.origin}/#other`, { waitUntil: 'load' })).toBeNull();
    expect((await page.goto(`${server.origin}/`))?.status()).toBe(200);
    expect((await page.goto(`${server.origin}/`))?.status()).toBe(200);
  });

  it.each(rows(['commit', 'load'], ['domcontentloaded']))(
    'goto() opens about:blank, data:, blob: and file: URLs until %s',
    async (waitUntil) => {
      await page.goto(server.origin);
      const blob = String(
        await page.evaluate("URL.createObjectURL(new Blob(['<title>From a blob</title>'], { type: 'text/html' }))"),
      );
      await page.goto(blob, { waitUntil });
      await page.waitForFunction("document.title === 'From a blob'");
      expect(await page.goto('about:blank', { waitUntil })).toBeNull();
      expect(await page.goto('about:blank', { waitUntil })).toBeNull();
      await page.goto('data:text/html,<title>From data</title>', { waitUntil });
      await page.waitForFunction("document.title === 'From data'");
      await page.goto(pathToFileURL(join(folder, 'one page.html')).href, { waitUntil });
      await page.waitForFunction("document.title === 'From a file'");
    },
  );

  // A headless shell has none of them.
  describe('in a whole browser', () => {
    useWholeBrowser();

    it('goto() opens view-source: and chrome: URLs', async () => {
      await using whole = await startDriver();
      await whole.page.goto(`view-source:${server.origin}/end`);
      expect(await whole.page.content()).toContain('End');
      await whole.page.goto('chrome://version/');
      expect(whole.page.url()).toBe('chrome://version/');
    });
  });
});

describe('failed navigation', () => {
  it.each([
    ['/nothing', /ERR_ABORTED.*204/],
    ['/reset-content', /ERR_ABORTED/],
    ['/circle', /ERR_TOO_MANY_REDIRECTS\. .*loop/],
    ['/file', /started a download instead of loading a page/],
    ['/binary', /started a download instead of loading a page/],
    ['/hang-up', /ERR_EMPTY_RESPONSE\. The server closed the connection/],
    ['/no-http', /ERR_(INVALID_HTTP_RESPONSE|EMPTY_RESPONSE|ABORTED)/],
  ])('goto() rejects for %s with the cause and advice', async (path, sentence) => {
    const failure = await failureOf(page.goto(server.origin + path));
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(failure).toMatchObject({
      code: 'NAVIGATION',
      url: server.origin + path,
      message: expect.stringMatching(sentence),
    });
    expect((await page.goto(`${server.origin}/end`, { waitUntil: 'load' }))?.status()).toBe(200);
  });

  it.each([
    ['http://127.0.0.1:1/', /ERR_(UNSAFE_PORT|CONNECTION_REFUSED)\. ./],
    ['http://127.0.0.1:9/', /ERR_(UNSAFE_PORT|CONNECTION_REFUSED)\. ./],
    ['http://no-such-host.invalid/', /ERR_NAME_NOT_RESOLVED\. The host name cannot be resolved/],
    ['http://127.0.0.1:65000000/', /not a complete URL/],
    ['http://[bad', /not a complete URL/],
    ['http:// a b /', /not a complete URL/],
    ['file:///no/such/file.html', /ERR_FILE_NOT_FOUND\. The file does not exist/],
    ['chrome://no-such-page/', /ERR_INVALID_URL|ERR_/],
    ['nosuch://scheme', /ERR_(ABORTED|UNKNOWN_URL_SCHEME)/],
    ['mailto:somebody@example.org', /ERR_ABORTED/],
  ])('goto() rejects for the URL %s with the cause', async (url, sentence) => {
    const failure = await failureOf(page.goto(url));
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(failure).toMatchObject({ url, message: expect.stringMatching(sentence) });
  });

  it('goto() rejects for a truncated body and keeps the document that arrived', async () => {
    const failure = await failureOf(page.goto(`${server.origin}/short`, { waitUntil: 'load' }));
    expect(failure).toMatchObject({
      code: 'NAVIGATION',
      message: expect.stringContaining('ended its response too early'),
    });
    expect(await page.title()).toBe('Short');
    expect((await page.goto(`${server.origin}/end`, { waitUntil: 'load' }))?.status()).toBe(200);
  });

  it.each(rows(['reload', 'goBack'], ['goForward']))(
    '%s() rejects with the cause or shows the cached page when the server is down',
    async (call) => {
      const gone = await serve({ '/': '<title>Gone</title>' });
      const tab = await test.driver.context.newPage(server.origin);
      await tab.goto(gone.origin);
      if (call === 'goBack') await tab.goto(`${server.origin}/end`);
      if (call === 'goForward') await tab.goBack();
      await tab.sendCDP('Network.setCacheDisabled', { cacheDisabled: true });
      await gone.close();
      const failure = await failureOf(tab[call]());
      // A page that the browser kept as it was needs no server.
      const outcome = failure instanceof DriverNavigationError ? failure.message : await tab.title();
      expect(outcome).toMatch(
        call === 'reload'
          ? /ERR_CONNECTION_REFUSED\. Nothing listens/
          : /ERR_CONNECTION_REFUSED\. Nothing listens|^Gone$/,
      );
      await tab.close();
    },
  );

  it('reload() of a busy page rejects with the cause when the server is down', async () => {
    const gone = await serve({ '/': '<title>Gone</title>' });
    const tab = await test.driver.context.newPage(gone.origin);
    await gone.close();
    await tab.evaluate(
      'void setTimeout(() => { for (const end = performance.now() + 500; performance.now() < end; ); })',
    );
    expect(await failureOf(tab.reload())).toMatchObject({
      code: 'NAVIGATION',
      message: expect.stringContaining('ERR_CONNECTION_REFUSED'),
    });
    await tab.close();
  });
});

describe('concurrent navigations', () => {
  it.each(rows(['commit', 'networkidle'], ['domcontentloaded', 'load']))(
    'the newer goto() wins and the older one rejects, until %s',
    async (waitUntil) => {
      const older = failureOf(page.goto(`${server.origin}/never`, { waitUntil }));
      const response = await page.goto(`${server.origin}/end`, { waitUntil });
      expect(await older).toMatchObject({
        code: 'NAVIGATION',
        message: expect.stringMatching(/ERR_ABORTED.*newer navigation/s),
      });
      expect([response?.url(), page.url()]).toEqual([`${server.origin}/end`, `${server.origin}/end`]);
    },
  );

  it('reload() ends when a goto() overtakes it', async () => {
    const reload = page.reload().catch((error: unknown) => error);
    await page.goto(`${server.origin}/end`);
    await reload;
    expect(page.url()).toBe(`${server.origin}/end`);
  });

  it.each<readonly [who: string, close: (tab: Page) => Promise<unknown>]>([
    ['the caller', (tab) => tab.close()],
    ['the page that opened it', () => page.evaluate('opened.close()')],
    ['another program', (tab) => page.sendCDP('Target.closeTarget', { targetId: tab.targetId() })],
  ])('goto() rejects as closed when %s closes the page', async (_who, close) => {
    for (let time = 0; time < 2; time += 1) {
      await page.goto(`${server.origin}/end`);
      await page.evaluate(`window.opened = open('${server.origin}/end?${time}'); 0`);
      const tab = await test.driver.context.awaitActivePage();
      const failure = failureOf(tab.goto(`${server.origin}/never`));
      await close(tab);
      expect(await failure).toMatchObject({ code: 'CLOSED' });
    }
  });
});
