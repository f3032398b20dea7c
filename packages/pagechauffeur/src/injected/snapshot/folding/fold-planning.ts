import type { WireNode, WireProperties } from '../../contract.ts';
import type { TextCut } from './excerpts.ts';
import { type Fold, type FoldedPart, type FoldMeasure, type FoldPlan } from './fold-plan.ts';
import { foldNoun, type Item, type Part, type Run } from './repetition.ts';
import { firstRef, holdsRef } from './folded-refs.ts';
import { isHeading } from './kept-lines.ts';
import {
  FOLD_TOKENS,
  tokensInDetails,
  tokensInHead,
  tokensInOption,
  tokensInOptions,
  tokensInText,
} from './line-tokens.ts';
import type { InlineLinks, LineGroup } from '../lines/line-list.ts';
import { FOLDABLE_LENGTH, type ListFacts, SHARED_OPTIONS_LENGTH } from '../lines/list-facts.ts';
import { endOfStretch, navigationFold } from './navigation-folds.ts';
import { optionRanges } from '../lines/option-ranges.ts';
import type { Wanted } from './wanted.ts';
import { childrenOf, isFlatItem, isFlatRow, propertiesOf, refIn, type WireLine } from '../lines/wire-line.ts';

/** Tokens of `as e12`, written for options that an earlier element lists too. */
const AS_BEFORE_TOKENS = 3;
/** Tokens that each part of an item on one line saves: a line break and indentation, and the `- ` before text. */
const SAVED_PER_PART = 1.5;
/** Maximum tokens of expanded lines. More would not fit into a prompt. */
const MAX_EXPANDED_TOKENS = 100_000;
/** Maximum options of a list in a menu or footer, such as the languages of a site. */
const MAX_OPTIONS_IN_NAVIGATION = 5;
/** With a smaller fraction of the spare tokens left, all later lines are folded. */
const MIN_SPARE = 1 / 8;
/** Smaller items are shown completely or not at all. */
const SMALL_ITEM_TOKENS = 300;

export interface FoldableLines {
  readonly nodes: readonly WireNode[];
  readonly roles: readonly string[];
  readonly showsUrls: boolean;
  readonly facts: ListFacts;
  readonly inlineLinks?: InlineLinks;
  readonly wanted: Wanted | null;
  /** The ref of an element to expand; 0 if there is none. */
  readonly expand: number;
  readonly foldsNavigation: boolean;
}

/** Lookups in `FoldPlanner`, shared by all plans. */
export interface LineFindings {
  readonly runsOf: (lines: readonly WireNode[], group: LineGroup | null) => readonly Run[];
  readonly wantedIn: (run: Run, lines: readonly WireNode[]) => ReadonlySet<number>;
  /** Returns the lines of a landmark that stay visible; `null` if the line is not a landmark that can be folded. */
  readonly keptIn: (line: WireLine) => ReadonlySet<WireNode> | null;
  /** True if `expand` is the ref of the line or of the element that contains the text. */
  readonly isRequested: (text: string, lineRef: number) => boolean;
  /** True if `expand` is the element's ref. */
  readonly isExpanded: (holder: Element) => boolean;
}

type FoldSummary = Pick<Fold, 'count' | 'noun' | 'names'>;

/** Builds one plan. Create a new instance for each. */
export class Planning {
  readonly #lines: FoldableLines;
  readonly #measure: FoldMeasure & { readonly cut: TextCut };
  readonly #findings: LineFindings;
  readonly #folds = new Map<readonly WireNode[], Fold[]>();
  readonly #foldedRuns = new Map<Run, FoldedPart>();
  readonly #options = new Map<WireProperties, readonly number[]>();
  readonly #listedOptions = new Set<string>();
  readonly #expandStarts = new Map<readonly WireNode[], number>();
  #tokens = 0;
  #expandedTokens = 0;
  #isExpanding = false;
  #hasExpanded = false;
  /** Tokens left for lines that may be folded. Infinite where all lines are shown. */
  #slack: number;
  /** Tokens left for items past the visible ones of their run. */
  #spare: number;
  /** Depth of the current list, and the closest element whose ref expands it. */
  #depth = 0;
  #holder: Element | undefined = document.documentElement;

  constructor(lines: FoldableLines, measure: FoldMeasure & { readonly cut: TextCut }, findings: LineFindings) {
    this.#lines = lines;
    this.#measure = measure;
    this.#findings = findings;
    this.#slack = measure.isCut ? measure.spare : Infinity;
    this.#spare = measure.isCut ? 0 : measure.spare;
  }

  plan(): FoldPlan {
    this.#list(this.#lines.nodes);
    const { cut } = this.#measure;
    return { tokens: this.#tokens, folds: this.#folds, runs: this.#foldedRuns, options: this.#options, cut };
  }

  #spend(tokens: number, isFree = false): void {
    if (this.#isExpanding) {
      this.#expandedTokens += tokens;
      return;
    }
    this.#tokens += tokens;
    if (!isFree) this.#slack -= tokens;
  }

  #isOver(): boolean {
    return this.#tokens > this.#measure.limit;
  }

  #list(lines: readonly WireNode[]): void {
    if (lines.length === 0) return;
    const outer = this.#holder;
    this.#holder = this.#lines.facts.elementOf(lines) ?? outer;
    this.#depth += 1;
    if (lines.length >= FOLDABLE_LENGTH && this.#measure.most < lines.length) this.#parts(lines, null);
    else for (let index = 0; index < lines.length && !this.#isOver(); index += 1) this.#lineAt(lines, index);
    this.#depth -= 1;
    this.#holder = outer;
  }

  /** Shows a line if it is kept, expanded, or fits into the tokens left. Otherwise folds it. */
  #lineAt(lines: readonly WireNode[], index: number): void {
    const line = lines[index] ?? '';
    const isRequested = this.#isRequested(line);
    const isKept = isRequested || this.#isKept(lines, index);
    if (!isKept && !this.#isExpanding && !this.#affords(line)) return this.#leaveOut(lines, index);
    if (this.#isUnit(line, isKept)) this.#whole(line, { isRequested, isKept });
    else this.#line(line, isRequested, isKept);
  }

  #isKept(lines: readonly WireNode[], index: number): boolean {
    const { matched, outline } = this.#measure.kept;
    return matched.has(lines, index) || outline.has(lines, index);
  }

  #isRequested(line: WireNode): boolean {
    if (this.#lines.expand === 0) return false;
    if (typeof line === 'string') return this.#findings.isRequested(line, 0);
    return this.#findings.isRequested(line[1] ?? '', refIn(line));
  }

  #affords(line: WireNode): boolean {
    if (this.#slack === Infinity) return true;
    const tokens = this.#isUnit(line, false) ? this.#tokensOfAll(line, this.#slack) : this.#tokensOf(line);
    if (tokens + FOLD_TOKENS * this.#depth <= this.#slack) return true;
    // With few of the spare tokens left, folds all later lines. Otherwise continues, so that one very long line does not
    // hide the rest.
    this.#slack = this.#slack > this.#measure.spare * MIN_SPARE ? this.#slack - FOLD_TOKENS : 0;
    return false;
  }

  #tokensOf(line: WireNode): number {
    const { cut } = this.#measure;
    if (typeof line === 'string') return tokensInText(line, cut);
    return tokensInHead(line, this.#lines.roles, cut) + tokensInDetails(line, cut);
  }

  /** Counts descendants too. Stops above `limit`. */
  #tokensOfAll(line: WireNode, limit: number): number {
    let tokens = this.#tokensOf(line);
    if (typeof line === 'string') return tokens;
    for (const child of childrenOf(line)) if (tokens <= limit) tokens += this.#tokensOfAll(child, limit - tokens);
    return tokens;
  }

  /** True for a row, whose cells are not folded one by one, and for a kept heading. */
  #isUnit(line: WireNode, isKept: boolean): boolean {
    const { roles } = this.#lines;
    return typeof line !== 'string' && (isFlatRow(line, roles) || (isKept && isHeading(line, roles)));
  }

  #whole(line: WireNode, { isRequested = false, isKept = false }): void {
    const [slack, tokens] = [this.#slack, this.#tokens];
    this.#slack = Infinity;
    this.#line(line, isRequested);
    this.#slack = isKept ? slack : slack - (this.#tokens - tokens);
  }

  #line(line: WireNode, isRequested = false, isFree = false): void {
    const wasExpanding = this.#isExpanding;
    this.#isExpanding ||= isRequested;
    this.#spend(this.#tokensOf(line), isFree);
    this.#isExpanding = wasExpanding;
    if (typeof line === 'string') return;
    const properties = propertiesOf(line);
    const { most } = this.#measure;
    if (isFlatItem(line, this.#lines.roles)) this.#spend(-SAVED_PER_PART * childrenOf(line).length, isFree);
    if (properties.options) this.#choice(line, properties, { options: properties.options, most });
    const kept = this.#findings.keptIn(line);
    if (kept) this.#navigation(childrenOf(line), kept);
    else this.#list(childrenOf(line));
  }

  /** Folds each range of lines that are not kept, if it is long enough. */
  #navigation(lines: readonly WireNode[], kept: ReadonlySet<WireNode>): void {
    for (let from = 0; from < lines.length;) {
      const to = endOfStretch(lines, from, kept);
      const summary = navigationFold(lines.slice(from, to), this.#lines.roles);
      if (summary) {
        this.#skip(lines, { start: from, end: to }, summary);
        this.#noteFolded(this.#runOfLines(lines), lines, { from, to });
      } else for (let index = from; index < to; index += 1) this.#lineAt(lines, index);
      const next = lines[to];
      if (typeof next === 'string') this.#line(next, false, true);
      else if (next !== undefined) this.#keptLine(next, kept);
      from = to + 1;
    }
  }

  readonly #runsOfLines = new Map<readonly WireNode[], Run>();

  #runOfLines(lines: readonly WireNode[]): Run {
    const run = this.#runsOfLines.get(lines) ?? lines.map((_, index) => [{ start: index, end: index + 1 }]);
    this.#runsOfLines.set(lines, run);
    return run;
  }

  #keptLine(line: WireLine, kept: ReadonlySet<WireNode>): void {
    const properties = propertiesOf(line);
    this.#spend(this.#tokensOf(line), true);
    const most = Math.min(this.#measure.most, MAX_OPTIONS_IN_NAVIGATION);
    if (properties.options) this.#choice(line, properties, { options: properties.options, most });
    this.#navigation(childrenOf(line), kept);
  }

  #parts(lines: readonly WireNode[], group: LineGroup | null): void {
    for (const run of this.#findings.runsOf(lines, group)) {
      if (this.#isOver()) return;
      if (run.length > this.#measure.most + 1) this.#run(run, lines);
      else for (const item of run) this.#item(item, lines);
    }
  }

  #item(item: Item, lines: readonly WireNode[]): void {
    for (const part of item) this.#part(part, lines);
  }

  #part({ start, end, group }: Part, lines: readonly WireNode[]): void {
    if (group && group.end - group.start >= FOLDABLE_LENGTH) return this.#parts(lines, group);
    for (let index = start; index < end; index += 1) this.#lineAt(lines, index);
  }

  /** Shows the first items, the last one, those that match the instruction, and expanded ones. Folds the others. */
  #run(run: Run, lines: readonly WireNode[]): void {
    const wanted = this.#findings.wantedIn(run, lines);
    const requested = this.#requestedIndex(run, lines);
    let isExpanded = false;
    for (const [index, item] of run.entries()) {
      if (this.#isOver()) return;
      const isShownFirst = this.#isShownFirst(run, index, { wanted, lines });
      if (index === requested && !isShownFirst) isExpanded = this.#hasExpanded = true;
      if (isShownFirst || this.#isShownToo(isExpanded) || this.#isLoneGap(run, index, { wanted, lines }))
        this.#shownItem(item, lines, isExpanded);
      else this.#foldItem(run, index, lines);
      // If the item with the ref is visible and contains no fold, expands the fold after it.
      if (index === requested && !this.#hasExpanded) isExpanded = this.#hasExpanded = true;
    }
  }

  #isShownFirst(
    run: Run,
    index: number,
    { wanted, lines }: { wanted: ReadonlySet<number>; lines: readonly WireNode[] },
  ): boolean {
    if (index < this.#measure.most || index === run.length - 1 || wanted.has(index)) return true;
    const { start, end } = extentOf(run[index]);
    return this.#measure.kept.matched.hasBetween(lines, start, end);
  }

  #isShownToo(isExpanded: boolean): boolean {
    return isExpanded && this.#expandedTokens < MAX_EXPANDED_TOKENS;
  }

  #shownItem(item: Item, lines: readonly WireNode[], isExpanded: boolean): void {
    const before = this.#isExpanding;
    this.#isExpanding ||= isExpanded;
    this.#item(item, lines);
    this.#isExpanding = before;
  }

  // True for an item between two visible ones. Folding it alone would save few tokens.
  #isLoneGap(
    run: Run,
    index: number,
    { wanted, lines }: { wanted: ReadonlySet<number>; lines: readonly WireNode[] },
  ): boolean {
    // Spare tokens go to items in order, not to single gaps.
    if (this.#measure.spare > 0) return false;
    const isGap = this.#folds.get(lines)?.at(-1)?.end === extentOf(run[index]).start;
    return !isGap && (index + 1 === run.length - 1 || wanted.has(index + 1));
  }

  #requestedIndex(run: Run, lines: readonly WireNode[]): number {
    const { expand, facts } = this.#lines;
    if (expand === 0) return -1;
    if (facts.holderOf(lines) === expand) return 0;
    return run.findIndex((item) => item.some((part) => holdsRef(lines, part, expand)));
  }

  /** Still shows the item's headings, and the lines that fit into spare tokens. */
  #foldItem(run: Run, index: number, lines: readonly WireNode[]): void {
    const item = run[index] ?? [];
    const extent = extentOf(item);
    const isFinite = this.#slack < Infinity;
    if (!isFinite) this.#slack = this.#spare;
    const isPartial =
      this.#canBegin(item, lines) || this.#measure.kept.outline.hasBetween(lines, extent.start, extent.end);
    if (isPartial) this.#item(item, lines);
    else this.#skip(lines, extent, { count: 1, noun: foldNoun(item, lines, this.#lines.roles) }, !isFinite);
    if (!isFinite) {
      this.#spare = Math.max(0, this.#slack);
      this.#slack = Infinity;
    }
    const isShown = isPartial && this.#folds.get(lines)?.at(-1)?.end !== extent.end;
    if (!isShown) this.#noteFolded(run, lines, { from: index, to: index + 1 });
  }

  #canBegin(item: Item, lines: readonly WireNode[]): boolean {
    if (this.#measure.isCut || this.#slack <= 0) return false;
    let tokens = FOLD_TOKENS * this.#depth;
    const most = Math.max(this.#slack, SMALL_ITEM_TOKENS);
    for (const { start, end } of item)
      for (let index = start; index < end && tokens <= most; index += 1)
        tokens += this.#tokensOfAll(lines[index] ?? '', most);
    if (tokens <= this.#slack || tokens > most) return true;
    this.#slack = 0;
    return false;
  }

  /** Folds a line unless `expand` shows it. */
  #leaveOut(lines: readonly WireNode[], index: number): void {
    if (this.#lines.expand === 0 || index < this.#requestedStart(lines) || this.#expandedTokens >= MAX_EXPANDED_TOKENS)
      return this.#skip(lines, { start: index, end: index + 1 }, { count: 1, noun: 'line' }, true);
    this.#isExpanding = this.#hasExpanded = true;
    this.#whole(lines[index] ?? '', {});
    this.#isExpanding = false;
  }

  /**
   * Returns the index of the first line to expand: that of the line with the `expand` ref, or of the first line without
   * a ref directly before it. Returns 0 to expand the whole list, `Infinity` for other lists.
   */
  #requestedStart(lines: readonly WireNode[]): number {
    const known = this.#expandStarts.get(lines);
    if (known !== undefined) return known;
    const { expand, facts } = this.#lines;
    let start = lines.findIndex((_, index) => holdsRef(lines, { start: index, end: index + 1 }, expand));
    while (start > 0 && firstRef(lines, { start: start - 1, end: start }) === 0) start -= 1;
    const isHolder = this.#isHolderExpanded() || facts.holderOf(lines) === expand;
    const requested = isHolder ? 0 : start < 0 ? Infinity : start;
    this.#expandStarts.set(lines, requested);
    return requested;
  }

  #isHolderExpanded(): boolean {
    return this.#holder !== undefined && this.#findings.isExpanded(this.#holder);
  }

  #skip(
    lines: readonly WireNode[],
    { start, end }: { start: number; end: number },
    summary: FoldSummary,
    isFree = false,
  ): void {
    const folds = this.#folds.get(lines) ?? [];
    this.#folds.set(lines, folds);
    const before = folds.at(-1);
    if (before && before.end === start && before.names === undefined && summary.names === undefined) {
      const isSame = before.noun === summary.noun;
      const count = isSame ? before.count + summary.count : end - before.start;
      folds[folds.length - 1] = { ...before, end, count, noun: isSame ? summary.noun : 'line' };
      return;
    }
    folds.push({ start, end, ...summary, holder: this.#holder });
    this.#spend(FOLD_TOKENS + (summary.names === undefined ? 0 : tokensInText(summary.names)), isFree);
  }

  /** Records folded items for the digests, which show changes in them. */
  #noteFolded(run: Run, lines: readonly WireNode[], { from, to }: { from: number; to: number }): void {
    const part = this.#foldedRuns.get(run) ?? { lines, folded: [] };
    this.#foldedRuns.set(run, part);
    if (part.folded.at(-1) === from) part.folded[part.folded.length - 1] = to;
    else part.folded.push(from, to);
  }

  /** Shows the first options and those that match the instruction. The `value` property has the selected ones. */
  #choice(
    line: WireLine,
    properties: WireProperties,
    { options, most }: { options: readonly string[]; most: number },
  ): void {
    const { cut } = this.#measure;
    const key = options.join('\n');
    if (options.length >= SHARED_OPTIONS_LENGTH && this.#listedOptions.has(key)) return this.#spend(AS_BEFORE_TOKENS);
    this.#listedOptions.add(key);
    const { length } = optionRanges(options);
    const isWhole = length < FOLDABLE_LENGTH || length <= most + 1 || refIn(line) === this.#lines.expand;
    if (isWhole) return this.#spend(tokensInOptions(options, cut));
    const wanted = this.#lines.wanted?.among(options.length, (index) => options[index] ?? '') ?? NONE;
    this.#spend(FOLD_TOKENS / 2);
    const shown = options.flatMap((label, index) =>
      this.#showsOption(label, index < most || wanted.has(index)) ? [index] : [],
    );
    this.#options.set(properties, shown);
  }

  #showsOption(label: string, isShown: boolean): boolean {
    const tokens = tokensInOption(label, this.#measure.cut);
    if (!isShown && (this.#isOver() || tokens > this.#spare)) return false;
    if (!isShown) this.#spare -= tokens;
    this.#spend(tokens);
    return true;
  }
}

const NONE: ReadonlySet<number> = new Set();

/** The lines of an item are consecutive. */
function extentOf(item: Item | undefined): { start: number; end: number } {
  const start = item?.[0]?.start ?? 0;
  return { start, end: item?.at(-1)?.end ?? start };
}
