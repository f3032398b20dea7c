import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/**
 * The temporary folder of this process. All its test files have the same, created for each: libraries keep what the
 * temporary folder was when they were loaded.
 */
export function testFolder(): string {
  // A short name: sockets of browsers stand below it, whose paths have at most 107 characters.
  folder ??= mkdtempSync(join(tmpdir(), 'ch-'));
  return folder;
}

/** Makes the temporary folder, and has everything find it that asks for one. */
export function makeTestFolder(): void {
  mkdirSync(testFolder(), { recursive: true });
  process.env['TMPDIR'] = testFolder();
}

/** Removes the temporary folder with all that a test file left in it. */
export async function removeTestFolder(): Promise<void> {
  // `rmSync` does not wait between its tries.
  await rm(testFolder(), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
