import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Driver, type Locator, type Page } from '../../../pagechauffeur/src/index.ts';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { serve, type TestServer } from '../../../pagechauffeur/test/support/serve.ts';
import { useBrowser } from '../../../pagechauffeur/test/support/use-browser.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { freePort, type LocalService } from '../support/local-service.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startRedis } from '../support/redis-server.ts';
import { hasSharedServices } from '../support/shared-services.ts';
import { noGrid, useGrid } from '../support/use-grid.ts';

/** Time for the first browser of a new node, or for loading DevTools. */
const BEGIN_MS = 120_000;
/** DevTools are many files, forwarded between servers. */
const LOADING = { timeout: 60_000 };
/** A server that starts no browsers needs none. */
const NO_BROWSER = '/nowhere/chromium';
/** The page in the remote browser. Its window has 800 × 600 pixels. */
const SHOP = `<!doctype html><title>Shop</title>
  <style>body { margin: 0; background: #fff } #name, #buy { position: absolute; left: 0; width: 400px; height: 100px } #buy { top: 100px }</style>
  <input id="name"><button id="buy" onclick="document.title = 'Bought ' + document.querySelector('#name').value">Buy</button>
  <a href="data:text/plain,42 Euro" download="bill.txt" style="position: absolute; top: 300px">Bill</a>`;

describe.skipIf(noGrid !== '' || !hasSharedServices)(`live view of a Grid browser${noGrid}`, () => {
  const shared = useGrid({ slots: 1 });
  const person = useBrowser();
  const stack = new AsyncDisposableStack();
  let pages: TestServer;
  let owner: Platform;
  /** The server the user connects to. It does not own the session. */
  let other: Platform;
  let worker: Driver;
  let shop: Page;
  /** The user's page. */
  let view: Page;

  beforeAll(async () => {
    pages = stack.use(await serve());
    const services: LocalService[] = [stack.use(await startPostgres()), stack.use(await startRedis())];
    const [database = '', redis = ''] = services.map(({ url }) => url);
    const options = {
      ...{ database, redis, grid: [shared.grid.url], egressPort: await freePort(), allowNetworks: ['127.0.0.0/8'] },
      ...{ port: 0, logLevel: 'silent' },
    };
    owner = stack.use(await startPlatform(options));
    other = stack.use(await startPlatform({ ...options, browser: NO_BROWSER }));
    worker = await open();
    shop = firstPage(worker);
    await shop.goto(pages.page('/shop', SHOP));
    view = person.page;
  }, BEGIN_MS);

  afterAll(async () => {
    await worker?.close();
    await stack.disposeAsync();
  });

  async function open(remoteSessionID?: string, { url } = owner): Promise<Driver> {
    const driver = new Driver({
      env: 'REMOTE',
      apiKey: owner.firstKey ?? '',
      remoteBaseURL: url,
      keepAlive: remoteSessionID === undefined,
      disableLoggerBackend: true,
      ...(remoteSessionID === undefined
        ? { remoteSessionCreateParams: { viewport: { width: 800, height: 600 } } }
        : { remoteSessionID }),
    });
    await driver.init();
    return driver;
  }

  const button = (name: string): Locator => view.getByRole('button', { name, exact: true });
  const status = (): Promise<string | null> => view.locator('#live-status').textContent();
  /** The color that the user sees at a point. */
  const colorAt = (x: number, y: number): Promise<unknown> =>
    view.evaluate(`[...document.querySelector('canvas').getContext('2d').getImageData(${x}, ${y}, 1, 1).data].join()`);

  async function clickAt(x: number, y: number): Promise<void> {
    const box = await view.locator('canvas').boundingBox();
    await view.click((box?.x ?? 0) + (x / 800) * (box?.width ?? 0), (box?.y ?? 0) + (y / 600) * (box?.height ?? 0));
  }

  async function takeOver(): Promise<void> {
    await button('Take over').click();
    await expect.poll(status).toContain('You have taken over');
  }

  async function buy(name: string): Promise<void> {
    await clickAt(200, 50);
    await view.keyboard.type(name);
    await clickAt(200, 150);
  }

  async function handBack(): Promise<void> {
    await button('Hand back').click();
    await expect.poll(status).toContain('The driver is in control');
  }

  it('shows the page and sends operator input through a server that does not own the session', async () => {
    expect([...owner.sessionManager.live.keys(), ...other.sessionManager.live.keys()]).toEqual([
      worker.remoteSessionID,
    ]);
    expect(owner.sessionManager.live.has(worker.remoteSessionID ?? '')).toBe(true);
    await view.goto((worker.remoteDebugURL ?? '').replace(owner.url, other.url));
    await view.waitForSelector('canvas[data-pictures]');
    await takeOver();
    await buy('Ann');
    await expect.poll(() => shop.evaluate('document.title')).toBe('Bought Ann');
    await expect(shop.goto(pages.origin)).rejects.toThrow('An operator has taken over');
    await handBack();
    await shop.evaluate('document.body.style.background = "#f00"');
    await expect.poll(() => colorAt(600, 500)).toMatch(/^25\d,[0-4],[0-4],255$/);
    await shop.evaluate('document.body.style.background = "#fff"');
    await expect.poll(() => colorAt(600, 500)).toMatch(/^25\d,25\d,25\d,255$/);
  });

  it(
    'loads DevTools without losing the focus and without another target in the browser',
    async () => {
      await view.goto('about:blank');
      await view.goto((worker.remoteDebugURL ?? '').replace(owner.url, other.url));
      await view.evaluate('globalThis.losses = 0; addEventListener("blur", () => (globalThis.losses += 1)); undefined');
      await button('Take over').click();
      await expect.poll(status).toContain('You have taken over');
      await expect.poll(() => view.evaluate('globalThis.losses'), LOADING).toBeGreaterThan(0);
      await expect.poll(() => view.evaluate('document.activeElement.className')).toBe('typing');
      const tools = view.frameLocator('iframe');
      await expect.poll(() => tools.getByText('<input').count(), LOADING).toBe(1);
      expect((await shop.sendCDP('Target.getTargets')) as object).toMatchObject({ targetInfos: [{ type: 'page' }] });
      await tools.getByRole('tab', { name: 'Console' }).first().click();
      await tools.getByRole('textbox', { name: 'Console prompt' }).click();
      await view.keyboard.type('document.title = 6 * 7');
      await view.keyboard.press('Enter');
      await expect.poll(() => shop.evaluate('document.title')).toBe('42');
      await handBack();
    },
    BEGIN_MS,
  );

  it('accepts an external DevTools frontend for the page', async () => {
    const path = `/v1/sessions/${worker.remoteSessionID}/devtools/page/${shop.targetId()}`;
    const tools = new WebSocket(other.url.replace('http', 'ws') + path, {
      headers: { authorization: `Bearer ${owner.firstKey}` },
    });
    await once(tools, 'open');
    tools.send('{"id":7,"method":"Runtime.evaluate","params":{"expression":"document.title"}}');
    const [answer] = (await once(tools, 'message')) as [Buffer];
    expect(JSON.parse(String(answer))).toMatchObject({ id: 7, result: { result: { value: '42' } } });
    tools.terminate();
  });

  it('fetches downloads from the machine of the browser', async () => {
    await Promise.all([shop.waitForEvent('download'), shop.getByText('Bill').click()]);
    const link = view.getByRole('link', { name: 'bill.txt' });
    const [given] = await Promise.all([view.waitForEvent('download'), link.click()]);
    expect(await readFile(await given.path(), 'utf8')).toBe('42 Euro');
  });

  it('keeps the operator in control after another server adopts the session', async () => {
    const id = worker.remoteSessionID ?? '';
    await takeOver();
    await Promise.all([owner.close(), worker.close()]);
    const next = await open(id, other);
    await expect.poll(() => other.sessionManager.live.get(id)?.control.isTakenOver, LOADING).toBe(true);
    await expect.poll(status, LOADING).toContain('You have taken over');
    await firstPage(next).evaluate('document.querySelector("#name").value = ""');
    await buy('Bob');
    await expect.poll(() => firstPage(next).evaluate('document.title')).toBe('Bought Bob');
    await handBack();
    await expect
      .poll(() => view.locator('.devtools').textContent(), LOADING)
      .toContain('has no Chromium with DevTools');
    expect(await view.locator('iframe').count()).toBe(0);
    await next.close();
    await expect.poll(() => view.locator('h1').innerText()).toContain('Completed');
    await expect.poll(() => shared.sessions(), { timeout: 25_000 }).toEqual(new Map());
  });
});
