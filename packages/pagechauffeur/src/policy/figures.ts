/** A written number: digits with points, commas, apostrophes or narrow spaces between them. */
const FIGURES = /\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;
/** Separators in phone and card numbers. */
const GAPS = /[\s()/+-]/g;

/** Numbers in digits that a text contains. */
export function figuresIn(text: string): { readonly values: readonly number[] } {
  const runs = [...runsIn(text), ...(plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? [])];
  return { values: runs.flatMap(valuesOf) };
}

/** True if the instruction mentions every number of a text, decimals included. */
export function areFiguresIn(text: string, instruction: string): boolean {
  const named = new Set(figuresIn(instruction).values);
  const closedUp = plainDigits(instruction).replace(GAPS, '');
  return (plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? []).every(
    (figures) =>
      valuesOf(figures).some((value) => named.has(value)) ||
      hasRun(closedUp, plainDigits(text).replace(GAPS, ''), figures),
  );
}

/** Values of a text that is a single number, with a currency or `%` at most. */
export function numbersOf(text: string): readonly number[] {
  const bare = plainDigits(text)
    .replace(/^[\s+\-−]*(?:[$€£¥]|[A-Z]{3})?\s*|\s*(?:[%$€£¥]|[A-Z]{3})?\s*$/g, '')
    .trim();
  return runsIn(bare)[0] === bare ? valuesOf(bare) : [];
}

function runsIn(text: string): readonly string[] {
  return plainDigits(text).match(FIGURES) ?? [];
}

/** Converts digits of other scripts to `0`–`9`. */
function plainDigits(text: string): string {
  return text.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfe_e0));
}

/** Values that digits can mean. Points and commas are decimal separators in some countries and thousands separators in others. */
function valuesOf(figures: string): number[] {
  const closed = figures.replace(/['’ \u00a0\u202f]/g, '');
  const separators = new Set(closed.replace(/\d/g, ''));
  const [before = '', after = ''] = closed.split(/[.,](?=\d+$)/);
  const decimal = Number(`${before.replace(/[.,]/g, '')}.${after || '0'}`);
  const whole = Number(closed.replace(/[.,]/g, ''));
  if (separators.size === 0) return [whole];
  if (separators.size > 1) return [decimal];
  if (/[.,]/.test(before)) return [whole];
  return after.length === 3 ? [decimal, whole] : [decimal];
}

/** True if a text is or contains a negative number. */
export function isNegative(text: string): boolean {
  return /(?<![\w-])[-−]\s?\d|\bminus\b/i.test(text);
}

/** True if an instruction mentions a negative number, by sign or in words. */
export function speaksOfNegative(instruction: string): boolean {
  return isNegative(instruction) || BELOW_ZERO.test(instruction);
}

/** Includes west and south, which are negative in degrees. */
const BELOW_ZERO =
  /\b(?:below zero|below freezing|unter null|sous zéro|bajo cero|negative|west|south)\b|\d\s?°?\s?[SW]\b|マイナス|负|零下/;

/** True if a text is one long digit sequence, such as a phone number, that the instruction contains. */
export function isRunIn(text: string, instruction: string): boolean {
  const closed = plainDigits(text).replace(GAPS, '');
  return /^\d+$/.test(closed) && hasRun(plainDigits(instruction).replace(GAPS, ''), closed, closed);
}

/** True if the instruction contains a digit sequence with other separators, as in phone numbers, or without leading zeros. */
function hasRun(instruction: string, text: string, figures: string): boolean {
  const digits = (/^\D*(\d+)\D*$/.exec(text)?.[1] ?? figures).replace(/^0+(?=\d{6})/, '');
  return (
    digits.length >= SHORTEST_RUN && (instruction.match(/\d+(?:[.,]\d+)*/g) ?? []).some((run) => run.includes(digits))
  );
}

/** Shorter sequences are amounts. */
const SHORTEST_RUN = 6;
