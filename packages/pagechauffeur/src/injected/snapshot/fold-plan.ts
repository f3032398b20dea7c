import type { WireNode, WireProperties } from '../contract.ts';
import { type TextCut, UNCUT } from './excerpts.ts';
import type { Kept } from './kept-places.ts';
import type { Run } from './repetition.ts';

/** Limits of a plan. */
export interface FoldMeasure {
  /** Number of visible items at the start of a run. */
  readonly most: number;
  /** Maximum characters of a text, name or value. */
  readonly textLimit: number;
  /** Maximum tokens. Planning may stop when the plan exceeds it. */
  readonly limit: number;
  readonly kept: Kept;
  /** Shows only kept lines and, from the start of the page, as many other lines as fit into `spare` tokens. */
  readonly isCut: boolean;
  /** Tokens for lines that would otherwise be folded. */
  readonly spare: number;
}

/** A range of folded lines, as indexes in their list. */
export interface Fold {
  readonly start: number;
  /** Index after the last line. */
  readonly end: number;
  /** Number of folded items. An item can have several lines. */
  readonly count: number;
  /** The plural noun of the items, such as `rows`. */
  readonly noun: string;
  /** The names of the items, as many as fit into one line. Only for navigation. */
  readonly names?: string;
  /** The element whose ref expands the fold if the folded lines have no refs. */
  readonly holder?: Element | undefined;
}

/** The lines of a run and the ranges of folded items, as pairs of the first index and the index after the last. */
export interface FoldedPart {
  readonly lines: readonly WireNode[];
  readonly folded: number[];
}

/** Decides which lines of a page are shown. */
export interface FoldPlan {
  /** Estimated tokens of the visible lines. */
  readonly tokens: number;
  /** The folds in each list of lines, in document order. */
  readonly folds: ReadonlyMap<readonly WireNode[], readonly Fold[]>;
  /** The runs with folded items. */
  readonly runs: ReadonlyMap<Run, FoldedPart>;
  /** The indexes of the visible options in long `select` lists. */
  readonly options: ReadonlyMap<WireProperties, readonly number[]>;
  /** The excerpts of long texts, names and values. */
  readonly cut: TextCut;
}

/** The plan that folds nothing. */
export const WHOLE: FoldPlan = {
  tokens: 0,
  folds: new Map(),
  runs: new Map(),
  options: new Map(),
  cut: UNCUT,
};

/** An entry of a rendered list: a line, or a fold that replaces lines. */
export type Shown =
  | { readonly line: WireNode; readonly fold?: undefined }
  | { readonly fold: Fold; readonly line?: undefined };

/** Calls `show` for each line and fold of a list, in order. */
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
