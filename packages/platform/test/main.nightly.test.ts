import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Driver } from '../../pagechauffeur/src/index.ts';
import { processesWith } from '../../pagechauffeur/test/support/processes.ts';
import { runProgram } from '../../pagechauffeur/test/support/run-program.ts';

const PROGRAM = new URL('../src/main.ts', import.meta.url);

it('prints a first key, logs no secrets, and ends its browsers on SIGTERM', async () => {
  const data = join(await mkdtemp(join(tmpdir(), 'main-')), 'data');
  const args = ['--port', '0', '--data', data, '--log-level', 'trace', '--allow-no-sandbox'];
  const errors: string[] = [];
  await using program = runProgram(PROGRAM, args, { errors });
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
  const page = driver.context.pages()[0];
  await page?.goto('data:text/html,<input type=password>');
  await page?.locator('input').fill('typed-secret');
  const refused = await fetch(`${url}/v1/sessions?apiKey=${key}`, { headers: { 'x-api-key': `${key}x` } });
  expect(refused.status).toBe(401);
  await driver.close();
  process.kill(program.pid, 'SIGTERM');
  expect(await program.ended).toBe(0);
  // They exit a moment later on a busy machine.
  await expect.poll(ofBrowsers).toEqual([]);
  const log = errors.join('');
  expect(log).toContain('"msg":"session created"');
  for (const secret of [key.slice(-43), 'token=', 'view=', 'apiKey=', 'typed-secret'])
    expect(log).not.toContain(secret);
});

it('exits with the reason for an invalid `--port`', async () => {
  const errors: string[] = [];
  await using program = runProgram(PROGRAM, ['--port', 'x'], { errors });
  expect(await program.ended).toBe(1);
  // It may exit before all output has arrived.
  await expect.poll(() => errors.join('')).toBe('--port must be a non-negative integer. Received "x".\n');
});

it.each([
  ['CHAUFFEUR_DATABASE', [], { CHAUFFEUR_DATABASE: 'postgres://127.0.0.1:9/none' }],
  ['--database', ['--database', 'postgres://127.0.0.1:9/none'], {}],
])('does not start with both --data and %s, and creates no file', async (name, args, environment) => {
  const data = join(await mkdtemp(join(tmpdir(), 'main-')), 'data');
  const errors: string[] = [];
  await using program = runProgram(PROGRAM, ['--port', '0', '--data', data, ...args], { errors, environment });
  expect(await program.ended).toBe(1);
  await expect.poll(() => errors.join('')).toBe(`Found two stores: --data and ${name}. Pass only one.\n`);
  await expect(stat(data)).rejects.toThrow('ENOENT');
});
