import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Page } from '../../src/index.ts';
import { launchedDriver } from '../support/launched-driver.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

const XVFB = '/usr/bin/Xvfb';
const SIZE = '[innerWidth, innerHeight]';

function isInstalled(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A display that nobody sees, named as `DISPLAY` names it. */
async function startDisplay(): Promise<AsyncDisposable & { readonly name: string }> {
  const server = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '1200x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const pipe = server.stdio[3];
  if (!pipe || !('read' in pipe)) throw new TypeError('the display has no pipe for its number');
  const [number] = (await once(createInterface({ input: pipe }), 'line')) as [string];
  const end = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  };
  return { name: `:${number}`, [Symbol.asyncDispose]: end };
}

/** The targets that show DevTools, of which users see nothing. */
async function toolWindows(page: Page): Promise<number> {
  const { targetInfos } = (await page.sendCDP('Target.getTargets', { filter: [{}] })) as {
    targetInfos: { url: string }[];
  };
  return targetInfos.filter(({ url }) => url.startsWith('devtools://')).length;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('headless', () => {
  it('with true needs no display, keeps the size of --window-size and opens no DevTools', async () => {
    vi.stubEnv('DISPLAY', undefined);
    await using launched = await launchedDriver({ headless: true, devtools: false, args: ['--window-size=900,700'] });
    const { page, driver } = launched;
    expect(await page.evaluate('navigator.userAgent')).toContain('Headless');
    expect(await page.evaluate('innerWidth')).toBe(900);
    expect(await (await driver.context.newPage()).evaluate('innerWidth')).toBe(900);
    await page.goto('data:text/html,<p>x</p>');
    expect(await toolWindows(page)).toBe(0);
  });

  // [spec: launch-options.headless]
  it.skipIf(!isInstalled(XVFB))('with false opens a window that takes clicks and screenshots', async () => {
    await using display = await startDisplay();
    vi.stubEnv('DISPLAY', display.name);
    {
      await using launched = await launchedDriver({ headless: false, viewport: { width: 500, height: 400 } });
      expect(launched.line.filter((argument) => argument.startsWith('--headless'))).toEqual([]);
      expect(launched.line).not.toContain('--hide-scrollbars');
      expect(launched.driver.context.pages()).toHaveLength(1);
      await launched.page.goto('data:text/html,<button onclick="document.title = event.isTrusted">Go</button>');
      await launched.page.click('button');
      expect(await launched.page.title()).toBe('true');
      expect(await launched.page.evaluate('navigator.userAgent')).not.toContain('Headless');
      expect(await launched.page.evaluate(SIZE)).toEqual([500, 400]);
      expect((await launched.page.screenshot()).length).toBeGreaterThan(100);
    }
  });
});

describe('viewport', () => {
  // [spec: launch-options.viewport]
  it('is the size of every page and popup, and persists through navigations', async () => {
    await using launched = await launchedDriver({ viewport: { width: 390, height: 844 } });
    const { page, driver, line } = launched;
    expect([page.url(), driver.context.activePage()]).toEqual(['about:blank', page]);
    expect(driver.context.pages()).toEqual([page]);
    expect(line).toContain('--window-size=390,844');
    expect(await page.evaluate(SIZE)).toEqual([390, 844]);
    await page.goto('data:text/html,<button onclick="window.open(\'about:blank\')">Open</button>');
    expect(await page.evaluate(SIZE)).toEqual([390, 844]);
    await page.click('button');
    await expect.poll(() => driver.context.pages()).toHaveLength(2);
    expect(await driver.context.pages()[1]?.evaluate(SIZE)).toEqual([390, 844]);
    expect(await (await driver.context.newPage()).evaluate(SIZE)).toEqual([390, 844]);
  });

  it('is 1280 × 720 by default, and popups get the size they request', async () => {
    await using launched = await launchedDriver({});
    const { page, driver } = launched;
    expect(await page.evaluate(SIZE)).toEqual([1280, 720]);
    await page.goto('data:text/html,<title>Opener</title>');
    const open = async (features: string): Promise<unknown> => {
      const popup = page.waitForEvent('popup');
      await page.evaluate(`void window.open('about:blank', '', '${features}')`);
      return (await popup).evaluate(SIZE);
    };
    expect(await open('')).toEqual([1280, 720]);
    expect(await open('width=400,height=300')).toEqual([400, 300]);
    expect(await open('popup')).toEqual([1280, 720]);
    expect(await open('width=640,height=480,left=10')).toEqual([640, 480]);
    const count = driver.context.pages().length;
    await page.evaluate(`void window.open('about:blank', '', 'noopener,width=500,height=200')`);
    await expect.poll(() => driver.context.pages()).toHaveLength(count + 1);
    expect(await driver.context.pages().at(-1)?.evaluate(SIZE)).toEqual([500, 200]);
  });

  it.each([
    [1, 1],
    [3000, 2000],
  ])('accepts %i × %i', async (width, height) => {
    await using launched = await launchedDriver({ viewport: { width, height } });
    expect(await launched.page.evaluate(SIZE)).toEqual([width, height]);
  });
});

describe('devtools', () => {
  // [spec: launch-options.devtools]
  it('opens DevTools for each page without listing them in pages()', async () => {
    await using launched = await launchedDriver({ devtools: true });
    const { driver, page } = launched;
    expect([page.url(), driver.context.activePage()]).toEqual(['about:blank', page]);
    expect(driver.context.pages()).toEqual([page]);
    await expect.poll(() => toolWindows(page)).toBeGreaterThan(0);
    const before = await toolWindows(page);
    const second = await driver.context.newPage('data:text/html,<title>Second</title>');
    await expect.poll(() => toolWindows(page)).toBeGreaterThan(before);
    expect(driver.context.pages()).toEqual([page, second]);
    expect(await second.title()).toBe('Second');
  });
});
