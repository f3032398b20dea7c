import { withPercentSigns } from '../../util/placeholders.ts';
import type { Dialect } from './dialect.ts';
import type { Literals } from './literals.ts';
import type { Locating } from './locating.ts';

const METHODS = {
  testid: 'getByTestId',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  title: 'getByTitle',
  text: 'getByText',
} as const;

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
  if (by === 'selector') return `.locator(${text})`;
  if (by === 'role') return `.getByRole(${text}${name === undefined ? '' : `, { ${nameCode(name, parts)} }`})`;
  return by === 'testid' ? `.getByTestId(${text})` : `.${METHODS[by]}(${text}, { exact: true })`;
}

/** A name in capitals may be uppercase by a style. */
function nameCode(name: string, { literals, dialect }: LocatorParts): string {
  const isInCapitals = /\p{Lu}{2}/u.test(name) && !/\p{Ll}|%/u.test(name);
  if (dialect.namesAreDrawn || !isInCapitals) return `name: ${literals.text(name)}, exact: true`;
  return `name: /^${withPercentSigns(name).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/i`;
}
