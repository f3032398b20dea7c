import type { FoldedRefs, WireNode } from '../../contract.ts';
import { refOf } from '../../refs.ts';
import type { FoldPlan } from './fold-plan.ts';
import { childrenOf, nameIn, refIn } from '../lines/wire-line.ts';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the refs in folds, the refs that expand truncated text or options (`cutRefs`), and for each fold without refs,
 * the ref of its holder; `undefined` if there are none.
 */
export function foldedRefs(
  { folds }: Pick<FoldPlan, 'folds'>,
  roles: readonly string[],
  cutRefs: ReadonlySet<number>,
): FoldedRefs | undefined {
  const ranges: number[] = [];
  const roleNumbers: number[] = [];
  const names: string[] = [];
  const add = (ref: number, role: number, name: string): void => {
    roleNumbers.push(role);
    names.push(name);
    if (ranges.at(-1) === ref - 1) ranges[ranges.length - 1] = ref;
    else ranges.push(ref, ref);
  };
  for (const [lines, stretches] of folds) {
    for (const stretch of stretches) {
      const before = roleNumbers.length;
      for (let index = stretch.start; index < stretch.end; index += 1) forEachRef(lines[index], add);
      if (roleNumbers.length === before && stretch.holder) add(refOf(stretch.holder), roles.length, '');
    }
  }
  for (const ref of cutRefs) add(ref, roles.length, '');
  return roleNumbers.length > 0 ? { ranges, roleNumbers, roles, names: names.join('\n') } : undefined;
}

/** Returns 0 if no line in the range has a ref. */
export function firstRef(lines: readonly WireNode[], { start, end }: Stretch): number {
  for (let index = start; index < end; index += 1) {
    const ref = firstRefIn(lines[index]);
    if (ref !== 0) return ref;
  }
  return 0;
}

function firstRefIn(line: WireNode | undefined): number {
  if (line === undefined || typeof line === 'string') return 0;
  let ref = refIn(line);
  for (const child of childrenOf(line)) {
    if (ref !== 0) break;
    ref = firstRefIn(child);
  }
  return ref;
}

/** Returns the first and last ref; `null` if no line in the range has one. */
export function refBounds(lines: readonly WireNode[], { start, end }: Stretch): readonly [number, number] | null {
  let first = 0;
  let last = 0;
  const note = (ref: number): void => {
    first ||= ref;
    last = ref;
  };
  for (let index = start; index < end; index += 1) forEachRef(lines[index], note);
  return first === 0 ? null : [first, last];
}

export function holdsRef(lines: readonly WireNode[], { start, end }: Stretch, wanted: number): boolean {
  let isFound = false;
  const note = (ref: number): void => {
    if (ref === wanted) isFound = true;
  };
  for (let index = start; index < end; index += 1) forEachRef(lines[index], note);
  return isFound;
}

function forEachRef(line: WireNode | undefined, visit: (ref: number, role: number, name: string) => void): void {
  if (line === undefined || typeof line === 'string') return;
  const ref = refIn(line);
  if (ref !== 0) visit(ref, line[0], nameIn(line));
  for (const child of childrenOf(line)) forEachRef(child, visit);
}
