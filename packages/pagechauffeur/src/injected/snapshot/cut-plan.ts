import type { WireNode } from '../contract.ts';
import type { Fold, FoldPlan } from './fold-plan.ts';
import { type FoldableLines, FOLD_TOKENS, MOST_EXPANDED_TOKENS } from './fold-planner.ts';
import { holdsRef } from './folded-refs.ts';
import { tokensInDetails, tokensInHead, tokensInOption, tokensInOptions, tokensInText } from './line-tokens.ts';
import { childrenOf, propertiesOf } from './wire-line.ts';

/**
 * Fits any page into a token limit: folds everything after the last line that fits, list by list. If the folded part contains the `expand`
 * ref, shows lines from there on.
 */
export function cutPlan(plan: FoldPlan, lines: FoldableLines, limit: number): FoldPlan {
  return new Cutting(plan, lines, limit).cut();
}

/** Consecutive lines or one fold, by their indexes in the list. */
interface Stretch {
  readonly start: number;
  /** Index after the last line. */
  readonly end: number;
  readonly fold?: Fold;
}

class Cutting {
  readonly #plan: FoldPlan;
  readonly #lines: FoldableLines;
  readonly #limit: number;
  readonly #folds: Map<readonly WireNode[], readonly Fold[]>;
  #tokens = 0;
  #expandedTokens = 0;
  /** True while showing the expanded part, which has a limit of its own. */
  #isExpanding = false;

  constructor(plan: FoldPlan, lines: FoldableLines, limit: number) {
    this.#plan = plan;
    this.#lines = lines;
    this.#limit = limit;
    this.#folds = new Map(plan.folds);
  }

  cut(): FoldPlan {
    this.#list(this.#lines.nodes, 1);
    return { ...this.#plan, tokens: this.#tokens, folds: this.#folds };
  }

  /** Returns true if the whole list is shown. Each ancestor list reserves tokens for its own fold line. */
  #list(lines: readonly WireNode[], depth: number): boolean {
    const stretches = stretchesOf(lines, this.#plan.folds.get(lines) ?? []);
    const folds: Fold[] = [];
    for (let index = 0; index < stretches.length; index += 1) {
      const stretch = stretches[index];
      if (!stretch) break;
      const line = lines[stretch.start] ?? '';
      if (this.#spend(stretch.fold ? FOLD_TOKENS : this.#tokensOf(line), depth)) {
        if (stretch.fold) folds.push(stretch.fold);
        if (stretch.fold || typeof line === 'string' || this.#list(childrenOf(line), depth + 1)) continue;
        index += 1;
      }
      const next = this.#expandedPlace(lines, stretches, index);
      const start = stretches[index]?.start ?? lines.length;
      const end = stretches[next]?.start ?? lines.length;
      if (start < end) folds.push(this.#foldOf(start, end));
      if (next >= stretches.length) {
        this.#folds.set(lines, folds);
        return false;
      }
      this.#isExpanding = true;
      index = next - 1;
    }
    this.#folds.set(lines, folds);
    return true;
  }

  /** The index of the stretch with the `expand` ref, at or after `from`; the length if there is none. */
  #expandedPlace(lines: readonly WireNode[], stretches: readonly Stretch[], from: number): number {
    const { expand } = this.#lines;
    if (expand === 0 || this.#isExpanding) return stretches.length;
    const place = stretches.findIndex((stretch, index) => index >= from && holdsRef(lines, stretch, expand));
    return place < 0 ? stretches.length : place;
  }

  #foldOf(start: number, end: number): Fold {
    this.#tokens += FOLD_TOKENS;
    return { start, end, count: end - start, noun: end - start === 1 ? 'line' : 'lines' };
  }

  /** Spends the tokens of a line if they are available. */
  #spend(tokens: number, depth: number): boolean {
    if (this.#isExpanding) {
      this.#expandedTokens += tokens;
      return this.#expandedTokens <= MOST_EXPANDED_TOKENS;
    }
    if (this.#tokens + tokens + FOLD_TOKENS * depth > this.#limit) return false;
    this.#tokens += tokens;
    return true;
  }

  #tokensOf(line: WireNode): number {
    const { textLimit, options: shownOptions } = this.#plan;
    if (typeof line === 'string') return tokensInText(line, textLimit);
    const properties = propertiesOf(line);
    const tokens = tokensInHead(line, this.#lines.roles, textLimit) + tokensInDetails(properties, textLimit);
    const { options = [] } = properties;
    const shown = shownOptions.get(properties);
    if (!shown) return tokens + tokensInOptions(options, textLimit);
    return shown.reduce((sum, place) => sum + tokensInOption(options[place] ?? '', textLimit), tokens);
  }
}

function stretchesOf(lines: readonly WireNode[], folds: readonly Fold[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const addLines = (from: number, to: number): void => {
    for (let start = from; start < to; start += 1) stretches.push({ start, end: start + 1 });
  };
  let place = 0;
  for (const fold of folds) {
    addLines(place, fold.start);
    stretches.push({ start: fold.start, end: fold.end, fold });
    place = fold.end;
  }
  addLines(place, lines.length);
  return stretches;
}
