import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { runProgram } from '../support/run-program.ts';
import type { Holdings } from './programs/open-and-close.ts';

/** MB that a process may have grown by. */
const MAX_GROWTH = 20;

/** Expects a process to hold after so many drivers what it held before. */
export async function expectNothingLeft(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chauffeur-holdings-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('NODE_OPTIONS', '--expose-gc');
  try {
    await using program = runProgram(new URL('programs/open-and-close.ts', import.meta.url), [String(count)]);
    const told = await Promise.all([program.lineWith('"before"'), program.lineWith('"after"')]);
    const [{ before }, { after }] = told.map((line) => JSON.parse(line)) as [{ before: Holdings }, { after: Holdings }];
    const { megabytes, ...held } = after;
    expect({ ...held, megabytes: 0 }).toEqual({ ...before, megabytes: 0 });
    expect(held.folders).toEqual([]);
    expect(held.children).toEqual([]);
    expect(megabytes - before.megabytes).toBeLessThan(MAX_GROWTH);
    expect(await program.ended).toBe(0);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
}
