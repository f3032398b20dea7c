import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver, DriverNavigationError, type Page } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

const shared = usePlatform({ capacity: 1 });
let server: TestServer;
let driver: Driver;
let page: Page;
let asked = 0;

beforeAll(async () => {
  server = await serve({
    '/': (_request, response) => {
      asked += 1;
      response.end('<title>Inside</title>');
    },
  });
  driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    disableLoggerBackend: true,
  });
  await driver.init();
  page = firstPage(driver);
});

afterAll(async () => {
  await driver?.close();
  await server?.close();
});

describe('page on the platform', () => {
  it.each(['http', 'https'])(
    'names the policy that blocks the %s URL and the option that allows it',
    async (scheme) => {
      const failure = await failureOf(page.goto(server.origin.replace('http', scheme)));
      expect(failure).toBeInstanceOf(DriverNavigationError);
      expect(String(failure)).toContain("the platform's network policy refuses this host");
      expect(String(failure)).toContain('--allow-network 127.0.0.1/32');
      expect(asked).toBe(0);
    },
  );

  it.each([
    ['http', 'net::ERR_NAME_NOT_RESOLVED. The host name cannot be resolved.'],
    // Chromium reports the same code for all failed tunnels.
    ['https', 'net::ERR_TUNNEL_CONNECTION_FAILED. The host name cannot be resolved, no server responded, or'],
  ])('reports that the host name of an %s URL cannot be resolved', async (scheme, reason) => {
    const url = `${scheme}://no-such-host.invalid/`;
    const failure = await failureOf(page.goto(url));
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(String(failure)).toContain(`Cannot open ${url}: ${reason}`);
  });

  it('shows the reason in a page opened by a link', async () => {
    await page.setContent(`<a href="${server.origin}/">Inside</a>`);
    await page.click('a');
    await page.waitForURL(`${server.origin}/`);
    expect(await page.locator('body').textContent()).toContain('The network policy of this platform blocks 127.0.0.1');
  });

  it.each(['file:///etc/hosts', 'chrome://version'])('rejects the navigation to %s', async (url) => {
    await page.goto('data:text/html,<title>Before</title>');
    const failure = await failureOf(page.goto(url));
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(failure).toMatchObject({ url });
    expect(String(failure)).toContain(`Cannot open ${url}: the platform rejected the navigation: `);
    expect(await page.title()).toBe('Before');
  });

  it('has a viewport of 1280 × 720 by default', async () => {
    expect(await page.evaluate('[innerWidth, innerHeight]')).toEqual([1280, 720]);
  });
});
