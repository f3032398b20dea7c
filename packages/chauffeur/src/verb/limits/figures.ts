/** A number as it is written: digits, with points and commas between them. */
const FIGURES = /\d+(?:[.,]\d+)*/g;
/** What stands between the digits of telephone numbers and cards. */
const GAPS = /[\s()/+-]/g;

/** Whether every number in a text is one that the instruction names, with its decimals. */
export function areFiguresIn(text: string, instruction: string): boolean {
  const named = new Set((instruction.match(FIGURES) ?? []).flatMap(valuesOf));
  const closedUp = instruction.replace(GAPS, '');
  return (text.match(FIGURES) ?? []).every(
    (figures) =>
      valuesOf(figures).some((value) => named.has(value)) || hasRun(closedUp, text.replace(GAPS, ''), figures),
  );
}

/** The numbers that figures can mean: points and commas part decimals in one country and thousands in another. */
function valuesOf(figures: string): number[] {
  const separators = new Set(figures.replace(/\d/g, ''));
  const [before = '', after = ''] = figures.split(/[.,](?=\d+$)/);
  const decimal = Number(`${before.replace(/[.,]/g, '')}.${after || '0'}`);
  const whole = Number(figures.replace(/[.,]/g, ''));
  if (separators.size === 0) return [whole];
  if (separators.size > 1) return [decimal];
  if (/[.,]/.test(before)) return [whole];
  return after.length === 3 ? [decimal, whole] : [decimal];
}

/** Whether a text has a number below zero. */
export function isNegative(text: string): boolean {
  return /(?<![\w-])[-−]\s?\d|\bminus\b/i.test(text);
}

/** Whether long figures stand in the instruction with gaps of their own, as telephone numbers do. */
function hasRun(instruction: string, text: string, figures: string): boolean {
  const digits = /^\D*(\d+)\D*$/.exec(text)?.[1] ?? figures;
  return digits.length >= SHORTEST_RUN && (instruction.match(FIGURES) ?? []).some((run) => run.includes(digits));
}

/** Shorter figures are amounts. */
const SHORTEST_RUN = 6;
