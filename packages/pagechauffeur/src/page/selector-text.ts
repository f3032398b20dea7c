/** Options of `getByText`, `getByLabel` and similar methods. */
export interface TextMatchOptions {
  /** Matches the whole text with case; default false: a part of it in any case. */
  exact?: boolean;
}

/** Options of `getByRole`. */
export interface RoleOptions extends TextMatchOptions {
  /** The accessible name. */
  name?: string | RegExp;
  checked?: boolean | 'mixed';
  disabled?: boolean;
  expanded?: boolean;
  pressed?: boolean | 'mixed';
  selected?: boolean;
  /** Level of a heading, or of an item in a tree or list. */
  level?: number;
  /** Includes elements hidden from assistive technology; default false. */
  includeHidden?: boolean;
}

/** Conditions of `filter`. All must hold. `Found` is the class of locators. */
export interface FilterOptions<Found> {
  /** A descendant matches this locator. */
  has?: Found;
  /** No descendant matches this locator. */
  hasNot?: Found;
  /** The element's text contains this in any case, or matches it. */
  hasText?: string | RegExp;
  /** The element's text does not contain this in any case, and does not match it. */
  hasNotText?: string | RegExp;
  /** Whether the element is visible. */
  visible?: boolean;
}

/** A text in selector syntax: `"Save"` for the whole text, `"save" i` for a part in any case, or `/save/i`. */
export function textPattern(text: string | RegExp, exact: boolean | undefined): string {
  if (typeof text !== 'string') return expressionLiteral(text);
  return exact ? quoted(text) : `${quoted(text)} i`;
}

/** The selector of `getByRole`. */
export function roleSelector(role: string, options: RoleOptions): string {
  const { name, exact, includeHidden, ...states } = options;
  const attributes = Object.entries(states)
    .filter(([, value]) => value !== undefined)
    .map(([state, value]) => `[${state}=${String(value)}]`);
  if (name !== undefined) attributes.unshift(`[name=${textPattern(name, exact)}]`);
  if (includeHidden === true) attributes.push('[include-hidden]');
  return `role=${role}${attributes.join('')}`;
}

/** A selector inside a selector: `has="li >> b"`. */
export function nested(engine: 'has' | 'has-not' | 'and' | 'or', selector: string): string {
  return `${engine}=${JSON.stringify(selector)}`;
}

/** Text that is inserted into a call unquoted. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A call as written by a user: `getByRole('button', { name: 'Save' })`. Omits arguments that are not given. */
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

/** Escapes every slash, also in brackets, so that the first unescaped one is the end. */
function expressionLiteral({ source, flags }: RegExp): string {
  return `/${source.replaceAll(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))}/${flags}`;
}
