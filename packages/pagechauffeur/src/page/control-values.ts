import type { PageTarget } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import type { OptionChoice } from '../injected/contract.ts';
import { checkString, describeValue } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTarget } from '../actions/element-action.ts';
import { changeControl } from '../actions/change-control.ts';
import { withReadyElement } from '../actions/prepare-target.ts';
import { giveFiles, preparationForFiles } from '../actions/give-files.ts';
import { checkReadable, type InputFile, putFiles } from '../actions/put-files.ts';

export interface ActionAim {
  readonly page: PageTarget;
  readonly target: ActionTarget;
  readonly force: boolean;
}

/** Waits until the `select` is actionable and selects the options. Returns the values of the selected options. */
export async function chooseOptions(
  progress: Progress,
  { page, target, force }: ActionAim,
  choices: string | OptionChoice | readonly (string | OptionChoice)[],
): Promise<readonly string[]> {
  const wanted = isList(choices) ? choices : [choices];
  for (const choice of wanted) checkChoice(choice);
  progress.log(`waiting for ${target.label}`);
  const preparation = { target, action: 'select', timeout: progress.remaining, force, isReported: false } as const;
  return withReadyElement(progress, page, preparation, (ready) => changeControl(progress, { page, ready }, wanted));
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

const FACTS: Readonly<Record<string, string>> = { label: 'string', value: 'string', index: 'number' };

function checkChoice(choice: unknown): void {
  if (typeof choice === 'string') return;
  if (typeof choice === 'object' && choice !== null) {
    const facts = Object.entries(choice);
    if (facts.length > 0 && facts.every(([name, fact]) => typeof fact === FACTS[name])) return;
  }
  throw new DriverInvalidArgumentError(
    `values must be labels or values as strings, or objects with label, value or index. Received ${describeValue(choice)}.`,
    { argument: 'values' },
  );
}

/**
 * Sets the files of a file input. Any other element is clicked, and the file chooser that opens gets the files; if none
 * opens, they are dropped on the element.
 */
export async function chooseFiles(
  progress: Progress,
  { page, target, force }: ActionAim,
  files: string | InputFile | readonly (string | InputFile)[],
): Promise<void> {
  const wanted = isList(files) ? files : [files];
  for (const file of wanted) checkFile(file);
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

function checkFile(file: unknown): void {
  if (typeof file === 'string') return checkString('files', file);
  if (typeof file === 'object' && file !== null && 'name' in file && 'buffer' in file) {
    checkString('files.name', file.name);
    if ('mimeType' in file && file.mimeType !== undefined)
      checkString('files.mimeType', file.mimeType, { mayBeEmpty: true });
    if (file.buffer instanceof Uint8Array) return;
  }
  throw new DriverInvalidArgumentError(
    `files must be paths or { name, mimeType, buffer } with a Buffer. Received ${describeValue(file)}.`,
    { argument: 'files' },
  );
}
