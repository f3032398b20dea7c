import type { Snapshot } from './snapshot.ts';
import { diffSnapshots } from './snapshot-diff.ts';

/** What a model that has seen a page is shown of it next. */
export interface Observation {
  /** `page`: all lines again; `changes`: only what is different; `same`: nothing is. */
  readonly kind: 'page' | 'changes' | 'same';
  readonly text: string;
}

/** How the page is looked at again. */
export interface SecondView {
  /** What was folded away and is shown now was asked for; default false. */
  readonly unfolds?: boolean;
  /** Tells what is different in another document too, such as that of a form that was sent and is shown again; default false. */
  readonly acrossDocuments?: boolean;
}

const LOADED_ANEW = 'The page was loaded again. Lines that do not follow are as you saw them last, with the same refs.';

/** Changes that take more than this share of the page are harder to read than the page. */
const LARGEST_SHARE = 0.5;

/** The changes since an earlier snapshot; the whole page when most of it changed, or when it is another document and that is not asked for. */
export function nextObservation(
  before: Snapshot,
  after: Snapshot,
  { unfolds = false, acrossDocuments = false }: SecondView = {},
): Observation {
  const isOther = before.world !== after.world;
  if (isOther && !(acrossDocuments && before.world && after.world)) return { kind: 'page', text: after.text };
  const { text, isEmpty } = diffSnapshots(before, after, unfolds);
  if (isEmpty && !isOther) return { kind: 'same', text: '' };
  if (!unfolds && text.length >= after.text.length * LARGEST_SHARE) return { kind: 'page', text: after.text };
  return { kind: 'changes', text: isOther ? [LOADED_ANEW, text].filter(Boolean).join('\n') : text };
}
