/** Digits with group and decimal separators, and an optional sign. */
const WRITTEN_NUMBER = /[-−]?\d+(?:[.,'’\u00A0\u202F ]\d+)*/g;

export interface WrittenNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Returns all numbers in `text`. Ambiguous ones appear twice: `1.250` is 1.25 or 1250. */
export function numbersIn(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(WRITTEN_NUMBER)].flatMap(({ 0: written, index: start }) =>
    valuesOf(written).map((value) => ({ value, start, end: start + written.length })),
  );
}

function valuesOf(written: string): number[] {
  const digits = written.replace('−', '-').replace(/['’\u00A0\u202F ]/g, '');
  const separators = digits.match(/[.,]/g) ?? [];
  const [first, last] = [separators[0], separators.at(-1)];
  if (first === undefined || last === undefined) return [Number(digits)];
  if (first !== last) return [withDecimals(digits, last)];
  if (separators.length > 1) return [grouped(digits)];
  return /[.,]\d{3}$/.test(digits) ? [grouped(digits), withDecimals(digits, last)] : [withDecimals(digits, last)];
}

function grouped(digits: string): number {
  return Number(digits.replace(/[.,]/g, ''));
}

function withDecimals(digits: string, separator: string): number {
  const place = digits.lastIndexOf(separator);
  return Number(`${digits.slice(0, place).replace(/[.,]/g, '')}.${digits.slice(place + 1)}`);
}
