import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endLeftovers } from './leftovers.ts';

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leftovers-'));
});

afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

async function startSleeper(milliseconds: number): Promise<ChildProcess> {
  child = spawn(process.execPath, ['-e', `console.log('up'); setTimeout(() => {}, ${milliseconds})`], {
    env: { TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

it('ends and names a process left behind by a run', async () => {
  const sleeper = await startSleeper(60_000);
  const exit = once(sleeper, 'exit');
  const found = await endLeftovers(folder, 0);
  expect(found).toEqual([expect.stringContaining(`process ${sleeper.pid}: ${process.execPath}`)]);
  expect(await exit).toEqual([null, 'SIGKILL']);
});

it('gives an exiting process time to exit', async () => {
  await startSleeper(600);
  expect(await endLeftovers(folder, 20_000)).toEqual([]);
});

it('reports and removes browser profiles, and silently removes other files', async () => {
  await mkdir(join(folder, 'profile'));
  await writeFile(join(folder, 'profile/Local State'), '{}');
  await mkdir(join(folder, 'chauffeur-x'));
  await mkdir(join(folder, 'other'));
  const found = await endLeftovers(folder, 0);
  expect(found.toSorted()).toEqual([`profile ${join(folder, 'chauffeur-x')}`, `profile ${join(folder, 'profile')}`]);
  expect(existsSync(folder)).toBe(false);
});
