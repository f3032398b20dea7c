/** Options of `getByText`, `getByLabel` and the like. */
export interface TextMatchOptions {
  /** The whole text, case and all; default false: a part of it, in any case. */
  exact?: boolean;
}

/** What `getByRole` may ask besides the role. */
export interface RoleOptions extends TextMatchOptions {
  /** The accessible name. */
  name?: string | RegExp;
  checked?: boolean | 'mixed';
  disabled?: boolean;
  expanded?: boolean;
  pressed?: boolean | 'mixed';
  selected?: boolean;
  /** Level of a heading or of an entry of a tree or list. */
  level?: number;
  /** Elements that assistive technology is not told of count too; default false. */
  includeHidden?: boolean;
}

/** What `filter` keeps: elements for which all of it holds. `Found` is the class of locators. */
export interface FilterOptions<Found> {
  /** Something inside the element matches this locator. */
  has?: Found;
  /** Nothing inside the element matches this locator. */
  hasNot?: Found;
  /** The element's text contains this in any case, or matches it. */
  hasText?: string | RegExp;
  /** The element's text does not contain this in any case, and does not match it. */
  hasNotText?: string | RegExp;
  /** Whether a person can see the element. */
  visible?: boolean;
}

/** A text as selectors write what is looked for: `"Save"` the whole, `"save" i` a part in any case, or `/save/i`. */
export function textPattern(text: string | RegExp, exact: boolean | undefined): string {
  if (typeof text !== 'string') return expressionLiteral(text);
  return exact ? quoted(text) : `${quoted(text)} i`;
}

/** The selector that `getByRole` stands for. */
export function roleSelector(role: string, options: RoleOptions): string {
  const { name, exact, includeHidden, ...states } = options;
  const attributes = Object.entries(states)
    .filter(([, value]) => value !== undefined)
    .map(([state, value]) => `[${state}=${String(value)}]`);
  if (name !== undefined) attributes.unshift(`[name=${textPattern(name, exact)}]`);
  if (includeHidden === true) attributes.push('[include-hidden]');
  return `role=${role}${attributes.join('')}`;
}

/** A selector within a selector: `has="li >> b"`. */
export function nested(engine: 'has' | 'has-not' | 'and' | 'or', selector: string): string {
  return `${engine}=${JSON.stringify(selector)}`;
}

/** What stands in a call as it is. */
export class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A call as a user writes it: `getByRole('button', { name: 'Save' })`. What is not given is left out. */
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

/** With every slash behind a backslash, also in brackets, so that the first bare one is the end. */
function expressionLiteral({ source, flags }: RegExp): string {
  return `/${source.replaceAll(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))}/${flags}`;
}
