import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Driver } from '../../chauffeur/src/index.ts';
import { processesWith } from '../../chauffeur/test/support/processes.ts';
import { runProgram } from '../../chauffeur/test/support/run-program.ts';

const PROGRAM = new URL('../src/main.ts', import.meta.url);

it('starts with nothing said, shows a key once, and ends its browsers when it is told to', async () => {
  const data = join(await mkdtemp(join(tmpdir(), 'main-')), 'data');
  const args = ['--port', '0', '--data', data, '--log-level', 'silent'];
  await using first = runProgram(PROGRAM, args);
  const url = (await first.lineWith('Platform at ')).replace('Platform at ', '');
  const key = (await first.lineWith('REMOTE_API_KEY=')).replace('REMOTE_API_KEY=', '');
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  const driver = new Driver({
    env: 'REMOTE',
    remoteBaseURL: url,
    apiKey: key,
    keepAlive: true,
    disableLoggerBackend: true,
  });
  await driver.init();
  const ofBrowsers = (): number[] => processesWith(join(tmpdir(), 'chauffeur-profile-'));
  expect(ofBrowsers()).not.toEqual([]);
  await driver.close();
  process.kill(first.pid, 'SIGTERM');
  expect(await first.ended).toBe(0);
  expect(ofBrowsers()).toEqual([]);

  await using second = runProgram(PROGRAM, args);
  const again = (await second.lineWith('Platform at ')).replace('Platform at ', '');
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${again}/v1/sessions`, { headers });
  const { sessions } = (await response.json()) as { sessions: readonly { status: string }[] };
  expect(sessions.map(({ status }) => status)).toEqual(['COMPLETED']);
});

it.each([[['--port', 'x']], [['--allow-network', '10.0.0.0/99']], [['--nonsense']]])(
  'does not start with %j',
  async (args) => {
    await using program = runProgram(PROGRAM, [...args, '--data', join(tmpdir(), 'none')], { quiet: true });
    expect(await program.ended).toBe(1);
  },
);
