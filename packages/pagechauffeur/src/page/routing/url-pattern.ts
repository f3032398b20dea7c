import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';

/**
 * Matches URLs: a glob over the whole URL (`*` excludes slashes, `**` matches anything, `{a,b}` matches either), a regular expression, or a
 * function.
 */
export type UrlPattern = string | RegExp | ((url: URL) => boolean);

/** A compiled pattern. */
export interface UrlTest {
  readonly pattern: UrlPattern;
  fits(url: string): boolean;
  /** A pattern of the Fetch domain that matches at least the same URLs. */
  readonly fetchPattern: string;
}

/** Compiles a pattern. Throws a `DriverInvalidArgumentError` if it is invalid. */
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

/** True if two patterns are equal, so that one can remove the other. */
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

/** The browser's patterns use `*` for anything and `?` for one character. */
function fetchPatternOf(glob: string): string {
  return glob.replaceAll(/\\./gs, '?').replaceAll(/\*+|\{[^{}]*\}/g, '*');
}
