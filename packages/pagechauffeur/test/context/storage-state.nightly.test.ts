import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DriverContext, DriverInvalidArgumentError, type Page, type StorageState } from '../../src/index.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let page: Page;
let context: DriverContext;
let folder: string;
const asked: string[] = [];

const empty: StorageState = { cookies: [], origins: [] };

useWholeBrowser();
const test = useBrowser();

beforeAll(async () => {
  test.server.page('/', (request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<title>Site</title>');
  });
  test.server.page(
    '/same',
    `<title>Same</title><iframe srcdoc="<script>localStorage.framed = 'yes'</script>"></iframe>`,
  );
  test.server.page('/third', `<title>Third</title><iframe src="${test.server.otherOrigin}/own"></iframe>`);
  test.server.page('/own', '<title>Own</title><script>localStorage.apart = "yes"</script>');
  folder = await mkdtemp(join(tmpdir(), 'storage-state-'));
  ({ page } = test);
  ({ context } = test.driver);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function startAnew(): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto('about:blank');
  await context.setStorageState(empty);
}

/** Opens a page of a site and keeps something in its local storage. */
async function keep(on: Page, origin: string, entries: Readonly<Record<string, string>>): Promise<void> {
  await on.goto(`${origin}/`);
  await on.evaluate((all: Readonly<Record<string, string>>) => {
    const { localStorage } = globalThis as unknown as { localStorage: { setItem(name: string, value: string): void } };
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value);
  }, entries);
}

function itemsOf({ origins }: StorageState, origin: string): Readonly<Record<string, string>> | undefined {
  const found = origins.find((entry) => entry.origin === origin);
  return found && Object.fromEntries(found.localStorage.map(({ name, value }) => [name, value]));
}

async function storageOf(on: Page, origin: string): Promise<unknown> {
  await on.goto(`${origin}/`);
  return on.evaluate('({ ...localStorage })');
}

describe('storageState()', () => {
  beforeEach(startAnew);

  it('is empty in a browser without cookies and local storage', async () => {
    await page.goto(test.server.origin);
    expect(await context.storageState()).toEqual(empty);
  });

  it('contains the same cookies as cookies()', async () => {
    await context.addCookies([{ name: 'session', value: 's3', url: test.server.origin, httpOnly: true }]);
    const state = await context.storageState();
    expect(state).toEqual({ cookies: await context.cookies(), origins: [] });
    expect(state.cookies).toHaveLength(1);
  });

  it('contains local storage with unusual names and values', async () => {
    const entries = {
      user: 'Ann',
      '': 'nameless',
      empty: '',
      text: 'a\r\nb "c" \\ \u0000 \u2028',
      ключ: '値 🍪',
      odd: 'a\ud800b',
      getItem: 'the name of a method',
      length: 'the name of a property',
      __proto__text: 'z',
      large: 'x'.repeat(1_000_000),
    };
    await keep(page, test.server.origin, entries);
    expect(itemsOf(await context.storageState(), test.server.origin)).toEqual(entries);
  });

  it('contains the origins of all open pages', async () => {
    const second = await context.newPage();
    await keep(page, test.server.origin, { on: 'first' });
    await keep(second, test.server.otherOrigin, { on: 'second' });
    const state = await context.storageState();
    expect(itemsOf(state, test.server.origin)).toEqual({ on: 'first' });
    expect(itemsOf(state, test.server.otherOrigin)).toEqual({ on: 'second' });
  });

  it('contains the origins of closed pages and of pages that navigated away', async () => {
    const second = await context.newPage();
    await keep(second, test.server.otherOrigin, { on: 'closed' });
    await second.close();
    await keep(page, test.server.origin, { on: 'left' });
    await page.goto('about:blank');
    const state = await context.storageState();
    expect(itemsOf(state, test.server.otherOrigin)).toEqual({ on: 'closed' });
    expect(itemsOf(state, test.server.origin)).toEqual({ on: 'left' });
  });

  it('contains the local storage of same-site frames', async () => {
    await page.goto(`${test.server.origin}/same`, { waitUntil: 'load' });
    expect(itemsOf(await context.storageState(), test.server.origin)).toEqual({ framed: 'yes' });
  });

  it('contains the first-party storage of a cross-site frame, not its partitioned storage', async () => {
    await keep(page, test.server.otherOrigin, { self: 'yes' });
    await page.goto(`${test.server.origin}/third`, { waitUntil: 'load' });
    expect(itemsOf(await context.storageState(), test.server.otherOrigin)).toEqual({ self: 'yes' });
  });

  it('opens no page, reloads none and sends no request', async () => {
    const opened: Page[] = [];
    const note = (other: Page): void => void opened.push(other);
    context.on('page', note);
    await keep(page, test.server.otherOrigin, { x: '1' });
    await keep(page, test.server.origin, { x: '1' });
    await page.evaluate('void (window.mark = 1)');
    asked.length = 0;
    await context.storageState();
    context.off('page', note);
    expect(await page.evaluate('mark')).toBe(1);
    expect([opened, asked, context.pages(), context.activePage()]).toEqual([[], [], [page], page]);
  });

  it('bypasses a service worker of the site', async () => {
    test.server.page('/worker.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(`addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        addEventListener('fetch', (event) => event.respondWith(new Response('<script>localStorage.touched = 1</script>', { headers: { 'content-type': 'text/html' } })));`);
    });
    await keep(page, test.server.otherOrigin, { x: '1' });
    await page.evaluate(
      `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => undefined)`,
    );
    await page.goto('about:blank');
    expect(itemsOf(await context.storageState(), test.server.otherOrigin)).toEqual({ x: '1' });
    await page.goto(`${test.server.otherOrigin}/`);
    await page.evaluate(
      'navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())).then(() => undefined))',
    );
  });

  it('reads origins that the domain policy blocks', async () => {
    await keep(page, test.server.otherOrigin, { x: '1' });
    await page.goto('about:blank');
    await context.setDomainPolicy({ blockedDomains: ['localhost'] });
    expect(itemsOf(await context.storageState(), test.server.otherOrigin)).toEqual({ x: '1' });
    await context.setDomainPolicy(null);
  });

  it('works without an open page', async () => {
    await keep(page, test.server.origin, { x: '1' });
    await page.close();
    expect(itemsOf(await context.storageState(), test.server.origin)).toEqual({ x: '1' });
    page = await context.newPage();
  });

  it('writes the returned state to a file and creates missing folders', async () => {
    await keep(page, test.server.origin, { x: 'é' });
    const path = join(folder, 'deep', 'down', 'state.json');
    const state = await context.storageState({ path });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(state);
  });

  it.each(['/proc/nowhere/state.json', '/dev/null/state.json'])(
    'rejects the path %s when it cannot write there',
    async (path) => {
      const failure = context.storageState({ path });
      await expect(failure).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'path' });
      await expect(failure).rejects.toThrow(`Cannot write to the path ${path}: E`);
    },
  );
});

describe('setStorageState()', () => {
  beforeEach(startAnew);

  it('restores the result of storageState() in another browser', async () => {
    await context.addCookies([{ name: 'session', value: 's3', url: test.server.origin }]);
    await keep(page, test.server.origin, { user: 'Ann', text: 'a\r\nb' });
    const state = await context.storageState();
    const other = await startDriver();
    await other.driver.context.setStorageState(state);
    expect(await other.driver.context.cookies()).toEqual(state.cookies);
    expect(await storageOf(other.page, test.server.origin)).toEqual({ user: 'Ann', text: 'a\r\nb' });
    expect(await other.driver.context.storageState()).toEqual(state);
    await other.driver.close();
  });

  it('accepts the path of a state file', async () => {
    const path = join(folder, 'state.json');
    await keep(page, test.server.origin, { from: 'file' });
    await context.storageState({ path });
    await context.setStorageState(empty);
    expect(await storageOf(page, test.server.origin)).toEqual({});
    await context.setStorageState(path);
    expect(await storageOf(page, test.server.origin)).toEqual({ from: 'file' });
  });

  it('replaces cookies and local storage of every origin', async () => {
    await context.addCookies([{ name: 'old', value: 'v', url: test.server.origin }]);
    await keep(page, test.server.otherOrigin, { old: '1' });
    await keep(page, test.server.origin, { old: '1' });
    await context.setStorageState({
      cookies: [],
      origins: [{ origin: test.server.origin, localStorage: [{ name: 'new', value: '2' }] }],
    });
    expect(await context.cookies()).toEqual([]);
    expect(await storageOf(page, test.server.origin)).toEqual({ new: '2' });
    expect(await storageOf(page, test.server.otherOrigin)).toEqual({});
  });

  it('sets the local storage of unreachable http and https origins', async () => {
    const origins = ['http://plain.test', 'https://safe.test', 'https://safe.test:8443'].map((origin) => ({
      origin,
      localStorage: [{ name: 'of', value: origin }],
    }));
    await context.setStorageState({ cookies: [], origins });
    expect((await context.storageState()).origins).toEqual(expect.arrayContaining(origins));
  });

  it('does not reload or navigate open pages', async () => {
    await page.goto(test.server.origin);
    await page.evaluate('void (window.mark = 1)');
    await context.setStorageState({
      cookies: [],
      origins: [{ origin: test.server.origin, localStorage: [{ name: 'x', value: '1' }] }],
    });
    await expect.poll(() => page.evaluate('[mark, localStorage.x]')).toEqual([1, '1']);
    expect(context.pages()).toEqual([page]);
  });

  it('rejects invalid cookies and files that are not JSON', async () => {
    expect(
      await failureOf(context.setStorageState({ cookies: [{ name: 'a', value: 'v' }], origins: [] } as never)),
    ).toMatchObject({ code: 'COOKIE' });
    const path = join(folder, 'broken.json');
    await writeFile(path, '{');
    expect(await failureOf(context.setStorageState(path))).toMatchObject({
      argument: 'state',
      message: expect.stringContaining(`Cannot read the storage state ${path}: `),
      cause: expect.any(SyntaxError),
    });
  });
});

describe('invalid arguments', () => {
  it.each([[{ path: 5 }], [{ path: '' }], ['state.json'], [null]])(
    'storageState() rejects the options %j',
    async (options) => {
      expect(await failureOf(context.storageState(options as never))).toBeInstanceOf(DriverInvalidArgumentError);
    },
  );

  it.each<[string, unknown]>([
    ['state', null],
    ['state', 5],
    ['state', []],
    ['state', '/no/such/file.json'],
    ['cookies', { cookies: {} }],
    ['state.origins', { origins: {} }],
    ['state.origins[0]', { origins: [null] }],
    ['state.origins[0].origin', { origins: [{ localStorage: [] }] }],
    ['state.origins[0].origin', { origins: [{ origin: 'shop.test' }] }],
    ['state.origins[0].origin', { origins: [{ origin: 'https://shop.test/path' }] }],
    ['state.origins[0].origin', { origins: [{ origin: 'file://' }] }],
    [
      'state.origins[1].localStorage',
      { origins: [{ origin: 'https://a.test' }, { origin: 'https://b.test', localStorage: {} }] },
    ],
    [
      'state.origins[0].localStorage',
      { origins: [{ origin: 'https://a.test', localStorage: [{ name: 'x', value: 5 }] }] },
    ],
  ])('setStorageState() rejects %s in %j and changes nothing', async (argument, state) => {
    await context.addCookies([{ name: 'kept', value: 'v', url: test.server.origin }]);
    expect(await failureOf(context.setStorageState(state as StorageState))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    });
    expect(await context.cookies()).toHaveLength(1);
  });
});
