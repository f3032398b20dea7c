import type { Snapshot } from './snapshot.ts';
import { diffSnapshots } from './snapshot-diff.ts';

/** The next message about a page to a model that has already seen it. */
export interface Observation {
  /** `page`: all lines again. `changes`: only the differences. `same`: no differences. */
  readonly kind: 'page' | 'changes' | 'same';
  readonly text: string;
}

/** Options for comparing two snapshots. */
export interface SecondView {
  /** True if the caller asked to expand a fold. Lines that it reveals are shown. Default false. */
  readonly unfolds?: boolean;
  /** Compares with another document too, such as a form that is shown again after submit. Default false. */
  readonly acrossDocuments?: boolean;
}

const LOADED_ANEW = 'The page was loaded again. Lines that do not follow are as you saw them last, with the same refs.';

/** If the changes are longer than this share of the page, show the page instead. */
const LARGEST_SHARE = 0.5;

/**
 * Changes since an earlier snapshot. Returns the whole page if the changes are too long, or for a new document without `acrossDocuments`.
 */
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
