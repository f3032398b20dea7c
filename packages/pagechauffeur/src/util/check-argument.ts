import { DriverInvalidArgumentError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** Rejects blank strings unless `mayBeEmpty` is set. */
export function checkString(argument: string, value: unknown, { mayBeEmpty = false } = {}): asserts value is string {
  if (typeof value === 'string' && (mayBeEmpty || value.trim() !== '')) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be ${mayBeEmpty ? 'a string' : 'a non-empty string'}. Received ${describeValue(value)}.`,
    { argument },
  );
}

export function checkStrings(argument: string, value: unknown): asserts value is readonly string[] {
  // `Array.from` turns the holes of a sparse array into `undefined`, which `findIndex` then reports.
  const entries: readonly unknown[] | undefined = Array.isArray(value) ? Array.from(value) : undefined;
  const index = entries ? entries.findIndex((entry) => typeof entry !== 'string') : -1;
  if (entries && index < 0) return;
  const found = entries ? `Entry ${index} is ${describeValue(entries[index])}` : `Received ${describeValue(value)}`;
  throw new DriverInvalidArgumentError(`${argument} must be an array of strings. ${found}.`, { argument });
}

/** Rejects NaN and infinite numbers. */
export function checkNumber(argument: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && Number.isFinite(value)) return;
  throw new DriverInvalidArgumentError(`${argument} must be a number. Received ${describeValue(value)}.`, { argument });
}

/** Rejects negative and infinite numbers. */
export function checkMilliseconds(argument: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a number of milliseconds, 0 or more. Received ${describeValue(value)}.`,
    { argument },
  );
}

export function checkPercent(argument: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && value >= 0 && value <= 100) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a number from 0 to 100. Received ${describeValue(value)}.`,
    {
      argument,
    },
  );
}

/** Options that restrict which origins may receive text. Ignoring one would be a security hole. */
const LIMITS: readonly string[] = ['origin', 'origins'];

/**
 * Throws if `value` is not an object, has a misspelt option, or has an origin restriction that this call does not
 * support. `also` lists option names that only this call accepts.
 */
export function checkOptions(
  value: unknown,
  argument = 'options',
  also: readonly string[] = [],
): asserts value is object | undefined {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DriverInvalidArgumentError(`${argument} must be an object. Received ${describeValue(value)}.`, {
      argument,
    });
  if (argument !== 'options') return;
  const ignored = LIMITS.find((name) => Object.hasOwn(value, name) && !also.includes(name));
  if (ignored !== undefined)
    throw new DriverInvalidArgumentError(`This call does not support the option ${ignored}.`, {
      argument: ignored,
    });
  checkSpelling(Object.keys(value), also.length === 0 ? OPTION_NAMES : new Set([...OPTION_NAMES, ...also]));
}

/** Throws if an unknown name is close enough to a known one to be a typo. Ignores other unknown names. */
export function checkSpelling(names: Iterable<string>, known: ReadonlySet<string>, prefix = ''): void {
  for (const name of names) {
    const suggestion = known.has(name) ? undefined : nearestName(name, known);
    if (suggestion === undefined) continue;
    throw new DriverInvalidArgumentError(`Unknown option ${prefix}${name}. Did you mean ${prefix}${suggestion}?`, {
      argument: prefix + name,
    });
  }
}

/** Throws unless `value` is an integer from `least` to `most`. */
export function checkWholeNumber(
  argument: string,
  value: unknown,
  { least, most = Number.MAX_SAFE_INTEGER }: { least: number; most?: number },
): asserts value is number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new DriverInvalidArgumentError(
    `${argument} must be a whole number ${bounds}. Received ${describeValue(value)}.`,
    {
      argument,
    },
  );
}

export function checkFlag(argument: string, value: unknown): asserts value is boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return;
  throw new DriverInvalidArgumentError(`${argument} must be a boolean. Received ${describeValue(value)}.`, {
    argument,
  });
}

export function checkOneOf<T extends string>(
  argument: string,
  value: unknown,
  allowed: readonly T[],
): asserts value is T {
  if (typeof value === 'string' && (allowed as readonly string[]).includes(value)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be one of ${allowed.join(', ')}. Received ${describeValue(value)}.`,
    { argument },
  );
}

/**
 * Returns the type for an error message, and the value itself for strings, numbers and booleans. Strings are cut at 60
 * characters.
 */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `the string ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === 'object' || typeof value === 'function') return `a value of type ${typeof value}`;
  if (typeof value === 'bigint') return `the bigint ${value}n`;
  return value === undefined ? 'undefined' : `the ${typeof value} ${String(value)}`;
}

/**
 * Names of call options, to detect misspellings. Other unknown options are ignored, because they may be meant for
 * another library.
 */
const OPTION_NAMES: ReadonlySet<string> = new Set(
  `
  animations borderColor bubbles button cancelable caret checked clickCount clip composed contentColor delay
  deviceScaleFactor disabled displayHeaderFooter durationMs exact expand expanded footerTemplate for force format
  fullPage has hasNot hasNotText hasText headerTemplate height ignoreSelectors includeHidden includeIframes instruction
  landscape level margin mask maskColor model modifiers name omitBackground origin origins outline page pageRanges path
  pierceShadow plan polling position predicate preferCSSPageSize pressed printBackground quality referer returnXpath
  runBeforeUnload scale schema screenshot selected selector serverCache signal state steps strict style tagged timeout
  times tokenBudget trial type variables visible waitUntil width withEvidence
  `
    .trim()
    .split(/\s+/),
);
