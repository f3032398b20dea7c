import type { FoldRequest, FrameText, WireNode } from '../contract.ts';
import { cutPlan } from './cut-plan.ts';
import { type FoldPlan, WHOLE } from './fold-plan.ts';
import { type FoldableLines, type FoldMeasure, FoldPlanner } from './fold-planner.ts';
import { foldDigests } from './fold-digests.ts';
import { foldedRefs } from './folded-refs.ts';
import { renderLines } from './render-lines.ts';
import { tokensIn } from './token-estimate.ts';
import { childrenOf, nameIn } from './wire-line.ts';

/** Candidate numbers of shown items per run. A binary search picks the largest that fits. */
const MEASURES: readonly number[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 19, 24, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, 300, 400, 550, 750, 1000, 1500,
];
/** Maximum characters of each text, name and value if folding alone does not fit. */
const TEXT_LIMIT = 160;

/** No text has more characters per token than this. */
const MOST_CHARACTERS_PER_TOKEN = 8;

/** Renders the lines within the token limit, not counting the expanded part. Adds shorter texts down to `share`. */
export function fitLines(lines: FoldableLines, { tokens, share = tokens }: FoldRequest): readonly FrameText[] {
  const planner = new FoldPlanner(lines);
  const texts: FrameText[] = [];
  for (let limit = tokens; ;) {
    const text =
      (texts.length === 0 && !lines.foldsNavigation && wholeText(lines, limit)) ||
      textOf(lines, planFor(planner, lines, limit));
    if (text.tokens < (texts.at(-1)?.tokens ?? Infinity)) texts.push(text);
    const reached = Math.min(limit, text.tokens);
    if (reached <= share) break;
    limit = Math.max(share, reached / 2);
  }
  return texts;
}

/** Renders everything if it fits, as on most pages. Skips rendering if the page is far too long. */
function wholeText(lines: FoldableLines, limit: number): FrameText | null {
  if (!hasFewerCharacters(lines.nodes, limit * MOST_CHARACTERS_PER_TOKEN)) return null;
  const rendered = renderLines(lines, WHOLE);
  const tokens = Math.ceil(tokensIn(rendered.text));
  return tokens <= limit ? { ...rendered, tokens, isFolded: false } : null;
}

function hasFewerCharacters(nodes: readonly WireNode[], limit: number): boolean {
  let left = limit;
  const count = (node: WireNode): void => {
    left -= typeof node === 'string' ? node.length : nameIn(node).length;
    if (typeof node !== 'string') for (const child of childrenOf(node)) if (left > 0) count(child);
  };
  for (const node of nodes) if (left > 0) count(node);
  return left > 0;
}

function textOf({ nodes, roles, facts }: FoldableLines, plan: FoldPlan): FrameText {
  const folded = foldedRefs(plan, roles, facts);
  const runs = foldDigests(plan, { roles, facts });
  return {
    ...renderLines({ nodes, roles, facts }, plan),
    tokens: Math.ceil(plan.tokens),
    isFolded: plan.folds.size + plan.options.size > 0 || plan.textLimit < Infinity,
    ...(folded && { folded }),
    ...(runs && { runs }),
  };
}

/** Returns the plan that shows the most within the limit. */
function planFor(planner: FoldPlanner, lines: FoldableLines, limit: number): FoldPlan {
  const unfolded = planner.plan({ most: Infinity, textLimit: Infinity, limit });
  if (unfolded.tokens <= limit) return unfolded;
  const folded = largestPlan(planner, { textLimit: Infinity, limit });
  if (folded) return folded;
  const shortened = largestPlan(planner, { textLimit: TEXT_LIMIT, limit });
  return shortened ?? cutPlan(planner.plan({ most: 1, textLimit: TEXT_LIMIT, limit: Infinity }), lines, limit);
}

function largestPlan(planner: FoldPlanner, measure: Omit<FoldMeasure, 'most'>): FoldPlan | undefined {
  let best: FoldPlan | undefined;
  let [low, high] = [0, MEASURES.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const plan = planner.plan({ ...measure, most: MEASURES[middle] ?? 1 });
    if (plan.tokens <= measure.limit) {
      best = plan;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}
