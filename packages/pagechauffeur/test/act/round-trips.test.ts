import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Page } from '../../src/index.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const STATIC_PAGE = `<!doctype html><title>Static</title>
  <h1>Shop</h1><button id="buy" onclick="this.textContent = 'Bought'">Buy</button>
  <label>Name <input id="name"></label><p>Nothing else moves here.</p>`;

const PLAIN_PAGE = `<!doctype html><title>Plain</title>
  <script>customElements.define('x-plain', class extends HTMLElement {})</script><x-plain tabindex="0">Plain</x-plain>`;
const CUSTOM_PAGE = `${PLAIN_PAGE.replace('<x-plain', '<x-check tabindex="0"></x-check><x-plain')}<script>
  customElements.define('x-check', class extends HTMLElement {
    constructor() {
      super();
      Object.assign(this.attachInternals(), { role: 'checkbox', ariaLabel: 'Terms', ariaChecked: 'true' });
    }
  })</script>`;

let server: TestServer;
let owner: TestDriver;
let proxy: CdpProxy;
let behindProxy: TestDriver;
let model: ScriptedModel;

beforeAll(async () => {
  server = await serve({ '/': STATIC_PAGE, '/custom': CUSTOM_PAGE, '/plain': PLAIN_PAGE });
  owner = await startDriver();
  proxy = await CdpProxy.start(owner.driver.connectURL());
  model = new ScriptedModel((request) => ({
    action: { ref: refOf(request, { role: 'button' }), method: 'click', arguments: [], description: 'the Buy button' },
    twoStep: false,
    reason: '',
    candidates: [],
  }));
  behindProxy = await startDriver({ llmClient: model, localBrowserLaunchOptions: { cdpUrl: proxy.url } });
  await behindProxy.page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await behindProxy?.driver.close();
  await proxy?.[Symbol.asyncDispose]();
  await owner?.driver.close();
  await server?.close();
});

test('takes a snapshot of a static page in one round trip and queries listeners in parallel', async () => {
  await behindProxy.page.snapshot();
  proxy.start();
  await behindProxy.page.snapshot();
  expect(proxy.read()).toEqual({
    commands: ['Runtime.callFunctionOn', 'DOMDebugger.getEventListeners'],
    sequentialRoundTrips: 1,
  });
});

test('clicks by selector in two round trips: find and check, then click and settle', async () => {
  proxy.start();
  const result = await behindProxy.driver.act({
    selector: '#buy',
    description: 'the Buy button',
    method: 'click',
    arguments: [],
  });
  expect(result.success).toBe(true);
  expect(proxy.read()).toEqual({
    commands: [
      'Runtime.callFunctionOn',
      'Input.dispatchMouseEvent',
      'Input.dispatchMouseEvent',
      'Input.dispatchMouseEvent',
      'Runtime.callFunctionOn',
    ],
    sequentialRoundTrips: 2,
  });
});

test('fills a field in two round trips, not counting the parallel listener query', async () => {
  await hasEnded();
  proxy.start({ beside: ['Runtime.evaluate', 'DOMDebugger.getEventListeners', 'Runtime.releaseObjectGroup'] });
  await behindProxy.driver.act({ selector: '#name', description: 'the name', method: 'fill', arguments: ['Ada'] });
  const { commands, sequentialRoundTrips } = proxy.read();
  expect(sequentialRoundTrips).toBe(2);
  expect(commands).toContain('DOMDebugger.getEventListeners');
  expect(await behindProxy.page.locator('#name').inputValue()).toBe('Ada');
});

test('runs a first instruction on a static page with one model call and four round trips', async () => {
  await reload();
  const asked = model.requests.length;
  proxy.start();
  const result = await behindProxy.driver.act('buy it');
  expect(result).toMatchObject({
    success: true,
    effect: 'changed',
    actions: [{ selector: 'xpath=/html[1]/body[1]/button[1]', method: 'click' }],
  });
  expect(model.requests.length - asked).toBe(1);
  // Settle, the snapshot, then the click's two.
  expect(proxy.read().sequentialRoundTrips).toBe(4);
});

test('takes the first snapshot of a loaded document in one round trip', async () => {
  await reload();
  proxy.start();
  await behindProxy.page.snapshot();
  expect(proxy.read().sequentialRoundTrips).toBe(1);
});

test('takes the first snapshot in three round trips if the document before was not read', async () => {
  await reload();
  await behindProxy.page.reload({ waitUntil: 'load' });
  await hasEnded();
  proxy.start();
  await behindProxy.page.snapshot();
  expect(proxy.read().sequentialRoundTrips).toBe(3);
});

test('takes the first snapshot of a page in three round trips', async () => {
  const page = await behindProxy.driver.context.newPage();
  await page.goto(server.origin, { waitUntil: 'load' });
  await hasEnded(page);
  proxy.start();
  expect((await page.snapshot()).text).toContain('button "Buy"');
  expect(proxy.read().sequentialRoundTrips).toBe(3);
  await page.close();
});

test('takes the first snapshot of a page with custom elements in three round trips, and later ones in one', async () => {
  const page = await behindProxy.driver.context.newPage();
  await page.goto(`${server.origin}/custom`, { waitUntil: 'load' });
  await hasEnded(page);
  proxy.start();
  expect((await page.snapshot()).text).toBe('e1 checkbox "Terms" checked\ne2 generic "Plain"');
  expect(proxy.read().sequentialRoundTrips).toBeLessThanOrEqual(3);
  proxy.start();
  await page.snapshot();
  const { commands, sequentialRoundTrips } = proxy.read();
  expect(sequentialRoundTrips).toBe(1);
  expect(commands.filter((command) => command.startsWith('Accessibility.'))).toHaveLength(1);
  await page.close();
});

test('does not read the internals of plain custom elements again', async () => {
  const page = await behindProxy.driver.context.newPage();
  await page.goto(`${server.origin}/plain`, { waitUntil: 'load' });
  await page.snapshot();
  await hasEnded(page);
  proxy.start();
  await page.snapshot();
  expect(proxy.read()).toEqual({
    commands: ['Runtime.callFunctionOn', 'DOMDebugger.getEventListeners'],
    sequentialRoundTrips: 1,
  });
  await page.close();
});

/** Waits until the listeners and closed roots of the new document were queried. */
async function reload(): Promise<void> {
  await behindProxy.page.snapshot();
  proxy.start();
  await behindProxy.page.reload({ waitUntil: 'load' });
  await vi.waitFor(() => expect(proxy.read().commands).toContain('DOMDebugger.getEventListeners'));
  await hasEnded();
}

/** Waits for what earlier calls and the load have started. */
async function hasEnded(page: Page = behindProxy.page): Promise<void> {
  for (let trips = 0; trips < 5; trips += 1) await page.locator('button').count();
}
