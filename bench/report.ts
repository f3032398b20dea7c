/** A figure of one library in one case. */
export interface Row {
  /** The case, such as `1,000 elements`. */
  readonly subject: string;
  readonly library: string;
  readonly unit: 'ms' | 'tokens' | 'calls' | 'round trips' | 'kB';
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Counted runs behind the median. */
  readonly runs: number;
}

/** A goal and the figure that was reached. */
export interface Goal {
  readonly text: string;
  readonly reached: string;
  readonly isMet: boolean;
}

/** What one benchmark found. */
export interface Report {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
  /** Where one figure a line does not tell enough, this is shown in place of the rows. */
  readonly table?: FigureTable;
}

/** A table of its own form; the first two columns are words, the others figures. */
export interface FigureTable {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

/** How much a value may be, and what it is counted in. */
type Bound = ({ readonly atLeast: number } | { readonly atMost: number }) & { readonly unit?: string };

/** A goal of the form "at least so many times as fast as the other" or "at most so much". */
export function goal(text: string, value: number, bound: Bound): Goal {
  const isMet = 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
  return { text, reached: `${formatNumber(value)}${bound.unit ?? ''}`, isMet };
}

/** The median of a library in a case; undefined when it was not measured. */
export function medianOf(rows: readonly Row[], subject: string, library: string): number | undefined {
  return rows.find((row) => row.subject === subject && row.library === library)?.median;
}

/** How many times the denominator's figure the numerator's is; undefined when one was not measured. */
export function ratioOf(numerator: number | undefined, denominator: number | undefined): number | undefined {
  return numerator === undefined || denominator === undefined ? undefined : numerator / denominator;
}

/** A number for people: separators for thousands, a decimal or two for small ones. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
