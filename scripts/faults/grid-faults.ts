import { readdir } from 'node:fs/promises';
import { DriverClosedError } from '../../packages/pagechauffeur/src/index.ts';
import { insist, lossOf, type Outcome, saying, sayingOf, timeOf, timeUntil } from './outcome.ts';
import { begin, open, type Stage } from './stage.ts';

/** Number of sessions requested at once. */
const AT_ONCE = 4;

async function nextSession(stage: Stage): Promise<void> {
  const { driver } = await open(stage);
  await driver.close();
}

/** Kills the part that assigns sessions to nodes. */
export async function distributorKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  await stage.grid.kill('distributor');
  insist((await page.evaluate('6 * 7')) === 42, 'sessions continue without a distributor');
  let seen = '';
  const ms = await timeOf(async () => (seen = await saying(nextSession(stage), 'begins')));
  stage.grid.start('distributor');
  const back = await timeUntil(() => nextSession(stage));
  await driver.close();
  return [
    ['distributor killed', `sessions continue; a new one: ${seen}`, ms],
    ['… started again', 'the next session begins', back],
  ];
}

/**
 * Kills the router, through which the platform reaches all browsers. The driver that lost its session is closed, as in
 * `finally`, before another resumes it.
 */
export async function routerKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page, id } = await begin(stage);
  await page.evaluate('window.mark = 7');
  const call = page.evaluate('new Promise(() => undefined)').catch((error: unknown) => error);
  let seen: unknown;
  const ms = await timeOf(async () => {
    await stage.grid.kill('router');
    seen = await call;
  });
  insist(seen instanceof DriverClosedError && seen.canResume, 'the error says that the session can be resumed');
  await driver.close();
  stage.grid.start('router');
  const back = await timeUntil(async () => {
    const again = await open(stage, { remoteSessionID: id });
    insist((await again.page.evaluate('window.mark')) === 7, 'the page is as it was');
    await again.driver.close();
  });
  return [
    ['router killed, then the driver closed', `${sayingOf(seen)} \`canResume\` is true`, ms],
    ['… started again', 'the session continues with its page unchanged, without `keepAlive`', back],
  ];
}

/** Kills one of two nodes. The Grid counts its slots until its health check notices. */
export async function otherNodeKilled(stage: Stage): Promise<readonly Outcome[]> {
  stage.grid.start('node-2');
  await stage.grid.ready(true, 2);
  const [longQueue] = stage.longQueue;
  await longQueue.start();
  await stage.grid.kill('node-2');
  const begun = Array.from({ length: AT_ONCE }, () => saying(nextSession({ ...stage, url: longQueue.url }), 'begins'));
  let seen: readonly string[] = [];
  const ms = await timeOf(async () => (seen = await Promise.all(begun)));
  await longQueue.leave();
  insist(
    seen.every((said) => said === 'begins'),
    `all begin on the other node: ${seen.join(', ')}`,
  );
  return [[`one of two nodes killed, ${AT_ONCE} sessions requested at once`, 'all begin on the other node', ms]];
}

/** Freezes one of two nodes. The Grid still counts its slots. */
export async function otherNodeFrozen(stage: Stage): Promise<readonly Outcome[]> {
  stage.grid.start('node-2');
  await stage.grid.ready(true, 2);
  // The Grid prefers the node with fewer sessions, so each has one.
  const opened = [await begin(stage), await begin(stage)];
  const calls = opened.map(({ page }) => page.evaluate('new Promise(() => undefined)').catch(sayingOf));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => stage.grid.thaw('node-2'));
  await stage.grid.freeze('node-2');
  let seen: unknown;
  let told = 0;
  const loss = timeOf(async () => (seen = await Promise.race(calls))).then((ms) => (told = ms));
  const created = await timeOf(() => nextSession(stage));
  await loss;
  const answers = await Promise.all(opened.map(({ page }) => page.evaluate('6 * 7').catch(() => 'lost')));
  insist(
    answers.map(String).toSorted().join() === '42,lost',
    `the session of the other node continues: ${answers.join()}`,
  );
  await stage.grid.thaw('node-2');
  await Promise.all(opened.map(({ driver }) => driver.close()));
  return [
    ['one of two nodes frozen, with one of two sessions', String(seen), told],
    ['… a session requested meanwhile', 'begins on the other node', created],
  ];
}

/** Checks that sessions that end normally leave no folder on their node. */
export async function foldersLeft(stage: Stage): Promise<readonly Outcome[]> {
  const folders = async (): Promise<number> =>
    (await readdir(stage.grid.folder)).filter((name) => name.startsWith('org.chromium')).length;
  const before = await folders();
  const ms = await timeOf(() => Promise.all(Array.from({ length: AT_ONCE }, () => nextSession(stage))));
  await timeUntil(async () => insist((await folders()) === before, 'no folder is left'));
  return [[`${AT_ONCE} sessions end normally`, 'no folder remains on the node', ms]];
}

/** Kills the node that runs all browsers. */
export async function nodeKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  const { seen, ms } = await lossOf(page, () => stage.grid.kill('node'));
  await driver.close();
  // Simulates a container, which ends all processes of the node and restarts it.
  await stage.grid.endOrphans();
  stage.grid.start('node');
  const back = await timeUntil(() => nextSession(stage));
  return [
    ['node killed', seen, ms],
    ['… started again', 'the next session begins', back],
  ];
}
