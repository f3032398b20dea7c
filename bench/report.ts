/** One figure of one library in one case. */
export interface Row {
  /** The case, such as `1,000 elements`. */
  readonly subject: string;
  readonly library: string;
  readonly unit: 'ms' | 'tokens' | 'calls' | 'round trips' | 'kB';
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Runs from which the median was taken. */
  readonly runs: number;
}

export interface Goal {
  readonly text: string;
  readonly reached: string;
  readonly isMet: boolean;
}

export interface Report {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
  /** Replaces the default table with one row per figure. */
  readonly table?: FigureTable;
}

/** The first two columns are text, the others numbers. */
export interface FigureTable {
  readonly heads: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

type Bound = ({ readonly atLeast: number } | { readonly atMost: number }) & { readonly unit?: string };

/** For example `goal('at least 5 × as fast', ratio, { atLeast: 5 })`. */
export function goal(text: string, value: number, bound: Bound): Goal {
  const isMet = 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
  return { text, reached: `${formatNumber(value)}${bound.unit ?? ''}`, isMet };
}

/** Undefined if the case was not measured. */
export function medianOf(rows: readonly Row[], subject: string, library: string): number | undefined {
  return rows.find((row) => row.subject === subject && row.library === library)?.median;
}

/** Undefined if one of the values is missing. */
export function ratioOf(numerator: number | undefined, denominator: number | undefined): number | undefined {
  return numerator === undefined || denominator === undefined ? undefined : numerator / denominator;
}

/** Thousands separators, and up to two decimals for numbers below 100. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
