import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DriverInvalidArgumentError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { makeFolder } from '../util/make-folder.ts';

/** Writes a file for the option `path`. Creates missing folders. */
export async function saveFile(path: string, content: Buffer | string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeFile(path, content);
  } catch (error) {
    throw new DriverInvalidArgumentError(`Cannot write to the path ${path}: ${reasonOf(error)}.`, {
      argument: 'path',
      cause: error,
    });
  }
}
