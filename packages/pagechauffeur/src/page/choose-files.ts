import { DriverInvalidArgumentError } from '../errors.ts';
import { checkString, describeValue } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import { giveFiles, preparationForFiles } from '../actions/give-files.ts';
import { withReadyElement } from '../actions/prepare-target.ts';
import { checkReadable, type InputFile, putFiles } from '../actions/put-files.ts';
import type { ActionAim } from './choose-options.ts';

/** Chooses files for a file input once it is attached. */
export async function chooseFiles(
  progress: Progress,
  { page, target, force }: ActionAim,
  files: string | InputFile | readonly (string | InputFile)[],
): Promise<void> {
  const wanted = isList(files) ? files : [files];
  wanted.forEach(checkFile);
  await progress.race(checkReadable(wanted));
  progress.log(`waiting for ${target.label}`);
  const preparation = { target, timeout: progress.remaining, force, isReported: false };
  const other = await withReadyElement(progress, page, { ...preparation, action: 'upload' }, async (ready) => {
    if (ready.takesFiles !== 'none') await putFiles(progress, { page, ready, files: wanted });
    return preparationForFiles(ready);
  });
  if (other)
    await withReadyElement(progress, page, { ...preparation, force: false, action: other }, (ready) =>
      giveFiles(progress, { page, ready, files: wanted }),
    );
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
