import { tagOf } from '../element/describe.ts';
import { newElement } from '../native-document.ts';

/** `value` is in the format that the input itself uses. */
export type AcceptedValue =
  | { readonly kind: 'accepted'; readonly value: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Completes messages: "Pass a date as …". */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date as YYYY-MM-DD, such as 2026-03-31',
  time: 'a time as HH:MM or HH:MM:SS, such as 14:30',
  'datetime-local': 'a date and time as YYYY-MM-DDTHH:MM, such as 2026-03-31T14:30',
  month: 'a month as YYYY-MM, such as 2026-03',
  week: 'a week as YYYY-Www, such as 2026-W13',
  color: 'a color as #rrggbb, such as #1e90ff',
  number: 'a number with a point before decimals, such as 12.5',
  range: 'a number',
};
const INSTEAD: Readonly<Record<string, string>> = { file: 'Upload a file', checkbox: 'Check it', radio: 'Check it' };

const NOT_TYPED: ReadonlySet<string> = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image']);

/** Tests the value on a copy of the input, so that the browser's own rules apply. */
export function acceptedValue(input: HTMLInputElement, value: string): AcceptedValue {
  const { type } = input;
  if (NOT_TYPED.has(type))
    return refuse(input, `is a ${type} input, which accepts no value. ${INSTEAD[type] ?? 'Click it'} instead`);
  const format = FORMATS[type];
  if (!format) return { kind: 'accepted', value };
  const wanted = value.trim();
  const kept = valueKept(input, wanted);
  if (type === 'color' ? kept.toLowerCase() !== wanted.toLowerCase() : kept === '' && wanted !== '') {
    return refuse(input, `does not accept "${value}". Pass ${format}`);
  }
  if (type === 'range' && isOutside(input, wanted)) {
    return refuse(input, `does not accept "${value}". Pass a number from ${input.min || 0} to ${input.max || 100}`);
  }
  return { kind: 'accepted', value: kept };
}

/** True if the input's value equals the text in any notation, such as `1e3` and `1000`. */
export function holdsValue(input: Element, text: string): boolean {
  if (!(input instanceof HTMLInputElement)) return false;
  const kept = valueKept(input, text.trim());
  return kept === input.value || (kept !== '' && Number(kept) === Number(input.value));
}

function valueKept(input: HTMLInputElement, value: string): string {
  const copy = newElement('input');
  copy.type = input.type;
  for (const name of ['min', 'max', 'step'] as const) copy[name] = input[name];
  copy.value = value;
  return copy.value;
}

// A slider clamps numbers to its range and sets other text to the middle, so its resulting value proves nothing.
function isOutside(input: HTMLInputElement, value: string): boolean {
  const number = value === '' ? Number.NaN : Number(value);
  return !(number >= Number(input.min || 0) && number <= Number(input.max || 100));
}

function refuse(input: HTMLInputElement, why: string): AcceptedValue {
  return { kind: 'refused', message: `${tagOf(input)} ${why}.` };
}
