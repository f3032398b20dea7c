import type { WireNode, WireProperties } from '../contract.ts';
import type { Fold, FoldedPart, FoldPlan } from './fold-plan.ts';
import { foldNoun } from './fold-noun.ts';
import { tokensInDetails, tokensInHead, tokensInOption, tokensInOptions, tokensInText } from './line-tokens.ts';
import { optionRanges } from './option-ranges.ts';
import { FOLDABLE_LENGTH, type ListFacts, SHARED_OPTIONS_LENGTH } from './list-facts.ts';
import type { LineGroup } from './line-list.ts';
import { type Item, type Part, partsOf, type Run, runsIn, textOfItem } from './repetition.ts';
import { holdsRef } from './folded-refs.ts';
import { endOfStretch, type FoldWords, isNavigation, keptInNavigation, navigationFold } from './navigation-folds.ts';
import type { Wanted } from './wanted.ts';
import { childrenOf, isCellRole, propertiesOf, refIn, type WireLine } from './wire-line.ts';

/** Approximate tokens of a fold line. */
export const FOLD_TOKENS = 14;
/** Tokens to refer to the identical options of an earlier element. */
const AS_BEFORE_TOKENS = 3;
/** Token limit of an expanded part. A larger one would not fit into a prompt. */
export const MOST_EXPANDED_TOKENS = 100_000;

/** A page's lines and facts about them. */
export interface FoldableLines {
  readonly nodes: readonly WireNode[];
  readonly roles: readonly string[];
  readonly facts: ListFacts;
  readonly wanted: Wanted | null;
  /** The ref of an element to show even if it would be folded; 0 if there is none. */
  readonly expand: number;
  /** Folds links and buttons outside the main content, whatever the page's length. */
  readonly foldsNavigation: boolean;
}

/** How much to show. */
export interface FoldMeasure {
  /** How many of the first items of a run are shown. */
  readonly most: number;
  readonly textLimit: number;
  /** Planning may stop once the plan exceeds this many tokens. */
  readonly limit: number;
}

/** Plans which lines of a page are shown. Caches facts about the lines between plans. */
export class FoldPlanner {
  readonly #lines: FoldableLines;
  readonly #runs = new Map<readonly WireNode[] | LineGroup, readonly Run[]>();
  readonly #wanted = new Map<Run, ReadonlySet<number>>();
  readonly #kept = new Map<WireLine, ReadonlySet<WireNode>>();

  constructor(lines: FoldableLines) {
    this.#lines = lines;
  }

  /** Returns the plan for a measure. If its tokens exceed the limit, the plan is incomplete. */
  plan(measure: FoldMeasure): FoldPlan {
    return new Planning(this.#lines, measure, {
      runsOf: this.#runsOf,
      wantedIn: this.#wantedIn,
      keptIn: this.#keptIn,
    }).plan();
  }

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
    const textOf = (place: number): string => textOfItem(run[place] ?? [], lines);
    // Table cells match their column headers only while every row shows the same columns, so cells are never picked one by one.
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

interface Findings {
  readonly runsOf: (lines: readonly WireNode[], group: LineGroup | null) => readonly Run[];
  readonly wantedIn: (run: Run, lines: readonly WireNode[]) => ReadonlySet<number>;
  /** The lines of a landmark that stay visible; `null` if the line is not a landmark. */
  readonly keptIn: (line: WireLine) => ReadonlySet<WireNode> | null;
}

/** The state of one plan while it is built. */
class Planning {
  readonly #lines: FoldableLines;
  readonly #measure: FoldMeasure;
  readonly #findings: Findings;
  readonly #folds = new Map<readonly WireNode[], Fold[]>();
  readonly #foldedRuns = new Map<Run, FoldedPart>();
  readonly #options = new Map<WireProperties, readonly number[]>();
  readonly #toldOptions = new Set<string>();
  #tokens = 0;
  #expandedTokens = 0;
  #isExpanding = false;
  #hasExpanded = false;

  constructor(lines: FoldableLines, measure: FoldMeasure, findings: Findings) {
    this.#lines = lines;
    this.#measure = measure;
    this.#findings = findings;
  }

  plan(): FoldPlan {
    this.#list(this.#lines.nodes);
    const { textLimit } = this.#measure;
    return { tokens: this.#tokens, folds: this.#folds, runs: this.#foldedRuns, options: this.#options, textLimit };
  }

  #spend(tokens: number): void {
    if (this.#isExpanding) this.#expandedTokens += tokens;
    else this.#tokens += tokens;
  }

  #isOver(): boolean {
    return this.#tokens > this.#measure.limit;
  }

  #list(lines: readonly WireNode[]): void {
    if (lines.length >= FOLDABLE_LENGTH && this.#measure.most < lines.length) this.#parts(lines, null);
    else for (const line of lines) this.#line(line);
  }

  #line(line: WireNode): void {
    if (typeof line === 'string') return this.#spend(tokensInText(line, this.#measure.textLimit));
    const properties = propertiesOf(line);
    const { textLimit } = this.#measure;
    this.#spend(tokensInHead(line, this.#lines.roles, textLimit) + tokensInDetails(properties, textLimit));
    if (properties.options) this.#choice(line, properties, properties.options);
    const kept = this.#findings.keptIn(line);
    if (kept) this.#navigation(childrenOf(line), kept);
    else this.#list(childrenOf(line));
  }

  /** Navigation lines: folds each stretch that is not kept, if it is long enough. */
  #navigation(lines: readonly WireNode[], kept: ReadonlySet<WireNode>): void {
    const run: Run = lines.map((_, place) => [{ start: place, end: place + 1 }]);
    for (let from = 0; from < lines.length;) {
      const to = endOfStretch(lines, from, kept);
      const fold = navigationFold(lines.slice(from, to), this.#lines.roles);
      if (fold) this.#fold(run, lines, { from, to }, fold);
      else for (const line of lines.slice(from, to)) this.#line(line);
      const next = lines[to];
      if (typeof next === 'string') this.#line(next);
      else if (next !== undefined) this.#keptLine(next, kept);
      from = to + 1;
    }
  }

  #keptLine(line: WireLine, kept: ReadonlySet<WireNode>): void {
    const properties = propertiesOf(line);
    this.#spend(tokensInHead(line, this.#lines.roles) + tokensInDetails(properties));
    if (properties.options) this.#choice(line, properties, properties.options);
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
    for (let place = start; place < end; place += 1) this.#line(lines[place] ?? '');
  }

  /** Shows the first items of a run, those that match the instruction, the last, and the expanded part. Folds the others. */
  #run(run: Run, lines: readonly WireNode[]): void {
    const wanted = this.#findings.wantedIn(run, lines);
    const asked = this.#askedPlace(run, lines);
    let isExpanded = false;
    let gap = 0;
    for (const [place, item] of run.entries()) {
      if (this.#isOver()) return;
      const isInSight = place < this.#measure.most || place === run.length - 1 || wanted.has(place);
      if (place === asked && !isInSight) isExpanded = this.#hasExpanded = true;
      if (!isInSight && !this.#isShownToo(isExpanded) && !this.#isLoneGap(run, place, { gap, wanted })) {
        gap += 1;
        continue;
      }
      if (gap > 0) this.#fold(run, lines, { from: place - gap, to: place });
      gap = 0;
      this.#shownItem(item, lines, isExpanded);
      // A visible item may contain the fold to expand. If it does not, expand the fold after it.
      if (place === asked && !this.#hasExpanded) isExpanded = this.#hasExpanded = true;
    }
  }

  #isShownToo(isExpanded: boolean): boolean {
    return isExpanded && this.#expandedTokens < MOST_EXPANDED_TOKENS;
  }

  #shownItem(item: Item, lines: readonly WireNode[], isExpanded: boolean): void {
    const before = this.#isExpanding;
    this.#isExpanding ||= isExpanded;
    this.#item(item, lines);
    this.#isExpanding = before;
  }

  // A line that says "1 more" is as long as the line it replaces.
  #isLoneGap(run: Run, place: number, { gap, wanted }: { gap: number; wanted: ReadonlySet<number> }): boolean {
    return gap === 0 && (place + 1 === run.length - 1 || wanted.has(place + 1));
  }

  #askedPlace(run: Run, lines: readonly WireNode[]): number {
    const { expand, facts } = this.#lines;
    if (expand === 0) return -1;
    if (facts.holderOf(lines) === expand) return 0;
    return run.findIndex((item) => item.some((part) => holdsRef(lines, part, expand)));
  }

  #fold(run: Run, lines: readonly WireNode[], { from, to }: { from: number; to: number }, said?: FoldWords): void {
    const folds = this.#folds.get(lines) ?? [];
    this.#folds.set(lines, folds);
    const part = this.#foldedRuns.get(run) ?? { lines, folded: [] };
    this.#foldedRuns.set(run, part);
    part.folded.push(from, to);
    const start = run[from]?.[0]?.start ?? 0;
    const end = run[to - 1]?.at(-1)?.end ?? start;
    const words = said ?? { count: to - from, noun: foldNoun(run[from] ?? [], lines, this.#lines.roles) };
    folds.push({ start, end, ...words });
    this.#spend(FOLD_TOKENS + (said ? tokensInText(said.names) : 0));
  }

  /** Shows the first options of a long list and those that match the instruction. The `value` property shows the selected one. */
  #choice(line: WireLine, properties: WireProperties, options: readonly string[]): void {
    const { most, textLimit } = this.#measure;
    const key = options.join('\n');
    if (options.length >= SHARED_OPTIONS_LENGTH && this.#toldOptions.has(key)) return this.#spend(AS_BEFORE_TOKENS);
    this.#toldOptions.add(key);
    const { length } = optionRanges(options);
    const isWhole = length < FOLDABLE_LENGTH || length <= most + 1 || refIn(line) === this.#lines.expand;
    if (!isWhole) {
      const wanted = this.#lines.wanted?.among(options.length, (place) => options[place] ?? '') ?? NONE;
      const shown = options.flatMap((_, place) => (place < most || wanted.has(place) ? [place] : []));
      this.#options.set(properties, shown);
      this.#spend(FOLD_TOKENS / 2);
      for (const place of shown) this.#spend(tokensInOption(options[place] ?? '', textLimit));
    } else this.#spend(tokensInOptions(options, textLimit));
  }
}
