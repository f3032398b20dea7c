import { DriverInvalidArgumentError } from '../errors.ts';
import { isRecord } from './is-record.ts';

/** What may be named in an object of options. */
interface KnownNames {
  /** What the object is of, as errors say it, such as `a task`. */
  readonly owner: string;
  readonly names: readonly string[];
  /** What leads to the object, such as `budget.`. */
  readonly path?: string;
}

/**
 * Throws when options have a name that is not listed. For options that no other library has: those of calls that look
 * like Playwright's are checked for misspellings alone, by `checkOptions`.
 */
export function checkNames(options: unknown, { owner, names, path = '' }: KnownNames): void {
  if (!isRecord(options)) return;
  const unknown = Object.keys(options).find((name) => options[name] !== undefined && !names.includes(name));
  if (unknown === undefined) return;
  const argument = `${path}${unknown}`;
  throw new DriverInvalidArgumentError(`${argument} is no option of ${owner}. There are: ${names.join(', ')}.`, {
    argument,
  });
}
