/** A number in digits. Separators are points, commas, apostrophes and spaces. */
const FIGURES = /\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;
/** Separators in phone and card numbers. */
const GAPS = /[\s()/+-]/g;

/** Returns the numbers that a text contains in digits. */
export function figuresIn(text: string): { readonly values: readonly number[] } {
  const runs = [...runsIn(text), ...(plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? [])];
  return { values: runs.flatMap(valuesOf) };
}

/** True if the instruction contains every number of the text, including the decimals. */
export function areFiguresIn(text: string, instruction: string): boolean {
  const named = new Set(figuresIn(instruction).values);
  const closedUp = plainDigits(instruction).replace(GAPS, '');
  return (plainDigits(text).match(/\d+(?:[.,]\d+)*/g) ?? []).every(
    (figures) =>
      valuesOf(figures).some((value) => named.has(value)) ||
      hasRun(closedUp, plainDigits(text).replace(GAPS, ''), figures),
  );
}

/**
 * Returns the possible values, without sign, of text that is one number with an optional currency or `%`. Returns `[]`
 * for other text.
 */
export function numbersOf(text: string): readonly number[] {
  const bare = plainDigits(text)
    .replace(/^[\s+\-−]*(?:[$€£¥]|[A-Z]{3})?\s*|\s*(?:[%$€£¥]|[A-Z]{3})?\s*$/g, '')
    .trim();
  return runsIn(bare)[0] === bare ? valuesOf(bare) : [];
}

function runsIn(text: string): readonly string[] {
  return plainDigits(text).match(FIGURES) ?? [];
}

/** Converts full-width digits to ASCII. */
function plainDigits(text: string): string {
  return text.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfe_e0));
}

/** Returns all readings of the separators, which differ by country: `1.500` is 1.5 or 1500. */
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

export function isNegative(text: string): boolean {
  return /(?<![\w-])[-−]\s?\d|\bminus\b/i.test(text);
}

/** True if an instruction means a negative number, also without a sign: "5 below zero". */
export function speaksOfNegative(instruction: string): boolean {
  return isNegative(instruction) || BELOW_ZERO.test(instruction);
}

/** Includes west and south, because they are negative in coordinates. */
const BELOW_ZERO =
  /\b(?:below zero|below freezing|unter null|sous zéro|bajo cero|negative|west|south)\b|\d\s?°?\s?[SW]\b|マイナス|负|零下/;

/** True if the text is one long digit sequence, such as a phone number, that the instruction contains. */
export function isRunIn(text: string, instruction: string): boolean {
  const closed = plainDigits(text).replace(GAPS, '');
  return /^\d+$/.test(closed) && hasRun(plainDigits(instruction).replace(GAPS, ''), closed, closed);
}

/** Ignores leading zeros. Sequences shorter than {@link SHORTEST_RUN} do not count. */
function hasRun(instruction: string, text: string, figures: string): boolean {
  const digits = (/^\D*(\d+)\D*$/.exec(text)?.[1] ?? figures).replace(/^0+(?=\d{6})/, '');
  return (
    digits.length >= SHORTEST_RUN && (instruction.match(/\d+(?:[.,]\d+)*/g) ?? []).some((run) => run.includes(digits))
  );
}

/** Shorter digit sequences count as amounts. */
const SHORTEST_RUN = 6;
