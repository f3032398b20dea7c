import type { FoldedThing, Snapshot } from './snapshot.ts';

/** Changes in folded items. A snapshot has only a digest of each, not its lines. */
export interface FoldChanges {
  /** First refs of the items whose content has changed, folded or not. */
  readonly changed: ReadonlySet<string>;
  /** Lines about folded items: first the changed ones, then the new ones. */
  readonly lines: readonly string[];
}

/** Maximum number of items to list one by one. */
const MOST_TOLD = 5;

/** Compares the items of folded lists, in time linear in their number. */
export function foldChanges(before: Snapshot, after: Snapshot): FoldChanges {
  const changed = new Set<string>();
  const hidden: string[] = [];
  const fresh: string[] = [];
  for (const [ref, { digest, isShown }] of after.foldedThings.byRef) {
    const earlier = before.foldedThings.byRef.get(ref);
    if (earlier && earlier.digest !== digest) {
      changed.add(ref);
      if (!isShown) hidden.push(ref);
    } else if (!earlier && !isShown && !before.refs.has(ref)) fresh.push(ref);
  }
  const changedThings = [...thingsTold(hidden, after), ...unnamedTold(before, after)];
  return { changed, lines: [...line('~', changedThings), ...line('*', thingsTold(fresh, after))] };
}

function line(mark: string, things: readonly string[]): readonly string[] {
  return things.length === 0 ? [] : [`${mark}folded: ${things.join('; ')}`];
}

function thingsTold(refs: readonly string[], { refs: targets }: Snapshot): readonly string[] {
  const told = refs.slice(0, MOST_TOLD).map((ref) => {
    const { role = '', name = '' } = targets.get(ref) ?? {};
    return [ref, role, name && JSON.stringify(name)].filter(Boolean).join(' ');
  });
  const more = refs.slice(MOST_TOLD);
  return more.length === 0 ? told : [...told, `${more.length} more (${more[0]}–${more.at(-1)})`];
}

/** Counts changed items that have no refs. They can only be compared by digest. */
function unnamedTold(before: Snapshot, after: Snapshot): readonly string[] {
  const told: string[] = [];
  for (const [holder, things] of after.foldedThings.byHolder) {
    const earlier = before.foldedThings.byHolder.get(holder);
    const count = earlier ? countOfOthers(things, earlier) : 0;
    if (count > 0) told.push(`${count} in ${holder}`);
  }
  return told;
}

function countOfOthers(things: readonly FoldedThing[], earlier: readonly FoldedThing[]): number {
  const left = new Map<string, number>();
  for (const { digest } of earlier) left.set(digest, (left.get(digest) ?? 0) + 1);
  let count = 0;
  for (const { digest, isShown } of things) {
    const same = left.get(digest) ?? 0;
    if (same > 0) left.set(digest, same - 1);
    else if (!isShown) count += 1;
  }
  return count;
}
