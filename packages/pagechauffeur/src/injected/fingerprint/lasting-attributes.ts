import { attributeOf, localNameOf } from '../native.ts';

/** Attributes that usually survive page updates, because users, tests or forms depend on them. */
const TELLING =
  'id name data-testid data-test-id data-test data-cy data-qa for placeholder title alt type autocomplete';
const NAMES: readonly string[] = TELLING.split(' ');
/** Attributes that identify an element rather than describe it. */
const NAMING: readonly string[] = [...NAMES.filter((name) => /^(id|name|data-.*)$/.test(name)), 'href'];
/** Attributes that tell what a field is for. */
const PURPOSE: readonly string[] = ['type', 'autocomplete'];
/** Longer values are not stored. */
const LONGEST_VALUE = 120;
/** Generated values: long numbers, hashes, and counters from component libraries. */
const MADE_UP =
  /\d{3,}|[0-9a-f]{8,}|^[:«]|[:»]$|^(ember|mui|radix|react|headless|yui|ext|gen|comp|cdk|mat|ng|input|field|el|auto)[-_:]?\w*\d|(^|[-_])(?=\w*\d)(?=\w*[a-z])\w{5,}$/i;

/** Returns attributes that are likely to be the same on the next visit. */
export function lastingAttributes(element: Element): Record<string, string> {
  const lasting: Record<string, string> = {};
  for (const name of NAMES) keep(lasting, name, attributeOf(element, name));
  keep(lasting, 'href', addressOf(element));
  if (isChoice(element)) keep(lasting, 'value', attributeOf(element, 'value'));
  return lasting;
}

/** True if all identifying attributes are equal. */
export function nameTheSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return NAMING.every((name) => one[name] === other[name]);
}

/** True if the attributes that tell what a field is for are equal. */
export function haveSamePurpose(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  return PURPOSE.every((name) => one[name] === other[name]);
}

function keep(lasting: Record<string, string>, name: string, value: string | null): void {
  if (value !== null && value.trim() !== '' && value.length <= LONGEST_VALUE && !MADE_UP.test(value))
    lasting[name] = value;
}

// Drops the query string, which often contains session data.
function addressOf(element: Element): string | null {
  const address = attributeOf(element, 'href');
  return address === null || /^\s*(javascript|data|blob):/i.test(address) ? null : address.replace(/[?].*$/s, '');
}

// Authors set the `value` of a radio button or checkbox; in other fields, users do.
function isChoice(element: Element): boolean {
  return localNameOf(element) === 'input' && /^(radio|checkbox)$/i.test(attributeOf(element, 'type') ?? '');
}
