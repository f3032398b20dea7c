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
}

/** Changes that take more than this share of the page are harder to read than the page. */
const LARGEST_SHARE = 0.5;

/** The changes since an earlier snapshot; the whole page when it is another document or when most of it changed. */
export function nextObservation(before: Snapshot, after: Snapshot, { unfolds = false }: SecondView = {}): Observation {
  if (before.world !== after.world) return { kind: 'page', text: after.text };
  const { text, isEmpty } = diffSnapshots(before, after, unfolds);
  if (isEmpty) return { kind: 'same', text: '' };
  return unfolds || text.length < after.text.length * LARGEST_SHARE
    ? { kind: 'changes', text }
    : { kind: 'page', text: after.text };
}
