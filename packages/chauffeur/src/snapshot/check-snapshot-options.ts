import { checkFlag, checkOptions, checkString, checkStrings } from '../util/check-argument.ts';
import type { SnapshotOptions } from './snapshot.ts';

/** Throws when what a snapshot is to be taken of is not told as it must be. */
export function checkSnapshotOptions(options: SnapshotOptions | undefined): void {
  checkOptions(options);
  const { includeIframes, selector, ignoreSelectors } = options ?? {};
  checkFlag('includeIframes', includeIframes);
  if (selector !== undefined) checkString('selector', selector);
  if (ignoreSelectors !== undefined) checkStrings('ignoreSelectors', ignoreSelectors);
}
