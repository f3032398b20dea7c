import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ShownPage } from '../../model/prompt.ts';
import { cutLines } from './cut-lines.ts';
import { piecesOf, splitLongLines, textLines, treeOf } from './text-lines.ts';

/** A part of a page as shown to a model. */
export interface PagePart {
  readonly page: ShownPage;
  /** Lines at the start that come from further up and only give context. */
  readonly context: readonly string[];
  /** Lines that belong to this part only. */
  readonly own: readonly string[];
}

/** A page and its parts. Each line belongs to one part, in order. */
export interface CutPage {
  readonly page: Pick<ShownPage, 'url' | 'title'>;
  readonly parts: readonly PagePart[];
}

/** Maximum share of a part for a single line. The rest is for context. */
const MAX_LINE_SHARE = 0.4;

/** Splits a page into parts with an estimated maximum of tokens. */
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
