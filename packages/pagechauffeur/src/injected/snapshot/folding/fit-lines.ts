import type { FoldRequest, FrameText, WireNode } from '../../contract.ts';
import { type FoldMeasure, type FoldPlan, WHOLE } from './fold-plan.ts';
import { FoldPlanner } from './fold-planner.ts';
import type { FoldableLines } from './fold-planning.ts';
import { foldDigests } from './fold-digests.ts';
import { foldedRefs } from './folded-refs.ts';
import { type Kept, NOTHING_KEPT, LineSet } from './kept-lines.ts';
import { LONG_TEXT } from '../lines/line-list.ts';
import { type Rendering, renderLines } from '../lines/render-lines.ts';
import { tokensIn } from './token-estimate.ts';
import { childrenOf, nameIn } from '../lines/wire-line.ts';

/** Numbers of visible items per run. A binary search picks the largest that fits. */
const MEASURES: readonly number[] = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 19, 24, 30, 38, 48, 60, 75, 95, 120, 150, 190, 240, 300, 400, 550, 750, 1000, 1500,
  2200, 3200, 5000, 8000, 12_000, 20_000, 40_000, 100_000,
];
/** In characters. Tried for text, names and values if folding alone is not enough. */
const TEXT_LIMITS: readonly number[] = Array.from({ length: 40 }, (_, step) => Math.round(LONG_TEXT * 1.25 ** step));
/** If a plan uses less of its limit, lines from the start of the page fill the rest. */
const MIN_USED = 0.85;
/** If a plan overestimates its tokens, the limit is raised by these fractions of the excess. */
const SHARES_OF_EXCESS = [1, 0.5, 0.25];
/** The limit of each shorter version, as a fraction of the tokens of the version before. */
const SHRINKING = 0.7;

/** No text has more characters per token. */
const MAX_CHARACTERS_PER_TOKEN = 8;

/** Renders lines within the token limit, not counting expanded ones. Adds shorter versions down to `share` tokens. */
export function fitLines(lines: FoldableLines, { tokens, share = tokens }: FoldRequest): readonly FrameText[] {
  const planner = new FoldPlanner(lines);
  const texts: FrameText[] = [];
  for (let limit = tokens; ;) {
    const text =
      (texts.length === 0 && !lines.foldsNavigation && wholeText(lines, limit)) || foldedText(lines, planner, limit);
    if (text.tokens < (texts.at(-1)?.tokens ?? Infinity)) texts.push(text);
    const reached = Math.min(limit, text.tokens);
    if (reached <= share) break;
    limit = Math.max(share, reached * SHRINKING);
  }
  return texts;
}

/** Renders all lines. Returns `null` if they do not fit, without rendering if the page is far too long. */
function wholeText(lines: FoldableLines, limit: number): FrameText | null {
  if (!hasFewerCharacters(lines.nodes, limit * MAX_CHARACTERS_PER_TOKEN)) return null;
  const { text, urls } = renderLines(lines, WHOLE);
  const tokens = Math.ceil(tokensIn(text));
  return tokens <= limit ? { text, urls, tokens, isFolded: false } : null;
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

function foldedText(lines: FoldableLines, planner: FoldPlanner, limit: number): FrameText {
  if (lines.expand === 0) return largestText(lines, planner, limit).text;
  // The plan without `expand` decides the limit, so that expanding an item does not change the rest of the snapshot.
  const unexpanded = { ...lines, expand: 0 };
  const { planned } = largestText(unexpanded, new FoldPlanner(unexpanded), limit);
  return textOf(lines, planFor(planner, planned));
}

/**
 * Plans overestimate some lines. If much of the limit stays unused, plans again with a higher one. `planned` is the
 * limit in use.
 */
function largestText(lines: FoldableLines, planner: FoldPlanner, limit: number): { text: FrameText; planned: number } {
  const plan = planFor(planner, limit);
  const rendered = renderLines(lines, plan);
  const used = tokensIn(rendered.text);
  if (!isFolded(plan, rendered) || used >= limit * MIN_USED)
    return { text: textOf(lines, plan, rendered), planned: limit };
  const excess = plan.tokens / used - 1;
  for (const share of SHARES_OF_EXCESS) {
    const planned = limit * (1 + share * excess);
    const longer = planFor(planner, planned);
    const tried = renderLines(lines, longer);
    if (tokensIn(tried.text) > limit) continue;
    const text = textOf(lines, longer, tried);
    return { text: { ...text, tokens: Math.min(text.tokens, limit) }, planned };
  }
  return { text: textOf(lines, plan, rendered), planned: limit };
}

function isFolded({ folds, options }: FoldPlan, { isCut }: Rendering): boolean {
  return folds.size + options.size > 0 || isCut;
}

function textOf(lines: FoldableLines, plan: FoldPlan, rendered: Rendering = renderLines(lines, plan)): FrameText {
  const { roles, facts } = lines;
  const { text, urls, cutRefs } = rendered;
  const folded = foldedRefs(plan, roles, cutRefs);
  const runs = foldDigests(plan, { roles, facts });
  return {
    text,
    urls,
    tokens: Math.ceil(plan.tokens),
    isFolded: isFolded(plan, rendered),
    ...(folded && { folded }),
    ...(runs && { runs }),
  };
}

function planFor(planner: FoldPlanner, limit: number): FoldPlan {
  const whole: FoldMeasure = { most: Infinity, textLimit: Infinity, limit, kept: NOTHING_KEPT, isCut: false, spare: 0 };
  const unfolded = planner.plan(whole);
  if (unfolded.tokens <= limit) return unfolded;
  const fitting = fittingMeasure(planner, { ...whole, kept: planner.keptWithin(limit) });
  if (!fitting) return cutPlan(planner, { ...whole, most: 1, textLimit: LONG_TEXT, limit: Infinity }, limit);
  const plan = planner.plan(fitting);
  if (plan.tokens >= limit * MIN_USED) return plan;
  return planner.plan({ ...fitting, limit: Infinity, spare: limit - plan.tokens });
}

/** Shows as many items as fit: with whole text if possible, else with text truncated as little as possible. */
function fittingMeasure(planner: FoldPlanner, measure: FoldMeasure): FoldMeasure | undefined {
  const fits = (tried: FoldMeasure): boolean => planner.plan(tried).tokens <= measure.limit;
  const withMost = (most: number): FoldMeasure => ({ ...measure, most });
  const whole = largest(MEASURES, (most) => fits(withMost(most)));
  if (whole !== undefined) return withMost(whole);
  const most = largest(MEASURES, (tried) => fits({ ...withMost(tried), textLimit: LONG_TEXT }));
  if (most === undefined) return undefined;
  const textLimit = largest(TEXT_LIMITS, (tried) => fits({ ...withMost(most), textLimit: tried }));
  return { ...withMost(most), textLimit: textLimit ?? LONG_TEXT };
}

/** Returns the last candidate that fits. All candidates before it must fit too. */
function largest(candidates: readonly number[], fits: (candidate: number) => boolean): number | undefined {
  let best: number | undefined;
  let [low, high] = [0, candidates.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = candidates[middle] ?? 0;
    if (fits(candidate)) {
      best = candidate;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** Fits any page. Keeps matching lines and headings if they fit, then adds lines from the start of the page. */
function cutPlan(planner: FoldPlanner, measure: FoldMeasure, limit: number): FoldPlan {
  const kept = planner.keptWithin(limit);
  const withoutOutline: Kept = { ...kept, outline: new LineSet() };
  for (const candidate of [kept, withoutOutline, NOTHING_KEPT]) {
    const cut = { ...measure, kept: candidate, isCut: true };
    const { tokens } = planner.plan(cut);
    if (tokens <= limit || candidate === NOTHING_KEPT)
      return planner.plan({ ...cut, spare: Math.max(0, limit - tokens) });
  }
  return WHOLE;
}
