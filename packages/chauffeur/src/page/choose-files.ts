import { DriverInvalidArgumentError } from '../errors.ts';
import { checkString, describeValue } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import { giveFiles } from './action/give-files.ts';
import { prepareTarget } from './action/prepare-target.ts';
import { checkReadable, type InputFile } from './action/put-files.ts';
import type { ActionAim } from './choose-options.ts';

/** Chooses files for a file input once it is there. */
export async function chooseFiles(
  progress: Progress,
  { page, target, force }: ActionAim,
  files: string | InputFile | readonly (string | InputFile)[],
): Promise<void> {
  const wanted = isList(files) ? files : [files];
  wanted.forEach(checkFile);
  await progress.race(checkReadable(wanted));
  progress.log(`waiting for ${target.label}`);
  const ready = await prepareTarget(progress, page, { target, action: 'upload', timeout: progress.remaining, force });
  progress.throwIfEnded();
  await giveFiles(progress, { page, ready, files: wanted });
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

function checkFile(file: unknown): void {
  if (typeof file === 'string') return checkString('files', file);
  if (typeof file === 'object' && file !== null && 'name' in file && 'buffer' in file) {
    checkString('files.name', file.name);
    if ('mimeType' in file && file.mimeType !== undefined)
      checkString('files.mimeType', file.mimeType, { mayBeEmpty: true });
    if (file.buffer instanceof Uint8Array) return;
  }
  throw new DriverInvalidArgumentError(
    `files must be paths or { name, mimeType, buffer } with a Buffer; one is ${describeValue(file)}.`,
    { argument: 'files' },
  );
}
