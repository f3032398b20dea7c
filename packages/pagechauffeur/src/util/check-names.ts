import { DriverInvalidArgumentError } from '../errors.ts';
import { isRecord } from './is-record.ts';

interface KnownNames {
  /** Names the call or object in the error message, for example `a task`. */
  readonly owner: string;
  readonly names: readonly string[];
  /** Prefix for a nested options object, for example `budget.`. */
  readonly path?: string;
}

/**
 * Throws if the options contain an unknown name. Most calls use `checkOptions` instead, which rejects only
 * misspellings.
 */
export function checkNames(options: unknown, { owner, names, path = '' }: KnownNames): void {
  if (!isRecord(options)) return;
  const unknown = Object.keys(options).find((name) => options[name] !== undefined && !names.includes(name));
  if (unknown === undefined) return;
  const argument = `${path}${unknown}`;
  throw new DriverInvalidArgumentError(
    `${argument} is not an option of ${owner}. Known options: ${names.join(', ')}.`,
    {
      argument,
    },
  );
}
