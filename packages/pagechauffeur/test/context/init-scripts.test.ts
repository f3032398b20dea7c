import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriverContext, Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let context: DriverContext;
let page: Page;
/** What the script said of the document that was open when it was added. */
let countOfOpenDocument: unknown;

/** Tells its opener or parent what the init script had done when the document's own first script ran. */
const first = `<script>window.seen = window.count; (window.parent === window ? window.opener : window.parent)?.postMessage([location.pathname, window.count], '*')</script>`;
/** Counts how often it ran in a window, and notes that it ran in a document. */
const count = `window.count = (window.count ?? 0) + 1;`;

beforeAll(async () => {
  server = await serve({
    '/': `<title>Plain</title>${first}`,
    '/child': `<title>Child</title>${first}`,
    '/moved': (_request, response) => {
      response.writeHead(302, { location: '/child' });
      response.end();
    },
    '/strict': (_request, response) => {
      response.setHeader('content-security-policy', "script-src 'nonce-abc'");
      response.setHeader('content-type', 'text/html');
      response.end(`<title>Strict</title><script nonce="abc">window.seen = window.count</script>`);
    },
    '/image.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>window.seen = window.count</script></svg>');
    },
  });
  test = await startDriver();
  ({ context } = test.driver);
  ({ page } = test);
  await page.goto(server.origin);
  await context.addInitScript(count);
  countOfOpenDocument = await page.evaluate('window.count');
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

afterEach(async () => {
  for (const open of context.pages()) if (open !== test.page) await open.close();
  ({ page } = test);
});

/** For scripts that are to stay with their page. */
async function useOwnPage(): Promise<void> {
  page = await context.newPage();
}

/** Opens a page with this body, whose messages from frames and popups are gathered in `told`. */
async function openPage(body: string, on: Page = page): Promise<void> {
  const url = server.page(
    '/holder',
    `<title>Holder</title><script>window.told = []; onmessage = ({ data }) => told.push(data);</script>${first}<body>${body}</body>`,
  );
  await on.goto(url, { waitUntil: 'load' });
}

describe('context.addInitScript()', () => {
  it('runs once before the first script of the next document of an open page', async () => {
    expect(countOfOpenDocument).toBeUndefined();
    await page.goto(`${server.origin}/child`);
    expect(await page.evaluate('[seen, count]')).toEqual([1, 1]);
  });

  it('runs once in a new page at about:blank', async () => {
    const blank = await context.newPage();
    expect(await blank.evaluate('count')).toBe(1);
  });

  it.each(['/', '/moved', '/strict', '/image.svg'])(
    'runs once before the first script of a document at %s',
    async (path) => {
      await page.goto(server.origin + path);
      expect(await page.evaluate('[seen, count]')).toEqual([1, 1]);
    },
  );

  it.each([
    ['a data: document', 'data:text/html,<script>window.seen = count</script>'],
    ['a document of another site', 'other'],
  ])('runs once before the first script of %s', async (_title, address) => {
    await page.goto(server.origin);
    await page.goto(address === 'other' ? server.otherOrigin : address);
    expect(await page.evaluate('[seen, count]')).toEqual([1, 1]);
  });

  it('runs once in each document across reloads, history and site changes', async () => {
    const seen: unknown[] = [];
    const note = async (): Promise<void> => void seen.push(await page.evaluate('[seen, count]'));
    await page.goto(server.origin);
    await page.reload();
    await note();
    await page.goto(server.otherOrigin);
    await note();
    await page.goBack();
    await note();
    await page.goForward();
    await note();
    await page.evaluate('location.href = "/child"; undefined').catch(() => undefined);
    await expect.poll(() => page.title()).toBe('Child');
    await note();
    expect(seen).toEqual([1, 2, 3, 4, 5].map(() => [1, 1]));
  });

  it.each([
    ['a frame of the same site', () => `<iframe src="/child"></iframe>`],
    ['a frame of another site', () => `<iframe src="${server.otherOrigin}/child"></iframe>`],
    ['a frame that redirects', () => `<iframe src="/moved"></iframe>`],
    ['a sandboxed frame that may run scripts', () => `<iframe sandbox="allow-scripts" src="/child"></iframe>`],
    [
      'a sandboxed frame of another site',
      () => `<iframe sandbox="allow-scripts" src="${server.otherOrigin}/child"></iframe>`,
    ],
    ['a frame in a closed shadow root', () => closedRoot('<iframe src="/child"></iframe>')],
    [
      "another site's frame in a closed shadow root",
      () => closedRoot(`<iframe src="${server.otherOrigin}/child"></iframe>`),
    ],
    [
      'a frame in a declarative closed shadow root',
      () =>
        `<div><template shadowrootmode="closed"><iframe src="${server.otherOrigin}/child"></iframe></template></div>`,
    ],
    ['an object element', () => `<object data="/child" type="text/html"></object>`],
    [
      'a frame that a script adds later',
      () =>
        `<script>setTimeout(() => { document.body.append(Object.assign(document.createElement('iframe'), { src: '/child' })) })</script>`,
    ],
    [
      'a frame that navigates to another site',
      () => `<iframe src="/" onload="this.onload = null; this.src = '${server.otherOrigin}/child'"></iframe>`,
    ],
    [
      'a frame that returns from another site',
      () => `<iframe src="${server.otherOrigin}/" onload="this.onload = null; this.src = '/child'"></iframe>`,
    ],
  ])('runs once before the first script of %s', async (_title, body) => {
    await openPage(body());
    await expect.poll(() => page.evaluate('told.filter(([path]) => path === "/child")')).toEqual([['/child', 1]]);
    expect(await page.evaluate('[seen, count]')).toEqual([1, 1]);
  });

  it.each([
    ['a srcdoc frame', '<iframe srcdoc="<script>window.seen = count</script>"></iframe>'],
    [
      'a frame written by document.write()',
      `<iframe></iframe><script>frames[0].document.write('<script>window.seen = count</' + 'script>'); frames[0].document.close()</script>`,
    ],
    [
      'a frame with a blob: URL',
      `<script>document.body.append(Object.assign(document.createElement('iframe'), { src: URL.createObjectURL(new Blob(['<script>window.seen = count</' + 'script>'], { type: 'text/html' })) }))</script>`,
    ],
  ])('runs once before the first script of %s', async (_title, body) => {
    await openPage(body);
    await expect.poll(() => page.evaluate('[frames[0].seen, frames[0].count]')).toEqual([1, 1]);
  });

  it('runs in an about:blank frame before the script that adds it continues', async () => {
    await openPage('');
    expect(await page.evaluate(`document.body.append(document.createElement('iframe')); frames[0].count`)).toBe(1);
  });

  it('runs once in nested frames across processes', async () => {
    server.page('/outer', `<iframe src="${server.origin}/inner"></iframe>${first}`);
    server.page(
      '/inner',
      `<iframe src="${server.otherOrigin}/child"></iframe><script>onmessage = ({ data }) => parent.parent.postMessage(data, '*')</script>`,
    );
    await openPage(`<iframe src="${server.otherOrigin}/outer"></iframe>`);
    await expect.poll(() => page.evaluate('told.map(String).toSorted()')).toEqual(['/child,1', '/outer,1']);
  });

  it.each([
    ['about:blank', `window.open('about:blank')`],
    ['no URL', `window.open()`],
    ['a URL of the same site', `window.open('/child')`],
  ])('runs in a popup with %s before its opener continues', async (_title, open) => {
    await openPage('');
    expect(await page.evaluate(`window.popup = ${open}; popup.count`)).toBe(1);
    const popup = await context.awaitActivePage();
    expect(await popup.evaluate('count')).toBe(1);
  });

  it.each([
    ['the same site', () => `window.open('/child')`],
    ['another site', () => `window.open('${server.otherOrigin}/child')`],
    ['another site through a redirect', () => `window.open('${server.otherOrigin}/moved')`],
    [
      'another site in a separate window',
      () => `window.open('${server.otherOrigin}/child', '', 'width=300,height=200')`,
    ],
  ])('runs once before the first script of a popup at %s', async (_title, open) => {
    await openPage('');
    await page.evaluate(`window.popup = ${open()}; undefined`);
    const popup = await context.awaitActivePage();
    expect(await popup.evaluate('[seen, count]')).toEqual([1, 1]);
    expect(await page.evaluate('told')).toEqual([['/child', 1]]);
  });

  it.each([
    ['no opener', () => `window.open('${server.otherOrigin}/child', '', 'noopener')`],
    ['no opener at about:blank', () => `window.open('about:blank', '', 'noopener')`],
  ])('runs once in a popup with %s', async (_title, open) => {
    await openPage('');
    await page.evaluate(`${open()}; undefined`);
    const popup = await context.awaitActivePage();
    expect(await popup.evaluate('count')).toBe(1);
  });

  it('runs once in a popup that its opener writes', async () => {
    await openPage('');
    await page.evaluate(
      `const popup = window.open(''); popup.document.write('<script>window.seen = count</' + 'script>'); popup.document.close()`,
    );
    const popup = await context.awaitActivePage();
    expect(await popup.evaluate('[seen, count]')).toEqual([1, 1]);
  });

  it('runs once before the first script of a popup that a cross-site frame opens', async () => {
    server.page('/opener', `<script>window.open('/child')</script>`);
    await openPage(`<iframe src="${server.otherOrigin}/opener"></iframe>`);
    const popup = await context.awaitActivePage();
    expect(await popup.evaluate('[seen, count]')).toEqual([1, 1]);
  });
});

// The browser may have begun with its document before it tells of such a tab.
it('runs a context init script once in a tab that another program opens', async () => {
  await useOwnPage();
  const { targetId } = (await page.sendCDP('Target.createTarget', { url: `${server.origin}/child` })) as {
    targetId: string;
  };
  await expect.poll(() => context.pages().some((open) => open.targetId() === targetId)).toBe(true);
  const tab = context.pages().find((open) => open.targetId() === targetId);
  await expect.poll(() => tab?.evaluate('[location.pathname, window.count]')).toEqual(['/child', 1]);
});

describe('multiple init scripts', () => {
  beforeEach(useOwnPage);

  it('runs scripts of page and context in the order in which they were added', async () => {
    const own = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const order = (name: string): string => `(window.order ??= []).push('${name}')`;
    for (let index = 0; index < 12; index += 1) {
      await (index % 2 === 0 ? own.page : own.driver.context).addInitScript(order(String(index)));
    }
    const all = Array.from({ length: 12 }, (_entry, index) => String(index));
    await own.page.goto(server.page('/orders', `<iframe src="${server.otherOrigin}/"></iframe>`), {
      waitUntil: 'load',
    });
    expect(await own.page.evaluate('order')).toEqual(all);
    const [, frame] = own.page.target.frames.frames;
    expect(await (await frame?.worlds.main)?.evaluate('order', null)).toEqual(all);
    const popup = await own.driver.context.newPage(server.origin);
    expect(await popup.evaluate('order')).toEqual(all.filter((name) => Number(name) % 2 === 1));
    await own.driver.close();
  });

  it('runs the next script after one throws', async () => {
    await page.addInitScript('throw new TypeError("broken")');
    await page.addInitScript('window.after = 1');
    await page.goto(server.origin);
    expect(await page.evaluate('[count, after]')).toEqual([1, 1]);
  });

  it('shares globals between scripts and with the page', async () => {
    await page.addInitScript('const half = 21; function twice(x) { return 2 * x; }');
    await page.addInitScript('var answer = twice(half)');
    await page.goto(server.origin);
    expect(await page.evaluate('[answer, half]')).toEqual([42, 21]);
  });

  it('runs a script twice when it was added twice', async () => {
    await page.addInitScript('window.times = (window.times ?? 0) + 1');
    await page.addInitScript('window.times = (window.times ?? 0) + 1');
    await page.goto(server.origin);
    expect(await page.evaluate('times')).toBe(2);
  });
});

describe('page.addInitScript()', () => {
  beforeEach(useOwnPage);

  it('runs only in the documents and frames of that page', async () => {
    await page.addInitScript('window.mine = 1');
    await openPage(`<iframe src="${server.otherOrigin}/child"></iframe>`);
    const [, frame] = page.target.frames.frames;
    expect([await page.evaluate('mine'), await (await frame?.worlds.main)?.evaluate('window.mine', null)]).toEqual([
      1, 1,
    ]);
    await page.evaluate(`window.open('/child'); undefined`);
    const popup = await context.awaitActivePage();
    const other = await context.newPage(server.origin);
    expect([await popup.evaluate('window.mine'), await other.evaluate('window.mine')]).toEqual([undefined, undefined]);
  });

  it('does not run in the current document, only after a reload', async () => {
    await page.goto(server.origin);
    await page.addInitScript('window.mine = 1');
    expect(await page.evaluate('window.mine')).toBeUndefined();
    await page.reload();
    expect(await page.evaluate('mine')).toBe(1);
  });

  it('runs in the next document of an existing cross-process frame', async () => {
    await openPage(`<iframe src="${server.otherOrigin}/child"></iframe>`);
    await page.addInitScript('window.mine = 1');
    const frame = page.target.frames.frames[1];
    const read = async (): Promise<unknown> => (await frame?.worlds.main)?.evaluate('window.mine', null);
    expect(await read()).toBeUndefined();
    await (await frame?.worlds.main)?.evaluate(`location.href = '/?next'; undefined`, null);
    await expect
      .poll(async () => [frame?.url, await read().catch(() => undefined)])
      .toEqual([`${server.otherOrigin}/?next`, 1]);
  });
});

function closedRoot(html: string): string {
  return `<div id="host"></div><script>document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = \`${html}\`</script>`;
}
