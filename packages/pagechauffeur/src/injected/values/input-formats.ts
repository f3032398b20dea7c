import { tagOf } from '../describe.ts';
import { newElement } from '../native-document.ts';

/** A value in the form that an input keeps it in, or why the input refuses it. */
export type AcceptedValue =
  | { readonly kind: 'accepted'; readonly value: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What each kind of input takes, for messages. */
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
const NOT_TYPED: ReadonlySet<string> = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image']);

/** Asks the browser, on a copy, whether an input takes a value. */
export function acceptedValue(input: HTMLInputElement, value: string): AcceptedValue {
  const { type } = input;
  if (NOT_TYPED.has(type))
    return refuse(
      input,
      `is a ${type} input: ${type === 'file' ? 'upload a file' : 'click or check it'} instead of giving it a value`,
    );
  const format = FORMATS[type];
  if (!format) return { kind: 'accepted', value };
  const wanted = value.trim();
  const kept = valueKept(input, wanted);
  if (type === 'color' ? kept.toLowerCase() !== wanted.toLowerCase() : kept === '' && wanted !== '') {
    return refuse(input, `does not take "${value}": it takes ${format}`);
  }
  if (type === 'range' && isOutside(input, wanted)) {
    return refuse(input, `does not take "${value}": it goes from ${input.min || 0} to ${input.max || 100}`);
  }
  return { kind: 'accepted', value: kept };
}

/** Whether an input for dates, numbers and their like holds what a text means, in whatever spelling. */
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

// A slider moves any number into its range, so what it keeps tells nothing; what is no number at all comes out as the middle.
function isOutside(input: HTMLInputElement, value: string): boolean {
  const number = value === '' ? Number.NaN : Number(value);
  return !(number >= Number(input.min || 0) && number <= Number(input.max || 100));
}

function refuse(input: HTMLInputElement, why: string): AcceptedValue {
  return { kind: 'refused', message: `${tagOf(input)} ${why}.` };
}
