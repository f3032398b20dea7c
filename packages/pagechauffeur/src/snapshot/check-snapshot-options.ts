import { DriverInvalidArgumentError } from '../errors.ts';
import { checkFlag, checkOptions, checkString, checkStrings, describeValue } from '../util/check-argument.ts';
import type { SnapshotOptions } from './snapshot.ts';

export function checkSnapshotOptions(options: SnapshotOptions | undefined): void {
  checkOptions(options);
  const { includeIframes, selector, ignoreSelectors, tokenBudget, expand } = options ?? {};
  checkFlag('includeIframes', includeIframes);
  if (selector !== undefined) checkString('selector', selector);
  if (ignoreSelectors !== undefined) checkStrings('ignoreSelectors', ignoreSelectors);
  checkTokenBudget('tokenBudget', tokenBudget);
  if (expand !== undefined) checkRef('expand', expand);
}

export function checkTokenBudget(argument: string, budget: unknown): void {
  if (budget === undefined || (typeof budget === 'number' && budget > 0)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a number of tokens above 0, or Infinity. Received ${describeValue(budget)}.`,
    { argument },
  );
}

const REF = /^(?:f\d+)?e\d+$/;

/** True for a ref such as `e12`, or `f1e3` in a child frame. */
export function isRef(text: string): boolean {
  return REF.test(text);
}

function checkRef(argument: string, ref: unknown): void {
  checkString(argument, ref);
  if (isRef(ref)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a ref such as "e80" or "f2e3", from a snapshot. Received ${describeValue(ref)}.`,
    { argument },
  );
}
