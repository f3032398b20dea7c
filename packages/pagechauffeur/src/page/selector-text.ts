/** Options of `getByText()`, `getByLabel()` and similar methods. */
export interface TextMatchOptions {
  /** Matches the whole text and its case. Default false: a substring in any case. */
  exact?: boolean;
}

/** Options of `getByRole()`. */
export interface RoleOptions extends TextMatchOptions {
  /** Accessible name: a substring in any case, or the whole name with `exact`. */
  name?: string | RegExp;
  checked?: boolean | 'mixed';
  disabled?: boolean;
  expanded?: boolean;
  pressed?: boolean | 'mixed';
  selected?: boolean;
  /** Level of a heading, tree item or list item, from 1. */
  level?: number;
  /** Includes elements hidden from assistive technology; default false. */
  includeHidden?: boolean;
}

/** Conditions of `filter()`. An element must meet all of them. */
export interface FilterOptions<Found> {
  /** Keeps elements with a descendant that matches this locator. */
  has?: Found;
  /** Keeps elements without a descendant that matches this locator. */
  hasNot?: Found;
  /** Keeps elements whose text contains this string in any case, or matches this regular expression. */
  hasText?: string | RegExp;
  /** Keeps elements whose text neither contains this string nor matches this regular expression. */
  hasNotText?: string | RegExp;
  /** True keeps visible elements, false hidden ones. */
  visible?: boolean;
}

/** Formats text as a selector: `"Save"` for the whole text, `"save" i` for a substring in any case, or `/save/i`. */
export function textPattern(text: string | RegExp, exact: boolean | undefined): string {
  if (typeof text !== 'string') return expressionLiteral(text);
  return exact ? quoted(text) : `${quoted(text)} i`;
}

export function roleSelector(role: string, options: RoleOptions): string {
  const { name, exact, includeHidden, ...states } = options;
  const attributes = Object.entries(states)
    .filter(([, value]) => value !== undefined)
    .map(([state, value]) => `[${state}=${String(value)}]`);
  if (name !== undefined) attributes.unshift(`[name=${textPattern(name, exact)}]`);
  if (includeHidden === true) attributes.push('[include-hidden]');
  return `role=${role}${attributes.join('')}`;
}

/** Quotes a selector inside another one: `has="li >> b"`. */
export function nested(engine: 'has' | 'has-not' | 'and' | 'or', selector: string): string {
  return `${engine}=${JSON.stringify(selector)}`;
}

/** Text that `callText` prints without quotes, such as the calls that created a locator. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Formats a call as the user wrote it: `getByRole('button', { name: 'Save' })`. Leaves out arguments that are
 * `undefined`.
 */
export function callText(method: string, ...args: readonly unknown[]): string {
  const shown = args.filter((arg) => arg !== undefined).map(argumentText);
  return `${method}(${shown.filter((text) => text !== '{}').join(', ')})`;
}

function argumentText(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&')}'`;
  if (value instanceof Verbatim) return value.text;
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value);
  const given = Object.entries(value).filter(([, part]) => part !== undefined);
  return given.length === 0 ? '{}' : `{ ${given.map(([name, part]) => `${name}: ${argumentText(part)}`).join(', ')} }`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * Escapes every slash, even in brackets, because the selector parser ends a regular expression at the first bare slash.
 */
function expressionLiteral({ source, flags }: RegExp): string {
  return `/${source.replaceAll(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))}/${flags}`;
}
