import type { WireNode, WireProperties } from '../../contract.ts';
import type { TextCut } from './excerpts.ts';
import { type Fold, type FoldedPart, type FoldMeasure, type FoldPlan } from './fold-plan.ts';
import { foldNoun } from './fold-noun.ts';
import { firstRef, holdsRef } from './folded-refs.ts';
import { isHeading } from './kept-lines.ts';
import {
  FOLD_TOKENS,
  tokensInDetails,
  tokensInHead,
  tokensInOption,
  tokensInOptions,
  tokensInText,
} from '../lines/line-tokens.ts';
import type { InlineLinks, LineGroup } from '../lines/line-list.ts';
import { FOLDABLE_LENGTH, type ListFacts, SHARED_OPTIONS_LENGTH } from '../lines/list-facts.ts';
import { endOfStretch, navigationFold } from './navigation-folds.ts';
import { optionRanges } from '../lines/option-ranges.ts';
import type { Item, Part, Run } from './repetition.ts';
import type { Wanted } from './wanted.ts';
import { childrenOf, isFlatRow, propertiesOf, refIn, type WireLine } from '../lines/wire-line.ts';

/** Tokens of `as e12`, written for options that an earlier element lists too. */
const AS_BEFORE_TOKENS = 3;
/** Maximum tokens of expanded lines. More would not fit into a prompt. */
const MAX_EXPANDED_TOKENS = 100_000;
/** Maximum options of a list in a menu or footer, such as the languages of a site. */
const MAX_OPTIONS_IN_NAVIGATION = 5;
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

/** Lookups that `FoldPlanner` caches for all plans. */
export interface LineFindings {
  readonly runsOf: (lines: readonly WireNode[], group: LineGroup | null) => readonly Run[];
  readonly wantedIn: (run: Run, lines: readonly WireNode[]) => ReadonlySet<number>;
  /** Returns the lines of a landmark that stay visible; `null` if the line is not a landmark. */
  readonly keptIn: (line: WireLine) => ReadonlySet<WireNode> | null;
  /** True if `expand` refers to this text. */
  readonly isAskedFor: (text: string, lineRef: number) => boolean;
  /** True if `expand` refers to this element. */
  readonly isExpanded: (holder: Element) => boolean;
}

type FoldWords = Pick<Fold, 'count' | 'noun' | 'names'>;

/** Builds one plan. Create a new instance for each. */
export class Planning {
  readonly #lines: FoldableLines;
  readonly #measure: FoldMeasure & { readonly cut: TextCut };
  readonly #findings: LineFindings;
  readonly #folds = new Map<readonly WireNode[], Fold[]>();
  readonly #foldedRuns = new Map<Run, FoldedPart>();
  readonly #options = new Map<WireProperties, readonly number[]>();
  readonly #toldOptions = new Set<string>();
  readonly #askedStarts = new Map<readonly WireNode[], number>();
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
    else for (let place = 0; place < lines.length && !this.#isOver(); place += 1) this.#place(lines, place);
    this.#depth -= 1;
    this.#holder = outer;
  }

  /** Shows a line if it must be kept or fits into the tokens left. Otherwise folds it. */
  #place(lines: readonly WireNode[], place: number): void {
    const line = lines[place] ?? '';
    const isAsked = this.#isAsked(line);
    const isKept = isAsked || this.#isKept(lines, place);
    if (!isKept && !this.#isExpanding && !this.#affords(line)) return this.#leaveOut(lines, place);
    if (this.#isUnit(line, isKept)) this.#whole(line, { isAsked, isKept });
    else this.#line(line, isAsked, isKept);
  }

  #isKept(lines: readonly WireNode[], place: number): boolean {
    const { spoken, outline } = this.#measure.kept;
    return spoken.has(lines, place) || outline.has(lines, place);
  }

  #isAsked(line: WireNode): boolean {
    if (this.#lines.expand === 0) return false;
    if (typeof line === 'string') return this.#findings.isAskedFor(line, 0);
    return this.#findings.isAskedFor(line[1] ?? '', refIn(line));
  }

  #affords(line: WireNode): boolean {
    if (this.#slack === Infinity) return true;
    const tokens = this.#isUnit(line, false) ? this.#tokensOfAll(line, this.#slack) : this.#tokensOf(line);
    if (tokens + FOLD_TOKENS * this.#depth <= this.#slack) return true;
    // With at most half of the spare tokens left, folds all later lines. Otherwise continues, so that one very long
    // line early in the page does not hide the rest.
    this.#slack = this.#slack > this.#measure.spare / 2 ? this.#slack - FOLD_TOKENS : 0;
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

  #whole(line: WireNode, { isAsked = false, isKept = false }): void {
    const [slack, tokens] = [this.#slack, this.#tokens];
    this.#slack = Infinity;
    this.#line(line, isAsked);
    this.#slack = isKept ? slack : slack - (this.#tokens - tokens);
  }

  #line(line: WireNode, isAsked = false, isFree = false): void {
    const wasExpanding = this.#isExpanding;
    this.#isExpanding ||= isAsked;
    this.#spend(this.#tokensOf(line), isFree);
    this.#isExpanding = wasExpanding;
    if (typeof line === 'string') return;
    const properties = propertiesOf(line);
    const { most } = this.#measure;
    if (properties.options) this.#choice(line, properties, { options: properties.options, most });
    const kept = this.#findings.keptIn(line);
    if (kept) this.#navigation(childrenOf(line), kept);
    else this.#list(childrenOf(line));
  }

  /** Folds each range of lines that are not kept, if it is long enough. */
  #navigation(lines: readonly WireNode[], kept: ReadonlySet<WireNode>): void {
    for (let from = 0; from < lines.length;) {
      const to = endOfStretch(lines, from, kept);
      const words = navigationFold(lines.slice(from, to), this.#lines.roles);
      if (words) {
        this.#skip(lines, { start: from, end: to }, words);
        this.#noteFolded(this.#runOfLines(lines), lines, { from, to });
      } else for (let place = from; place < to; place += 1) this.#place(lines, place);
      const next = lines[to];
      if (typeof next === 'string') this.#line(next, false, true);
      else if (next !== undefined) this.#keptLine(next, kept);
      from = to + 1;
    }
  }

  readonly #runsOfLines = new Map<readonly WireNode[], Run>();

  #runOfLines(lines: readonly WireNode[]): Run {
    const run = this.#runsOfLines.get(lines) ?? lines.map((_, place) => [{ start: place, end: place + 1 }]);
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
    for (let place = start; place < end; place += 1) this.#place(lines, place);
  }

  /** Shows the first items, the last one, those that match the instruction, and expanded ones. Folds the others. */
  #run(run: Run, lines: readonly WireNode[]): void {
    const wanted = this.#findings.wantedIn(run, lines);
    const asked = this.#askedPlace(run, lines);
    let isExpanded = false;
    for (const [place, item] of run.entries()) {
      if (this.#isOver()) return;
      const isShownFirst = this.#isShownFirst(run, place, { wanted, lines });
      if (place === asked && !isShownFirst) isExpanded = this.#hasExpanded = true;
      if (isShownFirst || this.#isShownToo(isExpanded) || this.#isLoneGap(run, place, { wanted, lines }))
        this.#shownItem(item, lines, isExpanded);
      else this.#foldItem(run, place, lines);
      // If no visible item contains the fold to expand, expands the next fold.
      if (place === asked && !this.#hasExpanded) isExpanded = this.#hasExpanded = true;
    }
  }

  #isShownFirst(
    run: Run,
    place: number,
    { wanted, lines }: { wanted: ReadonlySet<number>; lines: readonly WireNode[] },
  ): boolean {
    if (place < this.#measure.most || place === run.length - 1 || wanted.has(place)) return true;
    const { start, end } = extentOf(run[place]);
    return this.#measure.kept.spoken.hasBetween(lines, start, end);
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

  // True for an item between two visible ones. Folding it alone would save no tokens.
  #isLoneGap(
    run: Run,
    place: number,
    { wanted, lines }: { wanted: ReadonlySet<number>; lines: readonly WireNode[] },
  ): boolean {
    // Spare tokens go to items in order, not to single gaps.
    if (this.#measure.spare > 0) return false;
    const isGap = this.#folds.get(lines)?.at(-1)?.end === extentOf(run[place]).start;
    return !isGap && (place + 1 === run.length - 1 || wanted.has(place + 1));
  }

  #askedPlace(run: Run, lines: readonly WireNode[]): number {
    const { expand, facts } = this.#lines;
    if (expand === 0) return -1;
    if (facts.holderOf(lines) === expand) return 0;
    return run.findIndex((item) => item.some((part) => holdsRef(lines, part, expand)));
  }

  /** Still shows the item's headings, and the lines that fit into spare tokens. */
  #foldItem(run: Run, place: number, lines: readonly WireNode[]): void {
    const item = run[place] ?? [];
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
    if (!isShown) this.#noteFolded(run, lines, { from: place, to: place + 1 });
  }

  #canBegin(item: Item, lines: readonly WireNode[]): boolean {
    if (this.#measure.isCut || this.#slack <= 0) return false;
    let tokens = FOLD_TOKENS * this.#depth;
    const most = Math.max(this.#slack, SMALL_ITEM_TOKENS);
    for (const { start, end } of item)
      for (let place = start; place < end && tokens <= most; place += 1)
        tokens += this.#tokensOfAll(lines[place] ?? '', most);
    if (tokens <= this.#slack || tokens > most) return true;
    this.#slack = 0;
    return false;
  }

  /** Folds a line unless `expand` shows it. */
  #leaveOut(lines: readonly WireNode[], place: number): void {
    if (this.#lines.expand === 0 || place < this.#askedStart(lines) || this.#expandedTokens >= MAX_EXPANDED_TOKENS)
      return this.#skip(lines, { start: place, end: place + 1 }, { count: 1, noun: 'lines' }, true);
    this.#isExpanding = this.#hasExpanded = true;
    this.#whole(lines[place] ?? '', {});
    this.#isExpanding = false;
  }

  /**
   * Returns the first folded line to expand: the line with the `expand` ref, or the first of the lines without refs
   * directly before it.
   */
  #askedStart(lines: readonly WireNode[]): number {
    const known = this.#askedStarts.get(lines);
    if (known !== undefined) return known;
    const { expand, facts } = this.#lines;
    let start = lines.findIndex((_, place) => holdsRef(lines, { start: place, end: place + 1 }, expand));
    while (start > 0 && firstRef(lines, { start: start - 1, end: start }) === 0) start -= 1;
    const isHolder = this.#isHolderAsked() || facts.holderOf(lines) === expand;
    const asked = isHolder ? 0 : start < 0 ? Infinity : start;
    this.#askedStarts.set(lines, asked);
    return asked;
  }

  #isHolderAsked(): boolean {
    return this.#holder !== undefined && this.#findings.isExpanded(this.#holder);
  }

  #skip(
    lines: readonly WireNode[],
    { start, end }: { start: number; end: number },
    words: FoldWords,
    isFree = false,
  ): void {
    const folds = this.#folds.get(lines) ?? [];
    this.#folds.set(lines, folds);
    const before = folds.at(-1);
    if (before && before.end === start && before.names === undefined && words.names === undefined) {
      const isSame = before.noun === words.noun;
      const count = isSame ? before.count + words.count : end - before.start;
      folds[folds.length - 1] = { ...before, end, count, noun: isSame ? words.noun : 'lines' };
      return;
    }
    folds.push({ start, end, ...words, holder: this.#holder });
    this.#spend(FOLD_TOKENS + (words.names === undefined ? 0 : tokensInText(words.names)), isFree);
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
    if (options.length >= SHARED_OPTIONS_LENGTH && this.#toldOptions.has(key)) return this.#spend(AS_BEFORE_TOKENS);
    this.#toldOptions.add(key);
    const { length } = optionRanges(options);
    const isWhole = length < FOLDABLE_LENGTH || length <= most + 1 || refIn(line) === this.#lines.expand;
    if (isWhole) return this.#spend(tokensInOptions(options, cut));
    const wanted = this.#lines.wanted?.among(options.length, (place) => options[place] ?? '') ?? NONE;
    this.#spend(FOLD_TOKENS / 2);
    const shown = options.flatMap((label, place) =>
      this.#showsOption(label, place < most || wanted.has(place)) ? [place] : [],
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
