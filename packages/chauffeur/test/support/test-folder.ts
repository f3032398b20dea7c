import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is open for a moment longer is removed by a later try. */
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;

let folder: string | undefined;

/**
 * The temporary folder of this process. All its test files have the same: libraries keep what the temporary folder was
 * when they were loaded.
 */
export function testFolder(): string {
  if (folder !== undefined) return folder;
  // A short name: sockets of browsers stand below it, whose paths have at most 107 characters.
  const made = mkdtempSync(join(tmpdir(), 'ch-'));
  process.env['TMPDIR'] = made;
  process.once('exit', () => rmSync(made, REMOVE));
  folder = made;
  return made;
}

/** Removes what a test file left in the temporary folder. */
export function emptyTestFolder(): void {
  for (const name of readdirSync(testFolder())) rmSync(join(testFolder(), name), REMOVE);
}
