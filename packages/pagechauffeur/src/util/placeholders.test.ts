import { describe, expect, it } from 'vitest';
import { isPlaceholder, placeholderParts, placeholdersIn, replacePlaceholders } from './placeholders.ts';

const NAMES = new Set(['a', 'b', 'user.name', 'x-y', '2fa', 'имя', '日付', 'naïve', 'e4', 'card']);

/** Renders the parts of a text: `<name>` is a placeholder, `?name?` an unknown one. */
function pieces(text: string, isInstruction = false): string {
  return placeholderParts(text, NAMES, { isInstruction })
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'unknown' ? `?${part.name}?` : `<${part.name}>`))
    .join('');
}

describe('placeholderParts()', () => {
  it.each([
    ['%a%', '<a>'],
    ['%a%%b%', '<a><b>'],
    ['%a%b%', '<a>b%'],
    ['x%a%y', 'x<a>y'],
    ['%user.name% %x-y% %2fa%', '<user.name> <x-y> <2fa>'],
    ['%имя% %日付% %naïve%', '<имя> <日付> <naïve>'],
    ['100%', '100%'],
    ['100% and 50%', '100% and 50%'],
    ['5%-10%', '5%-10%'],
    ['20%.5%', '20%.5%'],
    ['%', '%'],
    ['%%', '%%'],
    ['%%a%%', '%<a>%'],
    ['%E4%F6', '%E4%F6'],
    ['%E4%F6%FC%', '%E4%F6%FC%'],
    ['%e4%F6', '<e4>F6'],
    ['%C3%A4pfel%20und%20', '%C3%A4pfel%20und%20'],
    ['%E4%card%', '%E4<card>'],
    ['%foo%', '?foo?%'],
    ['%foo%a%', '?foo?<a>'],
    ['%foo%bar%', '?foo??bar?%'],
    ['%день%', '?день?%'],
    ['%1st%', '%1st%'],
    ['a % b % c', 'a % b % c'],
  ])('reads %j as %j', (text, expected) => {
    expect(pieces(text)).toBe(expected);
    const whole = placeholderParts(text, NAMES).map((part) => part.text);
    expect(whole.join('')).toBe(text);
  });
});

it.each([
  ['100%%', '100%'],
  ['%%a%%', '%a%'],
  ['%%%a%', '%<a>'],
  ['%a%%%', '<a>%'],
  ['50%%a%', '50%a%'],
  ['%%foo%%', '%foo%'],
  ['%%%%', '%%'],
])('reads the instruction %j as %j', (text, expected) => {
  expect(pieces(text, true)).toBe(expected);
});

it('does not expand placeholders inside inserted values', () => {
  const values = new Map([
    ['a', '%b%'],
    ['b', '%a%'],
  ]);
  expect(replacePlaceholders('%a% %b% %a%b%', values, (name) => values.get(name) ?? '')).toBe('%b% %a% %b%b%');
});

it('lists placeholder names in order and detects a text that is one placeholder', () => {
  expect(placeholdersIn('%b% %a% %c% %b%', NAMES)).toEqual(['b', 'a', 'b']);
  expect(['%a%', '%a% ', '%c%', '%E4%', ''].map((text) => isPlaceholder(text, NAMES))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('finds no placeholders in a text of 500,000 characters', () => {
  expect(placeholderParts('%'.repeat(500_000), NAMES)).toHaveLength(1);
  expect(placeholderParts('%x'.repeat(250_000), NAMES).every(({ kind }) => kind !== 'placeholder')).toBe(true);
});
