import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../util/make-folder.ts';
import type { CacheStore } from './cache-store.ts';

/**
 * Stores each entry as one JSON file. Writes go to a temporary file that is renamed, so concurrent readers never see a
 * partial entry.
 */
export class FileStore implements CacheStore {
  readonly location: string;

  constructor(folder: string) {
    this.location = folder;
  }

  // `readFileSync` takes 0.03 ms for a small file, `readFile` 0.5 ms, and 2 to 4 ms while the browser is busy.
  async read(name: string): Promise<string | undefined> {
    try {
      return readFileSync(join(this.location, name), 'utf8');
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.location);
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  async write(name: string, text: string): Promise<void> {
    const temporary = join(this.location, `.${name}.${randomUUID()}.tmp`);
    await makeFolder(this.location);
    try {
      await writeFile(temporary, text);
      await rename(temporary, join(this.location, name));
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
