import { setTimeout as pause } from 'node:timers/promises';
import { insist, type Outcome, sayingOf, timeOf } from './outcome.ts';
import { begin, type Stage } from './stage.ts';

const SLOW_MS = 100;
const SHORT_MS = 3000;

/** Delays every packet in both directions. */
export async function networkSlow(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  await page.goto(stage.pages.origin);
  stage.network.delay = SLOW_MS;
  try {
    const ms = await timeOf(() => page.locator('button').click());
    return [[`network slow: ${SLOW_MS} ms each way`, 'a click succeeds, as it would without delay', ms]];
  } finally {
    stage.network.delay = 0;
    await driver.close();
  }
}

/** Cuts all connections, first for less and then for more time than the platform waits. */
export async function networkCut(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  const cut = (): void => {
    stage.network.isClosed = true;
    stage.network.cut();
  };
  const call = page.evaluate('new Promise((done) => setTimeout(() => done(42), 1000))');
  const short = await timeOf(async () => {
    cut();
    await pause(SHORT_MS);
    stage.network.isClosed = false;
    insist((await call) === 42, 'messages in flight arrive');
  });
  let seen = '';
  const long = await timeOf(async () => {
    const waiting = page.evaluate('new Promise(() => undefined)').catch(sayingOf);
    cut();
    seen = String(await waiting);
  });
  stage.network.isClosed = false;
  await driver.close();
  return [
    [`network cut for ${SHORT_MS / 1000} s`, 'messages in flight arrive once', short],
    ['network cut for good', seen, long],
  ];
}
