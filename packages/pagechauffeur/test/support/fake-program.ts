import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program to be started in place of a browser. */
export interface FakeProgram extends AsyncDisposable {
  readonly path: string;
}

/** Writes a shell script that can be named as `executablePath`. */
export async function fakeProgram(script: string): Promise<FakeProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'chauffeur-program-'));
  const path = join(folder, 'browser');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
