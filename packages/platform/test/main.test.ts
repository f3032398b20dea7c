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
  await using program = runProgram(PROGRAM, args);
  const url = (await program.lineWith('Platform at ')).replace('Platform at ', '');
  const key = (await program.lineWith('REMOTE_API_KEY=')).replace('REMOTE_API_KEY=', '');
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
  process.kill(program.pid, 'SIGTERM');
  expect(await program.ended).toBe(0);
  // They have been told to end; a busy machine takes a moment to do it.
  await expect.poll(ofBrowsers).toEqual([]);
});

it('does not start with a wrong option', async () => {
  const args = ['--port', 'x', '--data', join(tmpdir(), 'none')];
  await using program = runProgram(PROGRAM, args, { quiet: true });
  expect(await program.ended).toBe(1);
});
