import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver, type Page } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { LOWEST_CONTRAST } from '../support/lowest-contrast.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

const shared = usePlatform({ allowNetworks: ['127.0.0.1'] });
/** The browser of whoever looks at the dashboard. */
const person = useBrowser();
const LINKS = `<title>Bills</title><a href="/bill" download>Bill</a><a href="/endless" download>Endless</a>
  <a download="${'long '.repeat(40)}" href="data:text/plain,long">Long</a>`;

let server: TestServer;
let worker: Driver;
let bills: Page;
/** The page of the person. */
let view: Page;
/** A name as no page could choose it in a browser that looks at names. */
const HARMFUL = '<img src=x onerror=document.title=1>';

beforeAll(async () => {
  server = await serve({
    '/bill': (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="bill.txt"' }).end('42 Euro'),
    '/endless': (_request, response) =>
      void response.writeHead(200, { 'content-disposition': 'attachment; filename="endless"' }).write('x'.repeat(2048)),
  });
  worker = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    disableLoggerBackend: true,
  });
  await worker.init();
  bills = firstPage(worker);
  await bills.goto(server.page('/bills', LINKS));
  view = person.page;
});

afterAll(async () => {
  await worker?.close();
  await server?.close();
});

const list = (): Promise<string> => view.getByRole('region', { name: 'Downloads' }).innerText();

async function look(address: string | undefined): Promise<void> {
  await view.goto('about:blank');
  await view.goto((address ?? '').replace('/debug#', '#'));
  await view.waitForSelector('canvas[data-pictures]');
}

async function download(name: string): Promise<void> {
  const begun = bills.waitForEvent('download');
  await bills.getByText(name, { exact: true }).click();
  await begun;
}

/** Has the browser say that a download with this name begins. */
function tell(suggestedFilename: string): void {
  const params = { guid: suggestedFilename, suggestedFilename };
  const session = shared.platform.sessionManager.live.get(worker.remoteSessionID ?? '');
  session?.downloads.note(JSON.stringify({ method: 'Browser.downloadWillBegin', params }));
}

it('lists downloads as they arrive, for users who may take over', async () => {
  await look(worker.remoteDebugURL);
  expect(await list()).toContain('No downloads yet');
  await download('Bill');
  await expect.poll(list).toMatch(/bill\.txt\s+7 B/);
  await download('Endless');
  await expect.poll(list).toMatch(/endless\s+[\d.]+ K?i?B so far\s+bill\.txt/);
  const link = view.getByRole('link', { name: 'bill.txt' });
  const [given] = await Promise.all([view.waitForEvent('download'), link.click()]);
  expect(given.suggestedFilename()).toBe('bill.txt');
  expect(await readFile(await given.path(), 'utf8')).toBe('42 Euro');
  expect(await view.getByRole('link', { name: 'endless' }).count()).toBe(0);
});

it('shows only names to read-only users', async () => {
  await look(worker.remoteSessionURL);
  await expect.poll(list).toContain('bill.txt');
  expect(await view.getByRole('link', { name: 'bill.txt' }).count()).toBe(0);
  const statuses = await view.evaluate(`(async () => {
    const path = location.pathname.replace('/sessions', '/v1/sessions') + '/downloads';
    const { downloads, mayFetch } = await (await fetch(path)).json();
    return [mayFetch, (await fetch(path + '/' + downloads[0].name)).status, (await fetch(path + '?limit=1001')).status];
  })()`);
  expect(statuses).toEqual([false, 403, 400]);
});

it('shows names as text without overflowing a phone, in light and dark', async () => {
  await download('Long');
  tell(HARMFUL);
  await view.setViewportSize(390, 844);
  for (const value of ['light', 'dark']) {
    await view.sendCDP('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    await look(worker.remoteDebugURL);
    await expect.poll(list).toContain(HARMFUL);
    expect(await view.evaluate('document.querySelectorAll("main img").length')).toBe(0);
    expect(await view.evaluate('document.title')).toMatch(/^Session/);
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await view.evaluate(LOWEST_CONTRAST)).toBeGreaterThan(4.5);
  }
  await view.setViewportSize(1280, 720);
});

it('shows the last 50 downloads and none after the browser ended', async () => {
  for (let number = 0; number < 60; number += 1) tell(`${number}.csv`);
  await look(worker.remoteDebugURL);
  await expect.poll(list).toMatch(/^Downloads\s+59\.csv[^]*10\.csv\s+0 B so far\s+Only the last 50 are shown\.$/);
  await worker.close();
  await expect.poll(list).toMatch(/^Downloads\s+The downloads were removed with the browser\.$/);
});
