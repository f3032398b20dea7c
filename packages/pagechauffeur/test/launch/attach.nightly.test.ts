import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Connection } from '../../src/cdp/connection.ts';
import { Driver, type LogLine } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { processesWith } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

let server: TestServer;
let owner: TestDriver;

beforeAll(async () => {
  server = await serve({
    '/leaf': '<p>leaf</p>',
    '/blocked': "<title>Blocked</title><script>setTimeout(() => alert('anybody there?'))</script>",
  });
  server.page(
    '/',
    `<title>Open before</title><iframe src="/leaf"></iframe><iframe src="${server.otherOrigin}/leaf"></iframe><button>Go</button>`,
  );
  owner = await startDriver();
});

afterAll(async () => {
  await owner?.driver.close();
  await server?.close();
});

async function attach(cdpUrl: string): Promise<{ driver: Driver; lines: LogLine[] }> {
  const lines: LogLine[] = [];
  const driver = new Driver({
    env: 'LOCAL',
    logger: (line) => lines.push(line),
    localBrowserLaunchOptions: { cdpUrl },
  });
  await driver.init();
  return { driver, lines };
}

describe('attached driver', () => {
  it('works on open pages and frames next to the driver that opened them', async () => {
    await owner.page.goto(server.origin, { waitUntil: 'load' });
    const { driver, lines } = await attach(owner.driver.connectURL());
    const [page] = driver.context.pages();
    expect(page?.url()).toBe(`${server.origin}/`);
    await page?.waitForLoadState('networkidle');
    expect((await page?.snapshot())?.text.match(/leaf/g)).toHaveLength(2);
    await page?.locator('iframe >> nth=1 >> p').click();
    expect(await owner.page.title()).toBe('Open before');
    await driver.close();
    expect(lines.map(({ message }) => message)).toEqual([
      `Attached to ${owner.driver.connectURL()}`,
      'Ready.',
      'Left the browser running.',
    ]);
    expect(await owner.page.title()).toBe('Open before');
  });

  it('opens a page if the browser has none', async () => {
    await owner.page.close();
    const { driver } = await attach(owner.driver.connectURL());
    expect(driver.context.pages()).toHaveLength(1);
    await driver.close();
    expect(owner.driver.context.pages()).toHaveLength(1);
  });

  it('logs a page that a dialog blocks and does not wait for it', async () => {
    // No driver listens: nobody closes the dialog.
    const userDataDir = await mkdtemp(join(tmpdir(), 'chauffeur-lonely-'));
    onTestFinished(() => processesWith(userDataDir).forEach((pid) => process.kill(pid, 'SIGKILL')));
    const lonely = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      keepAlive: true,
      localBrowserLaunchOptions: { userDataDir },
    });
    await lonely.init();
    const lonelyUrl = lonely.connectURL();
    await lonely.close();
    const bare = await Connection.open(lonelyUrl);
    await bare.browser.send('Target.createTarget', { url: `${server.origin}/blocked` });
    await expect
      .poll(async () => (await bare.browser.send('Target.getTargets')).targetInfos.map(({ title }) => title), {
        timeout: 10_000,
      })
      .toContain('Blocked');
    const { driver, lines } = await attach(lonelyUrl);
    expect(lines.filter(({ level }) => level === 0)).toMatchObject([
      {
        category: 'launch',
        message: expect.stringContaining(`The page ${server.origin}/blocked does not respond. It may show a dialog`),
      },
    ]);
    expect(driver.context.pages()).toHaveLength(2);
    expect(await driver.context.pages()[0]?.evaluate('location.href')).toBe('about:blank');
    expect(driver.context.activePage()).toBe(driver.context.pages()[0]);
    await driver.close();
    await bare.browser.send('Browser.close');
    bare.close();
    await expect.poll(() => processesWith(userDataDir), { timeout: 5000 }).toEqual([]);
    await rm(userDataDir, { recursive: true });
  });
});
