import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ShownPage } from '../../model/prompt.ts';
import { piecesOf, splitLongLines, type TextLine, textLines, treeOf } from './text-lines.ts';
import { sharedSteps } from '../places/xpath-steps.ts';
import { textTokens } from '../text-tokens.ts';
import { contextOf } from './part-context.ts';

/** A part of a page, small enough for one model call. */
export interface PagePart {
  readonly page: ShownPage;
  /** Lines from further up, such as headings, that are repeated at the start of the part. */
  readonly context: readonly string[];
  /** Lines of the part without its context. */
  readonly own: readonly string[];
}

/** A page that is split into parts. Each line is in the `own` lines of exactly one part. */
export interface CutPage {
  readonly page: Pick<ShownPage, 'url' | 'title'>;
  readonly parts: readonly PagePart[];
}

/** Maximum share of a part for a single line, and for all context lines together. */
const MAX_LINE_SHARE = 0.4;

/** Splits a page into parts of at most `mostTokens` estimated tokens. */
export function cutPage(snapshot: Snapshot, mostTokens: number): CutPage {
  const lines = splitLongLines(textLines(snapshot), mostTokens * MAX_LINE_SHARE);
  const { url, title } = snapshot;
  const textAt = (lineIndex: number): string => lines[lineIndex]?.text ?? '';
  const parts = cutLines(lines, mostTokens).map(({ start, end, context }) => {
    const lineIndexes = Array.from({ length: end - start }, (_, index) => start + index);
    const all = [...context, ...lineIndexes];
    const longest = Math.ceil((mostTokens * MAX_LINE_SHARE) / Math.max(1, context.length));
    const contextTexts = context.map((lineIndex) => piecesOf(textAt(lineIndex), longest)[0]);
    return {
      page: {
        url,
        title,
        text: [...contextTexts, ...lineIndexes.map(textAt)].join('\n'),
        get nodes() {
          return treeOf(lines, all);
        },
      },
      context: contextTexts,
      own: lineIndexes.map(textAt),
    };
  });
  return { page: { url, title }, parts };
}

/** Line indexes of one part. `context` are lines further up. */
interface LineRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly context: readonly number[];
}

/** Minimum share of the token budget to use before a part may end at a boundary. */
const MIN_FILL = 0.6;
/** Maximum share of a part that is reserved for context. Long context lines are truncated to fit. */
const MAX_CONTEXT_SHARE = 0.5;

/**
 * Splits lines into ranges of at most `mostTokens` estimated tokens, context included. Ends each range where the
 * elements before and after are least related.
 */
function cutLines(lines: readonly TextLine[], mostTokens: number): readonly LineRange[] {
  const tokens = lines.map(({ text }) => textTokens(text));
  const sum = (lineIndexes: readonly number[]): number =>
    lineIndexes.reduce((total, lineIndex) => total + (tokens[lineIndex] ?? 0), 0);
  const ranges: LineRange[] = [];
  for (let start = 0; start < lines.length; start = ranges.at(-1)?.end ?? lines.length) {
    const context = start === 0 ? [] : contextOf(lines, start);
    const room = mostTokens - Math.min(sum(context), mostTokens * MAX_CONTEXT_SHARE);
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
    if (filled < room * MIN_FILL) best = end;
    else {
      const closeness = closenessAt(lines, end);
      if (closeness > bestCloseness) continue;
      bestCloseness = closeness;
      best = end;
    }
  }
  return best;
}

/**
 * Returns the number of common ancestor elements of the lines before and after a boundary. Infinity after a heading, so
 * that it stays with the lines below.
 */
function closenessAt(lines: readonly TextLine[], lineIndex: number): number {
  const [before, after] = [lines[lineIndex - 1], lines[lineIndex]];
  if (!before || !after) return 0;
  return before.node.role === 'heading' ? Infinity : sharedSteps(before.path, after.path);
}
