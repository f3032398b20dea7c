import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from '../../src/index.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const PAGE = `<!doctype html><title>Static</title>
  <h1>Shop</h1><button id="buy">Buy</button><label>Name <input id="name" title="t"></label><ul><li>a</li><li>b</li></ul>
  <iframe name="inner" src="/inner"></iframe>`;

let server: TestServer;
let owner: TestDriver;
let proxy: CdpProxy;
let behindProxy: TestDriver;
let page: Page;

beforeAll(async () => {
  server = await serve({
    '/': PAGE,
    '/inner':
      '<!doctype html><button id="buy">Buy</button><input id="name" title="t"><li>a</li><li>b</li><h1>Shop</h1>',
  });
  owner = await startDriver();
  proxy = await CdpProxy.start(owner.driver.connectURL());
  behindProxy = await startDriver({ localBrowserLaunchOptions: { cdpUrl: proxy.url } });
  ({ page } = behindProxy);
  await page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await behindProxy?.driver.close();
  await proxy?.[Symbol.asyncDispose]();
  await owner?.driver.close();
  await server?.close();
});

type Place = (selector: string) => Locator;

const CALLS: [string, (at: Place) => Promise<unknown>, number][] = [
  ['click', (at) => at('#buy').click(), 2],
  ['dblclick', (at) => at('#buy').dblclick(), 2],
  ['hover', (at) => at('#buy').hover(), 2],
  ['fill', (at) => at('#name').fill('Ada'), 2],
  ['textContent', (at) => at('h1').textContent(), 1],
  ['innerText', (at) => at('h1').innerText(), 1],
  ['innerHtml', (at) => at('h1').innerHtml(), 1],
  ['inputValue', (at) => at('#name').inputValue(), 1],
  ['getAttribute', (at) => at('#name').getAttribute('title'), 1],
  ['isVisible', (at) => at('#name').isVisible(), 1],
  ['isEnabled', (at) => at('#name').isEnabled(), 1],
  ['isEditable', (at) => at('#name').isEditable(), 1],
  ['count', (at) => at('li').count(), 1],
  ['all', (at) => at('li').all(), 1],
  ['waitFor', (at) => at('h1').waitFor(), 1],
  ['blur', (at) => at('#name').blur(), 1],
  ['sendClickEvent', (at) => at('#buy').sendClickEvent(), 1],
  ['nth', (at) => at('li').nth(1).textContent(), 1],
  ['filter', (at) => at('li').filter({ hasText: 'b' }).textContent(), 1],
];

describe.each<[string, () => Place]>([
  ['a page', () => (selector) => page.locator(selector)],
  ['a frame', () => (selector) => page.frame('inner')?.locator(selector) ?? page.locator('#none')],
])('in %s', (_place, place) => {
  it.each(CALLS)('%s takes %3$i round trips', async (_title, call, expected) => {
    const at = place();
    await at('h1').waitFor();
    proxy.start();
    await call(at);
    expect(proxy.read().sequentialRoundTrips).toBe(expected);
  });
});

it('waitForSelector, getByRole and frames() take none or one', async () => {
  proxy.start();
  await page.waitForSelector('h1');
  expect(proxy.read()).toEqual({ commands: ['Runtime.callFunctionOn'], sequentialRoundTrips: 1 });
  proxy.start();
  expect(await page.getByRole('button', { name: 'Buy' }).textContent()).toBe('Buy');
  expect(proxy.read().sequentialRoundTrips).toBe(1);
  proxy.start();
  expect(page.frames()).toHaveLength(2);
  expect(proxy.read().sequentialRoundTrips).toBe(0);
});

it('a frame locator takes one more, for the way into the frame', async () => {
  proxy.start();
  expect(await page.frameLocator('iframe').locator('h1').textContent()).toBe('Shop');
  expect(proxy.read().sequentialRoundTrips).toBe(2);
  proxy.start();
  await page.frameLocator('iframe').locator('#buy').click();
  expect(proxy.read().sequentialRoundTrips).toBe(3);
});

it('files go to a browser behind an address by their bytes, since it may be on another machine', async () => {
  await page.goto(server.page('/files', '<!doctype html><input type="file" multiple>'), { waitUntil: 'load' });
  proxy.start();
  await page.locator('input').setInputFiles([import.meta.filename, { name: 'b.txt', buffer: Buffer.from('b') }]);
  expect(proxy.read().commands).not.toContain('DOM.setFileInputFiles');
  expect(
    await page
      .locator('input')
      .evaluate('Promise.all([...element.files].map(async (file) => (await file.text()).slice(0, 10)))'),
  ).toEqual(['import { a', 'b']);
  await page.locator('input').setInputFiles(import.meta.filename);
  expect(await page.locator('input').evaluate('element.files[0].name')).toBe('round-trips.test.ts');
  expect(proxy.read().commands).not.toContain('DOM.setFileInputFiles');
});
