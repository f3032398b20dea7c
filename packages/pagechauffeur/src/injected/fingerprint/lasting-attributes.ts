import { attributeOf, localNameOf } from '../native.ts';

/**
 * Attributes that authors choose and that usually survive changes of a page, because users, tests or forms depend on
 * them.
 */
const TELLING =
  'id name data-testid data-test-id data-test data-cy data-qa for placeholder title alt type autocomplete';
const NAMES: readonly string[] = TELLING.split(' ');
/** Attributes that identify an element rather than describe it. */
const NAMING: readonly string[] = [...NAMES.filter((name) => /^(id|name|data-.*)$/.test(name)), 'href'];
/** Maximum characters of a value. */
const LONGEST_VALUE = 120;
/** Values that scripts generate on each load: long numbers, hashes, and counters of component libraries. */
const MADE_UP =
  /\d{3,}|[0-9a-f]{8,}|^[:«]|[:»]$|^(ember|mui|radix|react|headless|yui|ext|gen|comp|cdk|mat|ng|input|field|el|auto)[-_:]?\w*\d|(^|[-_])(?=\w*\d)(?=\w*[a-z])\w{5,}$/i;

/** Returns the attributes of an element that are probably the same on later visits. */
export function lastingAttributes(element: Element): Record<string, string> {
  const lasting: Record<string, string> = {};
  for (const name of NAMES) keep(lasting, name, attributeOf(element, name));
  keep(lasting, 'href', addressOf(element));
  if (isChoice(element)) keep(lasting, 'value', attributeOf(element, 'value'));
  return lasting;
}

/** True if both sets have equal identifying attributes. */
export function nameTheSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return NAMING.every((name) => one[name] === other[name]);
}

function keep(lasting: Record<string, string>, name: string, value: string | null): void {
  if (value !== null && value.trim() !== '' && value.length <= LONGEST_VALUE && !MADE_UP.test(value))
    lasting[name] = value;
}

// Without the query string, which often contains session data.
function addressOf(element: Element): string | null {
  const address = attributeOf(element, 'href');
  return address === null || /^\s*(javascript|data|blob):/i.test(address) ? null : address.replace(/[?].*$/s, '');
}

// Authors set the value of a radio button or checkbox; users set the value of other fields.
function isChoice(element: Element): boolean {
  return localNameOf(element) === 'input' && /^(radio|checkbox)$/i.test(attributeOf(element, 'type') ?? '');
}
