import { numbersIn } from '../places/numbers-in.ts';
import type { Scalar } from '../places/line-index.ts';
import type { Reading } from './extraction-plan.ts';

/** Returns how to extract the value from `text`. Returns `undefined` if `text` lacks the value or is ambiguous. */
export function readingOf(text: string, value: Scalar): Reading | undefined {
  if (typeof value === 'number') return numberReading(text, value);
  if (typeof value !== 'string' || value === '') return undefined;
  const start = text.indexOf(value);
  if (start >= 0 && text.indexOf(value, start + 1) < 0)
    return around(text, { start, end: start + value.length }, 'text');
  return text.toLowerCase() === value ? { before: '', after: '', form: 'lower-case text' } : undefined;
}

/** Applies a reading to other text. Returns `undefined` if the text does not fit. */
export function valueIn(text: string, { before, after, form }: Reading): Scalar | undefined {
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  const value = text.slice(before.length, text.length - after.length);
  if (value === '') return undefined;
  if (form === 'text') return value;
  if (form === 'lower-case text') return value.toLowerCase();
  return numberOf(
    value,
    form === 'number with point' ? /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/ : /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/,
  );
}

export function commonReading(one: Reading, other: Reading): Reading | undefined {
  if (one.before !== other.before || one.after !== other.after) return undefined;
  return one.form === other.form ? one : undefined;
}

function numberReading(text: string, value: number): Reading | undefined {
  const written = numbersIn(text).filter((number) => number.value === value);
  const [only] = written;
  if (written.length !== 1 || !only) return undefined;
  const { before, after } = around(text, only, 'text');
  for (const form of ['number with point', 'number with comma'] as const)
    if (valueIn(text, { before, after, form }) === value) return { before, after, form };
  return undefined;
}

function numberOf(text: string, form: RegExp): number | undefined {
  if (!form.test(text)) return undefined;
  const decimal = form.source.includes('(\\.\\d+)?') ? '.' : ',';
  return Number(text.replaceAll(decimal === '.' ? ',' : '.', '').replace(',', '.'));
}

function around(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  form: Reading['form'],
): Reading {
  return { before: text.slice(0, start), after: text.slice(end), form };
}
