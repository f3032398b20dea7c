import type { Snapshot } from './snapshot.ts';
import { diffSnapshots } from './snapshot-diff.ts';

/** What a model that has seen a page is shown of it next. */
export interface Observation {
  /** `page`: all lines again; `changes`: only what is different; `same`: nothing is. */
  readonly kind: 'page' | 'changes' | 'same';
  readonly text: string;
}

/** Changes that take more than this share of the page are harder to read than the page. */
const LARGEST_SHARE = 0.5;

/** The changes since an earlier snapshot; the whole page when it is another document or when most of it changed. */
export function nextObservation(before: Snapshot, after: Snapshot): Observation {
  if (before.world !== after.world) return { kind: 'page', text: after.text };
  const { text, isEmpty } = diffSnapshots(before, after);
  if (isEmpty) return { kind: 'same', text: '' };
  return text.length < after.text.length * LARGEST_SHARE
    ? { kind: 'changes', text }
    : { kind: 'page', text: after.text };
}
