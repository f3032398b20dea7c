import type { Literals } from './literals.ts';
import type { Locating } from './locating.ts';

const METHODS = {
  testid: 'getByTestId',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  title: 'getByTitle',
  text: 'getByText',
} as const;

/** The code of a locator, as this library and Playwright both write it. */
export function locatorCode(
  page: string,
  { frames, within, by, value, name, nth }: Locating,
  literals: Literals,
): string {
  const frame = frames.map((selector) => `.frameLocator(${literals.text(selector)})`).join('');
  const holder = within
    ? `.getByRole(${literals.text(within.role)}).filter({ hasText: ${literals.text(within.hasText)} })`
    : '';
  const place = nth === undefined ? '' : `.nth(${nth})`;
  return `${page}${frame}${holder}${own({ by, value, name }, literals)}${place}`;
}

function own(
  { by, value, name }: Pick<Locating, 'by' | 'value'> & { name: string | undefined },
  literals: Literals,
): string {
  const text = literals.text(value);
  if (by === 'selector') return `.locator(${text})`;
  if (by === 'role')
    return `.getByRole(${text}${name === undefined ? '' : `, { name: ${literals.text(name)}, exact: true }`})`;
  return by === 'testid' ? `.getByTestId(${text})` : `.${METHODS[by]}(${text}, { exact: true })`;
}
