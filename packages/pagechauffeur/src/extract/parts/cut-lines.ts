import { sharedSteps } from '../places/xpath-steps.ts';
import { textTokens } from '../text-tokens.ts';
import { contextOf } from './part-context.ts';
import type { TextLine } from './text-lines.ts';

/** Lines that are read together, by their places, and those above that say where they belong. */
export interface LineRange {
  readonly start: number;
  /** One past the last. */
  readonly end: number;
  readonly context: readonly number[];
}

/** A part is filled at least so far before it ends at a place that suits. */
const LEAST_FILLED = 0.6;
/** What says where a part belongs takes this share of it at most; then there is less room beside it than asked for. */
const MOST_CONTEXT = 0.5;

/**
 * Cuts a page's lines into ranges of so many tokens at most, by estimate; a single line may have more. Each ends between
 * two elements that are as far apart as can be found, so that what belongs together is read together.
 */
export function cutLines(lines: readonly TextLine[], mostTokens: number): readonly LineRange[] {
  const tokens = lines.map(({ text }) => textTokens(text));
  const sum = (places: readonly number[]): number => places.reduce((total, place) => total + (tokens[place] ?? 0), 0);
  const ranges: LineRange[] = [];
  for (let start = 0; start < lines.length; start = ranges.at(-1)?.end ?? lines.length) {
    const context = start === 0 ? [] : contextOf(lines, start);
    const room = mostTokens - Math.min(sum(context), mostTokens * MOST_CONTEXT);
    ranges.push({ start, end: endOf(lines, { start, tokens, room }), context });
  }
  return ranges;
}

interface Filling {
  readonly start: number;
  readonly tokens: readonly number[];
  readonly room: number;
}

function endOf(lines: readonly TextLine[], { start, tokens, room }: Filling): number {
  let filled = 0;
  let best = start + 1;
  let bestCloseness = Infinity;
  for (let end = start + 1; end <= lines.length; end += 1) {
    filled += tokens[end - 1] ?? 0;
    if (filled > room) return best;
    if (end === lines.length) return end;
    if (filled < room * LEAST_FILLED) best = end;
    else {
      const closeness = closenessAt(lines, end);
      if (closeness > bestCloseness) continue;
      bestCloseness = closeness;
      best = end;
    }
  }
  return best;
}

/** How close the elements on both sides of a cut stand: what is in one box is closer than what is in two; a heading belongs to what follows. */
function closenessAt(lines: readonly TextLine[], place: number): number {
  const [before, after] = [lines[place - 1], lines[place]];
  if (!before || !after) return 0;
  return before.node.role === 'heading' ? Infinity : sharedSteps(before.path, after.path);
}
