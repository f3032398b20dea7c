import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from '../../src/index.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

const PAGE = `<!doctype html><title>Static</title>
  <h1>Shop</h1><button id="buy">Buy</button><label>Name <input id="name" title="t"></label><input id="gift" type="checkbox"><select id="size"><option>S</option><option>M</option></select><ul><li>a</li><li>b</li></ul>
  <iframe name="inner" src="/inner"></iframe>`;

let server: TestServer;
let owner: TestDriver;
let proxy: CdpProxy;
let behindProxy: TestDriver;
let page: Page;

useWholeBrowser('nightly');
beforeAll(async () => {
  server = await serve({
    '/inner':
      '<!doctype html><button id="buy">Buy</button><input id="name" title="t"><input id="gift" type="checkbox"><select id="size"><option>S</option><option>M</option></select><li>a</li><li>b</li><h1>Shop</h1>',
  });
  server.page('/', `${PAGE}<iframe name="far" src="${server.otherOrigin}/inner"></iframe>`);
  owner = await startDriver();
  proxy = await CdpProxy.start(owner.driver.connectURL());
  behindProxy = await startDriver({ localBrowserLaunchOptions: { cdpUrl: proxy.url } });
  ({ page } = behindProxy);
  await page.goto(server.origin, { waitUntil: 'load' });
  await framesKnown(page);
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
  ['check', (at) => at('#gift').check(), 2],
  ['fill', (at) => at('#name').fill('Ada'), 2],
  ['fill with the current value', async (at) => at('#name').fill(await at('#name').inputValue()), 3],
  ['replaceText of a missing text', (at) => failureOf(at('#name').replaceText('not there', 'x')), 1],
  ['type', (at) => at('#name').type('!'), 2],
  ['press', (at) => at('#name').press('Enter'), 2],
  ['selectOption', (at) => at('#size').selectOption('M'), 4],
  ['focus', (at) => at('#name').focus(), 2],
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

/** What is asked about new frames in the background would be counted, too. */
async function framesKnown({ target }: Page): Promise<void> {
  await Promise.all(target.frames.frames.map((frame) => frame.adopted));
}

/** How many answers a call waits for, one after another. */
async function tripsOf(call: () => Promise<unknown> | undefined): Promise<number> {
  // After typing, the driver opens frames to keys again in the background.
  await setImmediate();
  await expect.poll(() => page.target.sessions.some(({ isBusy }) => isBusy)).toBe(false);
  proxy.start();
  await call();
  return proxy.read().sequentialRoundTrips;
}

describe.each<[string, () => Place]>(
  rows(
    [
      ['a page', () => (selector) => page.locator(selector)],
      ['a cross-origin frame', () => (selector) => page.frame('far')?.locator(selector) ?? page.locator('#none')],
    ],
    [['a same-origin frame', () => (selector) => page.frame('inner')?.locator(selector) ?? page.locator('#none')]],
  ),
)('in %s', (_place, place) => {
  it.each(CALLS)('%s takes %3$i round trips', async (_title, call, expected) => {
    const at = place();
    await at('h1').waitFor();
    expect(await tripsOf(() => call(at))).toBe(expected);
  });
});

it('waitForSelector() and getByRole() take one round trip, and frames() none', async () => {
  proxy.start();
  await page.waitForSelector('h1');
  expect(proxy.read()).toEqual({ commands: ['Runtime.callFunctionOn'], sequentialRoundTrips: 1 });
  proxy.start();
  expect(await page.getByRole('button', { name: 'Buy' }).textContent()).toBe('Buy');
  expect(proxy.read().sequentialRoundTrips).toBe(1);
  proxy.start();
  expect(page.frames()).toHaveLength(3);
  expect(proxy.read().sequentialRoundTrips).toBe(0);
});

describe.each(rows(['far'], ['inner']))('locators into the frame %s', (name) => {
  const ways: [string, (selector: string) => Locator][] = [
    ['a frame locator', (selector) => page.frameLocator(`iframe[name=${name}]`).locator(selector)],
    ['a chained selector', (selector) => page.locator(`[name="${name}"] >> ${selector}`)],
    [
      'an XPath',
      (selector) => page.locator(`/html[1]/body[1]/iframe[${name === 'far' ? 2 : 1}]//*[@id="${selector.slice(1)}"]`),
    ],
  ];
  it.each(ways)('%s takes 3 round trips for the first click and 2 for the next ones', async (_title, at) => {
    await page.reload({ waitUntil: 'load' });
    await framesKnown(page);
    expect(await tripsOf(() => at('#buy').click())).toBe(3);
    expect(await tripsOf(() => at('#buy').click())).toBe(2);
    expect(await tripsOf(() => at('#name').fill('Ada'))).toBe(2);
    expect(await tripsOf(() => at('#gift').check())).toBe(2);
    expect(await tripsOf(() => at('#name').inputValue())).toBe(1);
    expect(await tripsOf(() => at('#name').waitFor())).toBe(1);
    expect(await tripsOf(() => at('#buy').count())).toBe(1);
    expect(await at('#name').inputValue()).toBe('Ada');
  });
});

it('tap() takes 2 round trips, and more only for the first tap in a cross-origin frame', async () => {
  await page.reload({ waitUntil: 'load' });
  await framesKnown(page);
  const [, near, far] = page.frames();
  expect(await tripsOf(() => page.locator('#buy').tap())).toBe(2);
  expect(await tripsOf(() => near?.locator('#buy').tap())).toBe(2);
  expect(await tripsOf(() => far?.locator('#buy').tap())).toBeGreaterThan(2);
  expect(await tripsOf(() => far?.locator('#buy').tap())).toBe(2);
});

it('setInputFiles() sends file contents, not paths, to a browser connected by URL', async () => {
  await page.goto(server.page('/files', '<!doctype html><input type="file" multiple>'), { waitUntil: 'load' });
  proxy.start();
  await page.locator('input').setInputFiles([import.meta.filename, { name: 'b.txt', buffer: Buffer.from('b') }]);
  expect(proxy.read().commands).not.toContain('DOM.setFileInputFiles');
  expect(
    await page
      .locator('input')
      .evaluate('Promise.all([...element.files].map(async (file) => (await file.text()).slice(0, 10)))'),
  ).toEqual(['import { s', 'b']);
  await page.locator('input').setInputFiles(import.meta.filename);
  expect(await page.locator('input').evaluate('element.files[0].name')).toBe('round-trips.test.ts');
  expect(proxy.read().commands).not.toContain('DOM.setFileInputFiles');
});
