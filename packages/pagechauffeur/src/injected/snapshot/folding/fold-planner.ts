import type { WireNode } from '../../contract.ts';
import { elementOfRef } from '../../refs.ts';
import { type Excerpt, excerptOf, type TextCut } from './excerpts.ts';
import type { FoldMeasure, FoldPlan } from './fold-plan.ts';
import { type FoldableLines, type LineFindings, Planning } from './fold-planning.ts';
import { type Kept, KeptLines } from './kept-lines.ts';
import { holderOfText, type LineGroup } from '../lines/line-list.ts';
import { type Item, partsOf, type Run, runsIn, textOfItem } from './repetition.ts';
import { isNavigation, keptInNavigation } from './navigation-folds.ts';
import { tokensIn } from './token-estimate.ts';
import { isCellRole, type WireLine } from '../lines/wire-line.ts';

/** Maximum characters of expanded text. */
const LONGEST_EXPANDED = 400_000;

/** Plans which lines are shown. Caches what all plans for a page share. */
export class FoldPlanner {
  readonly #lines: FoldableLines;
  readonly #expanded: Element | null;
  readonly #runs = new Map<readonly WireNode[] | LineGroup, readonly Run[]>();
  readonly #wanted = new Map<Run, ReadonlySet<number>>();
  readonly #kept = new Map<WireLine, ReadonlySet<WireNode>>();
  readonly #tokens = new Map<string, number>();
  readonly #keptByLimit = new Map<number, Kept>();
  #keptLines: KeptLines | undefined;

  constructor(lines: FoldableLines) {
    this.#lines = lines;
    this.#expanded = lines.expand === 0 ? null : elementOfRef(lines.expand);
  }

  /** If the plan's tokens exceed the limit, the plan may be incomplete. */
  plan(measure: FoldMeasure): FoldPlan {
    const findings: LineFindings = {
      runsOf: this.#runsOf,
      wantedIn: this.#wantedIn,
      keptIn: this.#keptIn,
      isRequested: this.#isRequested,
      isExpanded: (holder) => holder === this.#expanded,
    };
    return new Planning(this.#lines, { ...measure, cut: this.#truncationFor(measure) }, findings).plan();
  }

  keptWithin(limit: number): Kept {
    this.#keptLines ??= new KeptLines(this.#lines);
    const kept = this.#keptByLimit.get(limit) ?? this.#keptLines.within(limit);
    this.#keptByLimit.set(limit, kept);
    return kept;
  }

  #truncationFor({ textLimit, kept: { spots, matchLimit } }: FoldMeasure): TextCut {
    const excerpt = (text: string, lineRef: number): Excerpt | null => {
      if (text.length <= textLimit) return null;
      const spot = spots.get(text);
      const own = spot === undefined ? textLimit : Math.max(textLimit, matchLimit);
      const most = this.#isRequested(text, lineRef) ? LONGEST_EXPANDED : own;
      return text.length <= most ? null : excerptOf(text, most, spot);
    };
    return { excerpt, tokensIn: this.#tokensIn };
  }

  // Cached, because every plan counts the tokens of the same strings.
  readonly #tokensIn = (text: string): number => {
    const known = this.#tokens.get(text);
    if (known !== undefined) return known;
    const tokens = tokensIn(text);
    this.#tokens.set(text, tokens);
    return tokens;
  };

  readonly #isRequested = (text: string, lineRef: number): boolean => {
    const { expand } = this.#lines;
    if (expand === 0) return false;
    return lineRef === expand || (this.#expanded !== null && holderOfText(text) === this.#expanded);
  };

  readonly #runsOf = (lines: readonly WireNode[], group: LineGroup | null): readonly Run[] => {
    const key = group ?? lines;
    const known = this.#runs.get(key);
    if (known) return known;
    const groups = group ? group.inner : this.#lines.facts.groupsOf(lines);
    const { start, end } = group ?? { start: 0, end: lines.length };
    const runs = runsIn(partsOf(groups, start, end), lines);
    this.#runs.set(key, runs);
    return runs;
  };

  readonly #wantedIn = (run: Run, lines: readonly WireNode[]): ReadonlySet<number> => {
    const known = this.#wanted.get(run);
    if (known) return known;
    const textOf = (index: number): string => textOfItem(run[index] ?? [], lines);
    // Single cells are not selected, because cells match their column headers only if all rows fold the same columns.
    const isRow = isCellRole(this.#roleOf(run[0], lines));
    const wanted = isRow || !this.#lines.wanted ? NONE : this.#lines.wanted.among(run.length, textOf);
    this.#wanted.set(run, wanted);
    return wanted;
  };

  readonly #keptIn = (line: WireLine): ReadonlySet<WireNode> | null => {
    const { roles, foldsNavigation, expand } = this.#lines;
    if (!foldsNavigation || !isNavigation(line, roles)) return null;
    const known = this.#kept.get(line);
    if (known) return known;
    const kept = keptInNavigation(line, { roles, expand, wanted: this.#lines.wanted });
    this.#kept.set(line, kept);
    return kept;
  };

  #roleOf(item: Item | undefined, lines: readonly WireNode[]): string {
    const line = lines[item?.[0]?.start ?? -1];
    return line === undefined || typeof line === 'string' ? '' : (this.#lines.roles[line[0]] ?? '');
  }
}

const NONE: ReadonlySet<number> = new Set();
