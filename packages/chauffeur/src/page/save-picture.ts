import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DriverInvalidArgumentError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';

/** Writes a picture or a printed page to a file of the user's; folders on the way are made. */
export async function savePicture(path: string, picture: Buffer): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, picture);
  } catch (error) {
    throw new DriverInvalidArgumentError(`The path ${path} cannot be written: ${reasonOf(error)}.`, {
      argument: 'path',
      cause: error,
    });
  }
}
