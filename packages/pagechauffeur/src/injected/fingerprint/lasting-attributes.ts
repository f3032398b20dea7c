import { attributeOf, localNameOf } from '../native.ts';

/** Attributes that authors choose to identify elements, and that people or other programs rely on. */
const TELLING =
  'id name data-testid data-test-id data-test data-cy data-qa for placeholder title alt type autocomplete';
const NAMES: readonly string[] = TELLING.split(' ');
/** The attributes that name an element rather than describe it. */
const NAMING: readonly string[] = [...NAMES.filter((name) => /^(id|name|data-.*)$/.test(name)), 'href'];
/** Longer values are ignored. */
const LONGEST_VALUE = 120;
/** Values that scripts generate on each load: long numbers, hashes, counters of component libraries. */
const MADE_UP =
  /\d{3,}|[0-9a-f]{8,}|^[:«]|[:»]$|^(ember|mui|radix|react|headless|yui|ext|gen|comp|cdk|mat|ng|input|field|el|auto)[-_:]?\w*\d|(^|[-_])(?=\w*\d)(?=\w*[a-z])\w{5,}$/i;

/** Returns the attributes of an element that probably stay the same on later visits. */
export function lastingAttributes(element: Element): Record<string, string> {
  const lasting: Record<string, string> = {};
  for (const name of NAMES) keep(lasting, name, attributeOf(element, name));
  keep(lasting, 'href', addressOf(element));
  if (isChoice(element)) keep(lasting, 'value', attributeOf(element, 'value'));
  return lasting;
}

/** True if both sets of attributes name the same element. */
export function nameTheSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return NAMING.every((name) => one[name] === other[name]);
}

function keep(lasting: Record<string, string>, name: string, value: string | null): void {
  if (value !== null && value.trim() !== '' && value.length <= LONGEST_VALUE && !MADE_UP.test(value))
    lasting[name] = value;
}

// The query string often belongs to the visit, not to the destination.
function addressOf(element: Element): string | null {
  const address = attributeOf(element, 'href');
  return address === null || /^\s*(javascript|data|blob):/i.test(address) ? null : address.replace(/[?].*$/s, '');
}

// The author sets the value of a choice; the user sets that of a field.
function isChoice(element: Element): boolean {
  return localNameOf(element) === 'input' && /^(radio|checkbox)$/i.test(attributeOf(element, 'type') ?? '');
}
