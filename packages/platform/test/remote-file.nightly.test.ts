import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Driver, type Page } from '../../pagechauffeur/src/index.ts';
import { firstPage } from '../../pagechauffeur/test/support/driver-for-test.ts';
import { serve, type TestServer } from '../../pagechauffeur/test/support/serve.ts';
import { testFolder } from '../../pagechauffeur/test/support/test-folder.ts';
import { openRemoteFile } from '../src/browsers/grid/remote-file.ts';
import { usePlatform } from './support/use-platform.ts';

/** A page that keeps navigating. */
const RESTLESS = `<script>
  const loads = Number(sessionStorage.loads ?? 0) + 1;
  sessionStorage.loads = loads;
  if (loads < 100) location.reload();
  else document.title = 'At rest';
</script>`;

const shared = usePlatform({ capacity: 1, allowNetworks: ['127.0.0.1'] });
let server: TestServer;
let driver: Driver;
let page: Page;
let url: string;
let path: string;

beforeAll(async () => {
  server = await serve();
  driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    disableLoggerBackend: true,
  });
  await driver.init();
  page = firstPage(driver);
  url = shared.platform.sessionManager.live.get(driver.remoteSessionID ?? '')?.browser.url ?? '';
  path = join(testFolder(), 'bill.txt');
  await writeFile(path, '42 Euro');
});

afterAll(async () => {
  await driver?.close();
  await server?.close();
});

async function read(name = path): Promise<string | undefined> {
  const file = await openRemoteFile(url, name);
  return file && text(file.content);
}

it('reads a file on the machine of the browser, and returns `undefined` for a missing one', async () => {
  expect(await read()).toBe('42 Euro');
  expect(await read(`${path}.none`)).toBeUndefined();
});

it('leaves no connection open if nobody reads the file', async () => {
  const file = await openRemoteFile(url, path);
  expect(file?.size).toBe(7);
  // The leak check reports sockets that stay open.
  file?.content.destroy();
});

it('reads a file while the only page keeps navigating', async () => {
  await page.goto(server.page('/restless', RESTLESS), { waitUntil: 'commit' }).catch(() => undefined);
  let title = '';
  for (; title !== 'At rest'; title = await page.title()) expect(await read()).toBe('42 Euro');
});
