import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents one by one. Safe to call concurrently. Does not use `mkdir` with `recursive`, which
 * never resolves for some forbidden paths, for example below `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  if ((await tryToMake(path)) !== 'no parent') return;
  await makeFolder(dirname(path));
  if ((await tryToMake(path)) === 'no parent') await mkdir(path);
}

async function tryToMake(path: string): Promise<'there' | 'no parent'> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' && dirname(path) !== path) return 'no parent';
    if (code !== 'EEXIST') throw error;
  }
  return 'there';
}
