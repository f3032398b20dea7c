import { setTimeout as pause } from 'node:timers/promises';
import { startPlatformProcess } from '../platform-process.ts';
import { openRawPage } from '../raw-page.ts';
import { familyOf, memoryOf, processorTime } from './process-cost.ts';
import { inTurns, spread, Tenant } from './tenant.ts';

const SESSIONS = 12;
const AT_ONCE = 2;
const COMMANDS = 50;
const SETTLE_MS = 5000;

/**
 * Measures a server and its machine under sessions with real browsers, each with an empty page. One line per figure.
 */
export async function loadReal(): Promise<readonly (readonly string[])[]> {
  await using platform = await startPlatformProcess(['--capacity', String(SESSIONS), '--warm', '0']);
  const tenant = new Tenant(platform.url, platform.key);
  await tenant.release((await tenant.create()).id);
  const server = [platform.pid];
  const before = memoryOf(server);
  const spent = processorTime(server);
  const sessions = await inTurns(Array.from({ length: SESSIONS }), AT_ONCE, () => tenant.create());
  const started = processorTime(server) - spent;
  const pages = await inTurns(sessions, AT_ONCE, ({ connectUrl }) => openRawPage(connectUrl));
  await pause(SETTLE_MS);
  const ofServer = memoryOf(server) - before;
  const browsers = familyOf(platform.pid).filter((pid) => pid !== platform.pid);
  const ofBrowsers = memoryOf(browsers);
  const times = await Promise.all(pages.map(timeCommands));
  for (const page of pages) page[Symbol.dispose]();
  const name = `${SESSIONS} real, one server`;
  return [
    [name, `create a session, ${AT_ONCE} at a time: median, 95th percentile`, spread(sessions.map(({ ms }) => ms))],
    [name, 'CPU time to create a session, mostly to start the browser', `${Math.round(started / SESSIONS)} ms`],
    [name, `command while ${SESSIONS} clients send`, spread(times.flat())],
    [name, 'server memory per session with one client', `${(ofServer / SESSIONS).toFixed(2)} MB`],
    [name, 'memory of a browser with its watchdog', `${Math.round(ofBrowsers / SESSIONS)} MB`],
  ];
}

async function timeCommands(page: Awaited<ReturnType<typeof openRawPage>>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < COMMANDS; count++) {
    const begun = performance.now();
    await page.evaluate(1);
    times.push(performance.now() - begun);
  }
  return times;
}
