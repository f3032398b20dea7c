import { describe, expect, it } from 'vitest';
import { DriverClosedError } from '../../src/index.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();
const test = useBrowser({
  localBrowserLaunchOptions: { viewport: { width: 640, height: 480 } },
  routes: { '/': '<title>Shop</title><h1>Shop</h1>' },
});

describe('page right after context.newPage()', () => {
  it('has a URL and one frame before its process responds', async () => {
    const page = await test.driver.context.newPage();
    expect(page.url()).toBe('about:blank');
    expect(page.frames()).toEqual([page.mainFrame()]);
    await page.close();
  });

  it.each([
    ['of a site', () => `${test.server.origin}/`, 'Shop'],
    ['that another process serves', () => 'chrome://version', 'About Version'],
  ])('opens a URL %s and waits for `load`', async (_, url, title) => {
    const page = await test.driver.context.newPage();
    await page.goto(url(), { waitUntil: 'load' });
    expect(await page.title()).toBe(title);
    await page.close();
  });

  it('has the viewport size in its first screenshot', async () => {
    const page = await test.driver.context.newPage();
    const picture = await page.screenshot();
    // The header of a PNG names its width and height.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([640, 480]);
    await page.close();
  });

  it('runs `evaluate()`, `setContent()` and a locator in call order', async () => {
    const page = await test.driver.context.newPage();
    const answers = await Promise.all([
      page.evaluate('document.URL'),
      page.setContent('<button>Go</button>'),
      page.locator('button').textContent(),
    ]);
    expect(answers).toEqual(['about:blank', undefined, 'Go']);
    await page.close();
  });

  it('runs init scripts in its first document', async () => {
    const page = await test.driver.context.newPage();
    await page.addInitScript(() => Object.assign(globalThis, { wasFirst: true }));
    await page.goto(test.server.origin);
    expect(await page.evaluate('wasFirst')).toBe(true);
    await page.close();
  });

  it('closes immediately and settles a pending `evaluate()`', async () => {
    const page = await test.driver.context.newPage();
    const answer = page.evaluate('1 + 1').catch((error: unknown) => error);
    await page.close();
    expect([2, 'DriverClosedError']).toContain(nameOf(await answer));
    expect(test.driver.context.pages()).not.toContain(page);
  });
});

function nameOf(answer: unknown): unknown {
  return answer instanceof DriverClosedError ? answer.name : answer;
}
