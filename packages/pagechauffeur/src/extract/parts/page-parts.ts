import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ShownPage } from '../../verb/prompt.ts';
import { cutLines } from './cut-lines.ts';
import { piecesOf, splitLongLines, textLines, treeOf } from './text-lines.ts';

/** A part of a page, as a model is shown it. */
export interface PagePart {
  readonly page: ShownPage;
  /** The lines at its beginning that stand further up on the page, and only say where the part belongs. */
  readonly context: readonly string[];
  /** The lines that are read with this part and no other. */
  readonly own: readonly string[];
}

/** A page and its parts: each line is in one part, in order. */
export interface CutPage {
  readonly page: Pick<ShownPage, 'url' | 'title'>;
  readonly parts: readonly PagePart[];
}

/** A single line takes this share of a part at most: beside it stands what says where the part belongs. */
const MOST_OF_PART = 0.4;

/** Cuts a page that was read with places into parts of so many tokens at most, by estimate. */
export function cutPage(snapshot: Snapshot, mostTokens: number): CutPage {
  const lines = splitLongLines(textLines(snapshot), mostTokens * MOST_OF_PART);
  const { url, title } = snapshot;
  const textAt = (place: number): string => lines[place]?.text ?? '';
  const parts = cutLines(lines, mostTokens).map(({ start, end, context }) => {
    const places = Array.from({ length: end - start }, (_, index) => start + index);
    const all = [...context, ...places];
    const longest = Math.ceil((mostTokens * MOST_OF_PART) / Math.max(1, context.length));
    const told = context.map((place) => piecesOf(textAt(place), longest)[0]);
    return {
      page: {
        url,
        title,
        text: [...told, ...places.map(textAt)].join('\n'),
        get nodes() {
          return treeOf(lines, all);
        },
      },
      context: told,
      own: places.map(textAt),
    };
  });
  return { page: { url, title }, parts };
}
