import { runProgram } from '../../packages/pagechauffeur/test/support/run-program.ts';
import { ConnectTokens } from '../../packages/platform/src/gateway/connect-token.ts';
import { refusalOf } from '../../packages/platform/test/support/raw-client.ts';
import { endProcess, processesOf } from '../leftovers.ts';
import { insist, lossOf, type Outcome, saying, sayingOf, timeOf, timeUntil } from './outcome.ts';
import { ask, begin, handleOf, open, release, type Stage } from './stage.ts';

const MIB = 1024 * 1024;
const HOLD_SESSIONS = new URL('../../packages/pagechauffeur/test/remote/programs/hold-sessions.ts', import.meta.url);

/** Kills the process of a session's browser. */
export async function browserKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page, id } = await begin(stage);
  const { profile } = await handleOf(stage, id);
  const found = (await processesOf(stage.grid.folder)).find(({ command }) =>
    command.includes(`--user-data-dir=${profile}`),
  );
  const { seen, ms } = await lossOf(page, async () => endProcess(found?.pid ?? 0));
  await driver.close();
  return [['browser killed', seen, ms]];
}

/** The Grid ends a session and leaves the platform's sockets open. */
export async function sessionGivenUp(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page, id } = await begin(stage);
  const handle = await handleOf(stage, id);
  const { seen, ms } = await lossOf(page, () => stage.grid.ask(`/session/${handle.id}`, { method: 'DELETE' }));
  await driver.close();
  return [['the Grid dropped the session', seen, ms]];
}

/** Sends messages just below and above the size limit of a Grid. */
export async function largeMessages(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  const outcomes: Outcome[] = [];
  for (const size of [30, 31, 40]) {
    let seen = '';
    const sent = async (): Promise<void> => {
      const length = page.evaluate((text: string) => text.length, 'x'.repeat(size * MIB));
      seen = await length.then((arrived) => `arrives${arrived === size * MIB ? '' : ' in part'}`, sayingOf);
    };
    const ms = await timeOf(sent);
    insist((await page.evaluate('1')) === 1, `the session continues after ${size} MiB`);
    outcomes.push([`message of ${size} MiB and its envelope`, `${seen}; the session continues`, ms]);
  }
  await driver.close();
  return outcomes;
}

/** Requests a session while all slots are taken. */
export async function gridFull(stage: Stage, slots: number): Promise<readonly Outcome[]> {
  const opened = await Promise.all(Array.from({ length: slots }, () => begin(stage)));
  let seen = '';
  const ms = await timeOf(async () => (seen = await saying(open(stage), 'a session')));
  await Promise.all(opened.map(({ driver }) => driver.close()));
  return [['Grid full, requests wait 2 s at most', seen, ms]];
}

/** An expired token gives no access. A driver that outlives its token continues. */
export async function tokenExpired(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page, id } = await begin(stage);
  const [{ value } = {}] = await stage.database.query("SELECT value FROM secrets WHERE name = 'connect-tokens'");
  const [{ key_id: keyId } = {}] = await stage.database.query('SELECT key_id FROM sessions WHERE id = :id', { id });
  const grant = { sessionId: id, keyId: String(keyId), expiresAt: Date.now() - 1 };
  const token = new ConnectTokens(String(value)).sign(grant);
  const path = `${stage.url.replace('http', 'ws')}/v1/sessions/${id}/cdp?token=${token}`;
  let seen = '';
  const ms = await timeOf(async () => (seen = await refusalOf(path)));
  const { error } = JSON.parse(seen.slice(4)) as { readonly error: { readonly code: string } };
  const late = page.evaluate('new Promise((done) => setTimeout(() => done(7), 500))');
  stage.network.cut();
  insist((await late) === 7, 'a new token resumes a cut connection');
  await driver.close();
  return [
    ['expired token', `refused: ${seen.slice(0, 3)} \`${error.code}\`; a driver requests another automatically`, ms],
  ];
}

/** Kills a client that has two sessions, one of which is kept alive. */
export async function clientKilled(stage: Stage): Promise<readonly Outcome[]> {
  const program = runProgram(HOLD_SESSIONS, [stage.url, stage.key]);
  const [, kept = '', left = ''] = (await program.lineWith('sessions ')).split(' ');
  await program.kill();
  const statusOf = async (id: string): Promise<unknown> => (await ask(stage, { path: `/v1/sessions/${id}` }))['status'];
  const ended = await timeUntil(async () => insist((await statusOf(left)) === 'COMPLETED', 'the session has ended'));
  const begun = performance.now();
  const { driver, page } = await open(stage, { remoteSessionID: kept });
  insist((await page.evaluate('1')) === 1, 'the kept session goes on');
  const again = performance.now() - begun;
  await driver.close();
  await release(stage, kept);
  return [
    ['client killed', 'its session is `COMPLETED`: its last client left', ended],
    ['client killed, `keepAlive`', 'another driver resumes the session', again],
  ];
}
