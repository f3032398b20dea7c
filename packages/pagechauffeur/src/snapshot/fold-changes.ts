import type { FoldedItem, Snapshot } from './snapshot.ts';

/** Differences between the items of folded lists in two snapshots, found by their digests. */
export interface FoldChanges {
  /** First refs of the items whose content has changed, folded or not. */
  readonly changed: ReadonlySet<string>;
  /** Lines about folded items: first the changed ones, then the new ones. */
  readonly lines: readonly string[];
}

/** Maximum number of items to list. Further ones are counted. */
const MAX_REPORTED = 5;

/** Compares folded items in time linear in their number. */
export function foldChanges(before: Snapshot, after: Snapshot): FoldChanges {
  const changed = new Set<string>();
  const hidden: string[] = [];
  const fresh: string[] = [];
  for (const [ref, { digest, isShown }] of after.foldedItems.byRef) {
    const earlier = before.foldedItems.byRef.get(ref);
    if (earlier && earlier.digest !== digest) {
      changed.add(ref);
      if (!isShown) hidden.push(ref);
    } else if (!earlier && !isShown && !before.refs.has(ref)) fresh.push(ref);
  }
  const changedItems = [...changedTargets(hidden, after), ...changedFolds(before, after)];
  return { changed, lines: [...line('~', changedItems), ...line('*', changedTargets(fresh, after))] };
}

function line(mark: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${mark}folded: ${items.join('; ')}`];
}

function changedTargets(refs: readonly string[], { refs: targets }: Snapshot): readonly string[] {
  const reported = refs.slice(0, MAX_REPORTED).map((ref) => {
    const { role = '', name = '' } = targets.get(ref) ?? {};
    return [ref, role, name && JSON.stringify(name)].filter(Boolean).join(' ');
  });
  const more = refs.slice(MAX_REPORTED);
  return more.length === 0 ? reported : [...reported, `${more.length} more (${more[0]}–${more.at(-1)})`];
}

/** Items without refs can only be compared by digest, so this counts those with a new digest. */
function changedFolds(before: Snapshot, after: Snapshot): readonly string[] {
  const reported: string[] = [];
  for (const [holder, items] of after.foldedItems.byHolder) {
    const earlier = before.foldedItems.byHolder.get(holder);
    const count = earlier ? countOfOthers(items, earlier) : 0;
    if (count > 0) reported.push(`${count} in ${holder}`);
  }
  return reported;
}

function countOfOthers(items: readonly FoldedItem[], earlier: readonly FoldedItem[]): number {
  const left = new Map<string, number>();
  for (const { digest } of earlier) left.set(digest, (left.get(digest) ?? 0) + 1);
  let count = 0;
  for (const { digest, isShown } of items) {
    const same = left.get(digest) ?? 0;
    if (same > 0) left.set(digest, same - 1);
    else if (!isShown) count += 1;
  }
  return count;
}
