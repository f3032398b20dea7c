/** Opens and closes drivers, one after the other, and tells what the process holds after the first ones and after the last. */
import { getEventListeners, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Driver, type DriverOptions, type LogLine } from '../../../src/index.ts';

/** What a process holds. */
export interface Holdings {
  readonly descriptors: number;
  readonly resources: readonly string[];
  readonly listeners: Readonly<Record<string, number>>;
  readonly listenersOfSignal: number;
  readonly folders: readonly string[];
  readonly children: readonly string[];
  readonly megabytes: number;
}

/** Each way of ending a driver is used once before it is looked at what is held: modules are loaded and memory is taken then. */
const WARM_UP = 4;
/** What a closed socket and an ended process hold on to is let go a moment after. */
const GONE_MS = 1500;

const count = Number(process.argv[2]);
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<title>Shop</title><button>Save</button><iframe src="about:blank"></iframe>');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const { signal } = new AbortController();

// The first line that is written opens the standard output.
process.stdout.write('warming up\n');
for (let index = 0; index < WARM_UP; index += 1) await openAndClose(index);
process.stdout.write(`${JSON.stringify({ before: await holdings() })}\n`);
for (let index = 0; index < count; index += 1) await openAndClose(index);
process.stdout.write(`${JSON.stringify({ after: await holdings() })}\n`);
server.close();
server.closeAllConnections();

/** By turns a driver that is closed, one whose browser is killed, one that attaches to the browser of another, and one in use. */
async function openAndClose(index: number): Promise<void> {
  const lines: LogLine[] = [];
  const options: DriverOptions = {
    env: 'LOCAL',
    model: 'offline/lexical',
    logger: (line) => lines.push(line),
    signal,
  };
  const driver = new Driver(options);
  await driver.init();
  await useAll(driver);
  if (index % 4 === 1)
    process.kill(-Number(lines.findLast(({ auxiliary }) => auxiliary?.['pid'])?.auxiliary?.['pid']), 'SIGKILL');
  if (index % 4 === 2) {
    await using other = new Driver({ ...options, localBrowserLaunchOptions: { cdpUrl: driver.connectURL() } });
    await other.init();
    await useAll(other);
  }
  if (index % 4 === 3) driver.act('click Save').catch(() => undefined);
  await driver.close();
}

async function useAll(driver: Driver): Promise<void> {
  const [page] = driver.context.pages();
  for (const event of ['console', 'request', 'response', 'download'] as const) page?.on(event, () => undefined);
  await page?.goto(url);
  await driver.act('click Save');
  await driver.observe();
  await driver.extract();
  await page?.screenshot();
}

async function holdings(): Promise<Holdings> {
  await sleep(GONE_MS);
  globalThis.gc?.();
  const resources = process.getActiveResourcesInfo().toSorted();
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    resources,
    listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
    listenersOfSignal: getEventListeners(signal, 'abort').length,
    folders: readdirSync(tmpdir()),
    children: readdirSync('/proc/self/task').flatMap((task) => childrenOfTask(task)),
    megabytes: Math.round(process.memoryUsage.rss() / 1e6),
  };
}

function childrenOfTask(task: string): string[] {
  return readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean);
}
