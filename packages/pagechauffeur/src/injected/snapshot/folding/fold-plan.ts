import type { WireNode, WireProperties } from '../../contract.ts';
import { type TextCut, UNCUT } from './excerpts.ts';
import type { Kept } from './kept-lines.ts';
import type { Run } from './repetition.ts';

export interface FoldMeasure {
  /** Visible items at the start of a run. */
  readonly most: number;
  /** Maximum characters of text, a name or a value. */
  readonly textLimit: number;
  /** Maximum tokens. A plan that exceeds it may be incomplete. */
  readonly limit: number;
  readonly kept: Kept;
  /** Shows only kept lines, and as many others from the start of the page as fit into `spare` tokens. */
  readonly isCut: boolean;
  /** Tokens for lines that would otherwise be folded. */
  readonly spare: number;
}

/** A range of folded lines, as indexes in their list. */
export interface Fold {
  readonly start: number;
  /** Index after the last line. */
  readonly end: number;
  /** Number of folded items, or of lines if `noun` is `line`. */
  readonly count: number;
  /** In the singular, such as `row`, `group` or `line`. */
  readonly noun: string;
  /** Names of the first items. Only for navigation. */
  readonly names?: string;
  /** The element whose ref expands the fold if the folded lines have no refs. */
  readonly holder?: Element | undefined;
}

/** `folded` has ranges of items, as pairs: the first index, then the index after the last. */
export interface FoldedPart {
  readonly lines: readonly WireNode[];
  readonly folded: number[];
}

export interface FoldPlan {
  /** Estimated tokens of visible lines and folds, without expanded lines. */
  readonly tokens: number;
  /** Folds by list of lines, in document order. */
  readonly folds: ReadonlyMap<readonly WireNode[], readonly Fold[]>;
  /** Only runs with folded items. */
  readonly runs: ReadonlyMap<Run, FoldedPart>;
  /** Indexes of the visible options, for long `select` lists. */
  readonly options: ReadonlyMap<WireProperties, readonly number[]>;
  readonly cut: TextCut;
}

/** Folds nothing. */
export const WHOLE: FoldPlan = {
  tokens: 0,
  folds: new Map(),
  runs: new Map(),
  options: new Map(),
  cut: UNCUT,
};

/** A line, or a fold that replaces lines. */
export type Shown =
  | { readonly line: WireNode; readonly fold?: undefined }
  | { readonly fold: Fold; readonly line?: undefined };

export function forEachShown(lines: readonly WireNode[], plan: FoldPlan, show: (shown: Shown) => void): void {
  const folds = plan.folds.get(lines);
  if (!folds) {
    for (const line of lines) show({ line });
    return;
  }
  let index = 0;
  for (const fold of folds) {
    for (const line of lines.slice(index, fold.start)) show({ line });
    show({ fold });
    index = fold.end;
  }
  for (const line of lines.slice(index)) show({ line });
}
