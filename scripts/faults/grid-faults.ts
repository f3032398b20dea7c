import { insist, lossOf, type Outcome, saying, timeOf, timeUntil } from './outcome.ts';
import { begin, open, release, type Stage } from './stage.ts';

async function nextSession(stage: Stage): Promise<void> {
  const { driver } = await open(stage);
  await driver.close();
}

/** What gives sessions their places. */
export async function distributorKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  await stage.grid.kill('distributor');
  insist((await page.evaluate('6 * 7')) === 42, 'sessions go on without a distributor');
  let seen = '';
  const ms = await timeOf(async () => (seen = await saying(nextSession(stage), 'begins')));
  stage.grid.start('distributor');
  const back = await timeUntil(() => nextSession(stage));
  await driver.close();
  return [
    ['distributor killed', `sessions go on; a new one: ${seen}`, ms],
    ['… started again', 'the next session begins', back],
  ];
}

/** The way from the platform to all browsers. */
export async function routerKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page, id } = await begin(stage, { keepAlive: true });
  await page.evaluate('window.mark = 7');
  const { seen, ms } = await lossOf(page, () => stage.grid.kill('router'));
  await driver.close();
  stage.grid.start('router');
  const back = await timeUntil(async () => {
    const again = await open(stage, { remoteSessionID: id });
    insist((await again.page.evaluate('window.mark')) === 7, 'the page is as it was');
    await again.driver.close();
  });
  await release(stage, id);
  return [
    ['router killed', seen, ms],
    ['… started again', 'the session goes on with its page as it was', back],
  ];
}

/** The machine of all browsers. */
export async function nodeKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  const { seen, ms } = await lossOf(page, () => stage.grid.kill('node'));
  await driver.close();
  // As its container would.
  await stage.grid.endOrphans();
  stage.grid.start('node');
  const back = await timeUntil(() => nextSession(stage));
  return [
    ['node killed', seen, ms],
    ['… started again', 'the next session begins', back],
  ];
}
