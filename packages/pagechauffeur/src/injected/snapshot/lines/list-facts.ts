import type { WireNode } from '../../contract.ts';
import { refOf } from '../../refs.ts';
import { isSameLine } from './collapse.ts';
import type { LineGroup, LineList } from './line-list.ts';

/** Minimum length of a list that can be folded. */
export const FOLDABLE_LENGTH = 6;
/** Minimum length of an option list that is written once. Other elements with the same options refer to it. */
export const SHARED_OPTIONS_LENGTH = 3;

type Grouped = Pick<LineList, 'lines' | 'groups'>;

interface Facts {
  readonly groups: readonly LineGroup[];
  readonly element: Element;
}

/** Groups and elements of lists that are long enough to fold. */
export class ListFacts {
  readonly #byLines = new WeakMap<readonly WireNode[], Facts>();

  /** Stores the groups and the element of `lines`, which may lack some of the collected lines. */
  note(lines: readonly WireNode[], collected: Grouped, element: Element): void {
    if (lines.length < FOLDABLE_LENGTH) return;
    this.#byLines.set(lines, { element, groups: groupsIn(lines, collected) });
  }

  /** Stores the facts of the lines that remain of `all`. */
  shorten(lines: readonly WireNode[], all: readonly WireNode[]): void {
    const facts = this.#byLines.get(all);
    if (facts) this.note(lines, { lines: all, groups: facts.groups }, facts.element);
  }

  groupsOf(lines: readonly WireNode[]): readonly LineGroup[] {
    return this.#byLines.get(lines)?.groups ?? [];
  }

  /** Returns the ref of the element that contains the lines; 0 if unknown. */
  holderOf(lines: readonly WireNode[]): number {
    const element = this.elementOf(lines);
    return element ? refOf(element) : 0;
  }

  /** Returns `undefined` for short lists. */
  elementOf(lines: readonly WireNode[]): Element | undefined {
    return this.#byLines.get(lines)?.element;
  }
}

/** Maps the groups to the indexes that remain after lines were removed. */
function groupsIn(lines: readonly WireNode[], collected: Grouped): readonly LineGroup[] {
  if (lines.length === collected.lines.length) return collected.groups;
  const indexes: number[] = [];
  let index = 0;
  for (const line of collected.lines) {
    indexes.push(index);
    if (isSameLine(lines[index], line)) index += 1;
  }
  indexes.push(index);
  const indexed = (group: LineGroup): LineGroup[] => {
    const [start = 0, end = 0] = [indexes[group.start], indexes[group.end]];
    return end - start < 2 ? [] : [{ start, end, inner: group.inner.flatMap(indexed) }];
  };
  return collected.groups.flatMap(indexed);
}
