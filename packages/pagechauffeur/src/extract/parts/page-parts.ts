import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ShownPage } from '../../verb/prompt.ts';
import { cutLines } from './cut-lines.ts';
import { textLines, treeOf } from './text-lines.ts';

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

/** Cuts a page that was read with places into parts of so many tokens at most, by estimate. */
export function cutPage(snapshot: Snapshot, mostTokens: number): CutPage {
  const lines = textLines(snapshot);
  const { url, title } = snapshot;
  const textAt = (place: number): string => lines[place]?.text ?? '';
  const parts = cutLines(lines, mostTokens).map(({ start, end, context }) => {
    const places = Array.from({ length: end - start }, (_, index) => start + index);
    const all = [...context, ...places];
    return {
      page: {
        url,
        title,
        text: all.map(textAt).join('\n'),
        get nodes() {
          return treeOf(lines, all);
        },
      },
      context: context.map(textAt),
      own: places.map(textAt),
    };
  });
  return { page: { url, title }, parts };
}
