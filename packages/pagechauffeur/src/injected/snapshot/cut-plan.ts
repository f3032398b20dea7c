import type { WireNode } from '../contract.ts';
import type { Fold, FoldPlan } from './fold-plan.ts';
import { type FoldableLines, FOLD_TOKENS, MOST_EXPANDED_TOKENS } from './fold-planner.ts';
import { holdsRef } from './folded-refs.ts';
import { tokensInDetails, tokensInHead, tokensInOption, tokensInOptions, tokensInText } from './line-tokens.ts';
import { childrenOf, propertiesOf } from './wire-line.ts';

/**
 * A plan that keeps to a limit whatever the page holds: what comes after the last line that fits is folded away, list by list. Where
 * that holds what was asked for, lines are shown from there on.
 */
export function cutPlan(plan: FoldPlan, lines: FoldableLines, limit: number): FoldPlan {
  return new Cutting(plan, lines, limit).cut();
}

/** Lines in a row, or a fold of them, by their places in their list. */
interface Stretch {
  readonly start: number;
  /** One past the last. */
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
  /** What was asked for is being shown, which has a limit of its own. */
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

  /** Whether all of the list is shown. Each list around needs room for the line that says what of it is not. */
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

  /** Where what was asked for begins, from a place on; past the end when it is not there. */
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

  /** Takes the tokens of a line when they are still there. */
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
