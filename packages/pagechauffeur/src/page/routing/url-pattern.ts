import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';

/**
 * A glob, a regular expression, or a function that returns true for a match. A glob must match the whole URL: `*`
 * matches anything but slashes, `**` anything, and `{a,b}` either part.
 */
export type UrlPattern = string | RegExp | ((url: URL) => boolean);

export interface UrlTest {
  readonly pattern: UrlPattern;
  fits(url: string): boolean;
  /** Pattern for `Fetch.enable`. May also match URLs that `fits` rejects. */
  readonly fetchPattern: string;
}

/** Throws a `DriverInvalidArgumentError` if the pattern is invalid. */
export function urlTest(pattern: UrlPattern): UrlTest {
  if (typeof pattern === 'string' && pattern !== '') {
    const expression = globExpression(pattern);
    return { pattern, fits: (url) => expression.test(url), fetchPattern: fetchPatternOf(pattern) };
  }
  if (pattern instanceof RegExp) {
    // Removes `g` and `y`, which would keep `lastIndex` between URLs.
    const expression = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
    return { pattern, fits: (url) => expression.test(url), fetchPattern: '*' };
  }
  if (typeof pattern === 'function') return { pattern, fits: (url) => pattern(new URL(url)), fetchPattern: '*' };
  throw new DriverInvalidArgumentError(
    `pattern must be a glob such as "**/*.png", a RegExp or a function of a URL. Received ${describeValue(pattern)}.`,
    { argument: 'pattern' },
  );
}

/** Compares regular expressions by source and flags, and other patterns with `===`. */
export function isSamePattern(one: UrlPattern, other: UrlPattern): boolean {
  if (one instanceof RegExp && other instanceof RegExp) return String(one) === String(other);
  return one === other;
}

const PART = /\\.|\*+|\{[^{}]*\}|[^\\*{]+|./gsu;

function globExpression(glob: string): RegExp {
  return new RegExp(`^${expressionText(glob)}$`, 's');
}

function expressionText(glob: string): string {
  return [...glob.matchAll(PART)].map(([part]) => partExpression(part)).join('');
}

function partExpression(part: string): string {
  if (part === '*') return '[^/]*';
  if (part.startsWith('*')) return '.*';
  if (part.length > 1 && part.startsWith('{') && part.endsWith('}'))
    return `(?:${part.slice(1, -1).split(',').map(expressionText).join('|')})`;
  return escapeExpression(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Patterns of the Fetch domain have only `*` for any text and `?` for one character. */
function fetchPatternOf(glob: string): string {
  return glob.replaceAll(/\\./gs, '?').replaceAll(/\*+|\{[^{}]*\}/g, '*');
}
