import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ShownPage } from '../../model/prompt.ts';
import { piecesOf, splitLongLines, type TextLine, textLines, treeOf } from './text-lines.ts';
import { sharedSteps } from '../places/xpath-steps.ts';
import { textTokens } from '../text-tokens.ts';
import { contextOf } from './part-context.ts';

/** A part of a page, as sent to the model. */
export interface PagePart {
  readonly page: ShownPage;
  /** Lines from further up the page. They are at the start of the part and only give context. */
  readonly context: readonly string[];
  /** Lines that belong to this part only. */
  readonly own: readonly string[];
}

/** A page and its parts. Every line of the page belongs to exactly one part, in order. */
export interface CutPage {
  readonly page: Pick<ShownPage, 'url' | 'title'>;
  readonly parts: readonly PagePart[];
}

/** Maximum share of a part that one line can fill. The rest is reserved for context. */
const MAX_LINE_SHARE = 0.4;

/** Splits a page into parts with a maximum number of tokens each, as estimated. */
export function cutPage(snapshot: Snapshot, mostTokens: number): CutPage {
  const lines = splitLongLines(textLines(snapshot), mostTokens * MAX_LINE_SHARE);
  const { url, title } = snapshot;
  const textAt = (place: number): string => lines[place]?.text ?? '';
  const parts = cutLines(lines, mostTokens).map(({ start, end, context }) => {
    const places = Array.from({ length: end - start }, (_, index) => start + index);
    const all = [...context, ...places];
    const longest = Math.ceil((mostTokens * MAX_LINE_SHARE) / Math.max(1, context.length));
    const contextTexts = context.map((place) => piecesOf(textAt(place), longest)[0]);
    return {
      page: {
        url,
        title,
        text: [...contextTexts, ...places.map(textAt)].join('\n'),
        get nodes() {
          return treeOf(lines, all);
        },
      },
      context: contextTexts,
      own: places.map(textAt),
    };
  });
  return { page: { url, title }, parts };
}

/** A range of lines that are read together, and the lines above that give them context. All by index. */
interface LineRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly context: readonly number[];
}

/** Minimum share of a part that must be filled before the part can end at a good boundary. */
const MIN_FILL = 0.6;
/**
 * Maximum share of a part that its context can use. If the context is longer, the part becomes larger than requested.
 */
const MAX_CONTEXT_SHARE = 0.5;

/**
 * Splits the lines of a page into ranges with a maximum number of tokens each, as estimated. A single line can exceed
 * it. Each range ends between elements that are as unrelated as possible, so that related lines stay together.
 */
function cutLines(lines: readonly TextLine[], mostTokens: number): readonly LineRange[] {
  const tokens = lines.map(({ text }) => textTokens(text));
  const sum = (places: readonly number[]): number => places.reduce((total, place) => total + (tokens[place] ?? 0), 0);
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
 * Returns how closely related the lines before and after a cut are. Lines in one box are more closely related than
 * lines in two boxes. A heading belongs to the lines after it.
 */
function closenessAt(lines: readonly TextLine[], place: number): number {
  const [before, after] = [lines[place - 1], lines[place]];
  if (!before || !after) return 0;
  return before.node.role === 'heading' ? Infinity : sharedSteps(before.path, after.path);
}
