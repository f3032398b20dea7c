import type { WireNode, WireProperties } from '../contract.ts';
import type { Run } from './repetition.ts';

/** Lines that are folded away, by their places in their list. */
export interface Fold {
  readonly start: number;
  /** One past the last. */
  readonly end: number;
  /** How many things are in it; one may take several lines. */
  readonly count: number;
  /** What they are, such as `rows`. */
  readonly noun: string;
  /** Their names, as far as they fit one line; only of navigation. */
  readonly names?: string;
}

/** A run's lines, and which of its things are folded away: the first place and one past the last, pair after pair. */
export interface FoldedPart {
  readonly lines: readonly WireNode[];
  readonly folded: number[];
}

/** What of a page's lines is shown. */
export interface FoldPlan {
  /** Tokens of what is shown, by estimate. */
  readonly tokens: number;
  /** What is folded in a list of lines, in order. */
  readonly folds: ReadonlyMap<readonly WireNode[], readonly Fold[]>;
  /** The runs of which something is folded away. */
  readonly runs: ReadonlyMap<Run, FoldedPart>;
  /** The options that are shown of a long list of them, by their places. */
  readonly options: ReadonlyMap<WireProperties, readonly number[]>;
  /** Texts, names and values are cut off after so many characters. */
  readonly textLimit: number;
}

/** The plan that shows everything. */
export const WHOLE: FoldPlan = {
  tokens: 0,
  folds: new Map(),
  runs: new Map(),
  options: new Map(),
  textLimit: Infinity,
};

/** What is shown of a list: a line, or a fold in place of some. */
export type Shown =
  | { readonly line: WireNode; readonly fold?: undefined }
  | { readonly fold: Fold; readonly line?: undefined };

/** Goes through a list as it is shown, in order. */
export function forEachShown(lines: readonly WireNode[], plan: FoldPlan, show: (shown: Shown) => void): void {
  const folds = plan.folds.get(lines);
  if (!folds) {
    for (const line of lines) show({ line });
    return;
  }
  let place = 0;
  for (const fold of folds) {
    for (const line of lines.slice(place, fold.start)) show({ line });
    show({ fold });
    place = fold.end;
  }
  for (const line of lines.slice(place)) show({ line });
}
