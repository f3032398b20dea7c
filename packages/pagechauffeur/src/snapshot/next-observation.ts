import type { Snapshot } from './snapshot.ts';
import { diffSnapshots } from './snapshot-diff.ts';

/** What to send to a model that already has an earlier snapshot. */
export interface Observation {
  /** `page`: all lines. `changes`: only the differences. `same`: no differences. */
  readonly kind: 'page' | 'changes' | 'same';
  readonly text: string;
}

export interface SecondView {
  /** True if the caller expanded a fold; the lines in it are then shown. Default false. */
  readonly unfolds?: boolean;
  /**
   * True to compare with the snapshot of another document, too, such as a form that is shown again after it was
   * submitted. Default false.
   */
  readonly acrossDocuments?: boolean;
}

const RELOADED = 'The page has reloaded. Lines not listed here are unchanged and keep their refs.';

/** Maximum length of the changes, as a share of the page. If they are longer, the whole page is returned. */
const LARGEST_SHARE = 0.5;

/**
 * Returns the changes since an earlier snapshot. Returns the whole page if the changes are too long or, without
 * `acrossDocuments`, if the document was replaced.
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
  return { kind: 'changes', text: isOther ? [RELOADED, text].filter(Boolean).join('\n') : text };
}
