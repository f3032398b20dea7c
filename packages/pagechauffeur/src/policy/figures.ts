/** A number in digits, with points, commas, apostrophes or narrow spaces as separators. */
const FIGURES = /\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;
/** Separators in phone and card numbers. */
const GAPS = /[\s()/+-]/g;

/** Returns the numbers in a text that are written in digits. */
export function figuresIn(text: string): { readonly values: readonly number[] } {
  const runs = [...runsIn(text), ...(plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? [])];
  return { values: runs.flatMap(valuesOf) };
}

/** True if the instruction contains every number of a text, including decimals. */
export function areFiguresIn(text: string, instruction: string): boolean {
  const named = new Set(figuresIn(instruction).values);
  const closedUp = plainDigits(instruction).replace(GAPS, '');
  return (plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? []).every(
    (figures) =>
      valuesOf(figures).some((value) => named.has(value)) ||
      hasRun(closedUp, plainDigits(text).replace(GAPS, ''), figures),
  );
}

/** Returns the possible values of a text that is a single number, with at most a currency or `%`. */
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

/**
 * Returns the possible values of a number. Points and commas are decimal separators in some countries and group
 * separators in others.
 */
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

/** True if a text contains a negative number. */
export function isNegative(text: string): boolean {
  return /(?<![\w-])[-−]\s?\d|\bminus\b/i.test(text);
}

/** True if an instruction contains a negative number, as digits or in words. */
export function speaksOfNegative(instruction: string): boolean {
  return isNegative(instruction) || BELOW_ZERO.test(instruction);
}

/** Words for negative numbers. Includes west and south, which are negative in coordinates. */
const BELOW_ZERO =
  /\b(?:below zero|below freezing|unter null|sous zéro|bajo cero|negative|west|south)\b|\d\s?°?\s?[SW]\b|マイナス|负|零下/;

/** True if a text is one long digit sequence, such as a phone number, and the instruction contains it. */
export function isRunIn(text: string, instruction: string): boolean {
  const closed = plainDigits(text).replace(GAPS, '');
  return /^\d+$/.test(closed) && hasRun(plainDigits(instruction).replace(GAPS, ''), closed, closed);
}

/** True if the instruction contains a digit sequence. Ignores separators, as in phone numbers, and leading zeros. */
function hasRun(instruction: string, text: string, figures: string): boolean {
  const digits = (/^\D*(\d+)\D*$/.exec(text)?.[1] ?? figures).replace(/^0+(?=\d{6})/, '');
  return (
    digits.length >= SHORTEST_RUN && (instruction.match(/\d+(?:[.,]\d+)*/g) ?? []).some((run) => run.includes(digits))
  );
}

/** Minimum length of a digit sequence. Shorter ones are amounts. */
const SHORTEST_RUN = 6;
