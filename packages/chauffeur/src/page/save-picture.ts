import { writeFile } from 'node:fs/promises';
import { DriverInvalidArgumentError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';

/** Writes a picture or a printed page to a file of the user's. */
export async function savePicture(path: string, picture: Buffer): Promise<void> {
  try {
    await writeFile(path, picture);
  } catch (error) {
    throw new DriverInvalidArgumentError(`The path ${path} cannot be written: ${reasonOf(error)}.`, {
      argument: 'path',
      cause: error,
    });
  }
}
