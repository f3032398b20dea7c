import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withTimeout } from '../../src/util/with-timeout.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn } from '../support/launched-driver.ts';
import { processesWith, profileOf } from '../support/processes.ts';
import { useBrowser } from '../support/use-browser.ts';

const shared = useBrowser({ routes: { '/': '<button hidden>Buy</button>' } });

/** This process does nothing else for so many milliseconds. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Nothing moves for so many milliseconds, neither this process nor the browser; the clocks go on, as on a machine that is halted. */
function halt(ms: number): void {
  const pids = processesWith(profileOf(browserIn(shared.lines)));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  block(ms);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}

it('evaluate() returns an answer that arrived in time while this process was blocked', async () => {
  const { page, server } = shared;
  await page.goto(server.origin);
  const answer = page.evaluate('new Promise((done) => setTimeout(done, 200, "in time"))', undefined, { timeout: 2000 });
  await page.title();
  block(2200);
  expect(await answer).toBe('in time');
});

it.each([
  ['before the timeout', 50],
  ['after the timeout on a busy page', 400],
])('click() reports why the element is not actionable when the machine halts %s', async (_when, after) => {
  const { page, server } = shared;
  await page.goto(server.origin);
  await page.evaluate('setTimeout(() => { for (const end = Date.now() + 800; Date.now() < end; ); }, 100) && 0');
  const failure = failureOf(page.locator('button').click({ timeout: 200 }));
  await pause(after);
  halt(1500);
  expect(await failure).toMatchObject({ code: 'CLICK', message: expect.stringContaining('it is hidden') });
});

it('withTimeout() returns an answer that arrived in time while this process was blocked', async () => {
  const { page, server } = shared;
  await page.goto(server.origin);
  const answer = withTimeout(2000, page.evaluate('new Promise((done) => setTimeout(done, 200, "in time"))'));
  await page.title();
  block(2200);
  expect(await answer).toBe('in time');
});
