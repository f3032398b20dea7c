/** A number as it is written: digits, with points, commas, apostrophes or narrow spaces between them. */
const FIGURES = /\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;
/** What stands between the digits of telephone numbers and cards. */
const GAPS = /[\s()/+-]/g;

/** The numbers in figures that a text holds. */
export function figuresIn(text: string): { readonly values: readonly number[] } {
  const runs = [...runsIn(text), ...(plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? [])];
  return { values: runs.flatMap(valuesOf) };
}

/** Whether every number in a text is one that the instruction names, with its decimals. */
export function areFiguresIn(text: string, instruction: string): boolean {
  const named = new Set(figuresIn(instruction).values);
  const closedUp = plainDigits(instruction).replace(GAPS, '');
  return (plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? []).every(
    (figures) =>
      valuesOf(figures).some((value) => named.has(value)) ||
      hasRun(closedUp, plainDigits(text).replace(GAPS, ''), figures),
  );
}

/** The numbers that a text is, when it is nothing else but one, with a currency or `%` at most. */
export function numbersOf(text: string): readonly number[] {
  const bare = plainDigits(text)
    .replace(/^[\s+\-−]*(?:[$€£¥]|[A-Z]{3})?\s*|\s*(?:[%$€£¥]|[A-Z]{3})?\s*$/g, '')
    .trim();
  return runsIn(bare)[0] === bare ? valuesOf(bare) : [];
}

function runsIn(text: string): readonly string[] {
  return plainDigits(text).match(FIGURES) ?? [];
}

/** Digits of other scripts as `0` to `9`. */
function plainDigits(text: string): string {
  return text.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfe_e0));
}

/** The numbers that figures can mean: points and commas part decimals in one country and thousands in another. */
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

/** Whether a text is, or has, a number below zero. */
export function isNegative(text: string): boolean {
  return /(?<![\w-])[-−]\s?\d|\bminus\b/i.test(text);
}

/** Whether an instruction speaks of a number below zero, by a sign or in words. */
export function speaksOfNegative(instruction: string): boolean {
  return isNegative(instruction) || BELOW_ZERO.test(instruction);
}

/** Also west and south, which are negative in degrees. */
const BELOW_ZERO =
  /\b(?:below zero|below freezing|unter null|sous zéro|bajo cero|negative|west|south)\b|\d\s?°?\s?[SW]\b|マイナス|负|零下/;

/** Whether a text is one long run of digits, as of a telephone number, that stands in the instruction. */
export function isRunIn(text: string, instruction: string): boolean {
  const closed = plainDigits(text).replace(GAPS, '');
  return /^\d+$/.test(closed) && hasRun(plainDigits(instruction).replace(GAPS, ''), closed, closed);
}

/** Whether long figures stand in the instruction with gaps of their own, as telephone numbers do, or without the zeros before them. */
function hasRun(instruction: string, text: string, figures: string): boolean {
  const digits = (/^\D*(\d+)\D*$/.exec(text)?.[1] ?? figures).replace(/^0+(?=\d{6})/, '');
  return (
    digits.length >= SHORTEST_RUN && (instruction.match(/\d+(?:[.,]\d+)*/g) ?? []).some((run) => run.includes(digits))
  );
}

/** Shorter figures are amounts. */
const SHORTEST_RUN = 6;
