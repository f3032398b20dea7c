import { attributeOf, localNameOf } from '../native.ts';

/** Attributes that authors choose to tell elements apart, and that people or other programs rely on. */
const TELLING =
  'id name data-testid data-test-id data-test data-cy data-qa for placeholder title alt type autocomplete';
const NAMES: readonly string[] = TELLING.split(' ');
/** Those of them that name an element, rather than describe it. */
const NAMING: readonly string[] = [...NAMES.filter((name) => /^(id|name|data-.*)$/.test(name)), 'href'];
/** What stands in an attribute is told no longer than this. */
const LONGEST_VALUE = 120;
/** Parts of values that scripts make up anew each time: long numbers, hashes, counters of component libraries. */
const MADE_UP =
  /\d{3,}|[0-9a-f]{8,}|^[:«]|[:»]$|^(ember|mui|radix|react|headless|yui|ext|gen|comp|cdk|mat|ng|input|field|el|auto)[-_:]?\w*\d|(^|[-_])(?=\w*\d)(?=\w*[a-z])\w{5,}$/i;

/** Attributes of an element that are likely to be the same on the page of tomorrow. */
export function lastingAttributes(element: Element): Record<string, string> {
  const lasting: Record<string, string> = {};
  for (const name of NAMES) keep(lasting, name, attributeOf(element, name));
  keep(lasting, 'href', addressOf(element));
  if (isChoice(element)) keep(lasting, 'value', attributeOf(element, 'value'));
  return lasting;
}

/** Whether the attributes name the same element. */
export function nameTheSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return NAMING.every((name) => one[name] === other[name]);
}

function keep(lasting: Record<string, string>, name: string, value: string | null): void {
  if (value !== null && value.trim() !== '' && value.length <= LONGEST_VALUE && !MADE_UP.test(value))
    lasting[name] = value;
}

// What comes after the path is often about the visit, not the place.
function addressOf(element: Element): string | null {
  const address = attributeOf(element, 'href');
  return address === null || /^\s*(javascript|data|blob):/i.test(address) ? null : address.replace(/[?].*$/s, '');
}

// The value of a choice is the author's; that of a field is the user's.
function isChoice(element: Element): boolean {
  return localNameOf(element) === 'input' && /^(radio|checkbox)$/i.test(attributeOf(element, 'type') ?? '');
}
