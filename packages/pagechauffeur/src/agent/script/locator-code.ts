import { withPercentSigns } from '../../util/placeholders.ts';
import type { Dialect } from './dialect.ts';
import type { Literals } from './literals.ts';
import type { Locating } from './locating.ts';

const METHODS: Readonly<Record<string, string>> = {
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  title: 'getByTitle',
  text: 'getByText',
};

/** Context for writing a locator. */
interface LocatorParts {
  readonly literals: Literals;
  readonly dialect: Dialect;
}

/** Code of a locator, in the syntax that this library and Playwright share. */
export function locatorCode(page: string, locating: Locating, parts: LocatorParts): string {
  const { frames, within, nth } = locating;
  const text = (words: string): string => parts.literals.text(words);
  const frame = frames.map((selector) => `.frameLocator(${text(selector)})`).join('');
  const holder = within ? `.getByRole(${text(within.role)}).filter({ hasText: ${text(within.hasText)} })` : '';
  const place = nth === undefined ? '' : nth === 0 ? '.first()' : `.nth(${nth})`;
  return `${page}${frame}${holder}${own(locating, parts)}${place}`;
}

function own({ by, value, name }: Locating, parts: LocatorParts): string {
  const text = parts.literals.text(value);
  if (by === 'role') return `.getByRole(${text}${name === undefined ? '' : `, { ${nameCode(name, parts)} }`})`;
  if (by === 'testid') return `.getByTestId(${text})`;
  // A cache file may have been edited, so `by` may be anything.
  return Object.hasOwn(METHODS, by) ? `.${METHODS[by]}(${text}, { exact: true })` : `.locator(${text})`;
}

/** A name in capitals may be uppercase by a style. */
function nameCode(name: string, { literals, dialect }: LocatorParts): string {
  const isInCapitals = /\p{Lu}{2}/u.test(name) && !/\p{Ll}|%/u.test(name);
  if (dialect.namesAreDrawn || !isInCapitals) return `name: ${literals.text(name)}, exact: true`;
  return `name: ${String(new RegExp(`^${withPercentSigns(name).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`, 'i'))}`;
}
