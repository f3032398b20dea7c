import { isRecord } from '../../util/is-record.ts';
import { LineIndex, type Scalar } from './line-index.ts';
import type { LocatedLine } from './located-lines.ts';
import { sharedSteps } from './xpath-steps.ts';

/** Property names and list indexes from the root of the data to a value. */
export type DataPath = readonly (string | number)[];

/** Line index of each value, by {@link pathKey}. */
export type ValueLines = ReadonlyMap<string, number>;

/** Converts a path to a map key. */
export function pathKey(path: DataPath): string {
  return JSON.stringify(path);
}

/** Indexes of the lines that the model named for a value, by {@link pathKey}. */
export type NamedLines = ReadonlyMap<string, readonly number[]>;

/**
 * Finds the line that contains each value. Entries of a list are expected in page order, and the values of one entry
 * close together. A value that matches no text on the page has no line, unless the model named one.
 */
export function findValueLines(
  data: unknown,
  lines: readonly LocatedLine[],
  named: NamedLines = new Map(),
): ValueLines {
  const finder = new ValueFinder(new LineIndex(lines), named);
  finder.find(data, [], { start: 0, end: lines.length });
  return finder.found;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Leaf {
  readonly path: DataPath;
  readonly value: Scalar;
}

/** Maximum number of lines to compare for the rarest value of an entry. */
const MAX_ANCHORS = 24;
/** Maximum number of lines after the previous entry to search for an entry without exact matches. */
const MAX_LINES_AHEAD = 400;

class ValueFinder {
  readonly found = new Map<string, number>();
  readonly #index: LineIndex;
  readonly #named: NamedLines;

  constructor(index: LineIndex, named: NamedLines) {
    this.#index = index;
    this.#named = named;
  }

  find(data: unknown, path: DataPath, within: Span): void {
    this.#together([...leavesOf(data, path)], within, within.start);
    for (const list of listsOf(data, path)) this.#entries(list.entries, list.path, within);
  }

  #entries(entries: readonly unknown[], path: DataPath, within: Span): void {
    let from = within.start;
    const starts: number[] = [];
    for (const [index, entry] of entries.entries()) {
      const taken = this.#together([...leavesOf(entry, [...path, index])], within, from);
      starts.push(taken?.start ?? from);
      from = taken?.end ?? from;
    }
    for (const [index, entry] of entries.entries()) {
      const inside = { start: starts[index] ?? within.start, end: starts[index + 1] ?? within.end };
      for (const list of listsOf(entry, [...path, index])) this.#entries(list.entries, list.path, inside);
    }
  }

  /** Finds the values of one entry close together, at or after the line `from` if possible. */
  #together(leaves: readonly Leaf[], within: Span, from: number): Span | undefined {
    const candidates = leaves.map((leaf) => ({ leaf, lineIndexes: this.#candidates(leaf, within) }));
    const [rarest] = candidates
      .filter(({ lineIndexes }) => lineIndexes.length > 0)
      .toSorted((a, b) => a.lineIndexes.length - b.lineIndexes.length);
    const chosen = rarest
      ? this.#bestAround(anchorsFrom(rarest.lineIndexes, from), candidates)
      : new Map<Leaf, number>();
    for (const { leaf } of candidates) {
      const lineIndex = chosen.get(leaf) ?? this.#amongWords(leaf, chosen, { within, from });
      if (lineIndex !== undefined) chosen.set(leaf, lineIndex);
    }
    for (const [{ path }, lineIndex] of chosen) this.found.set(pathKey(path), lineIndex);
    const lineIndexes = [...chosen.values()];
    return lineIndexes.length > 0 ? { start: Math.min(...lineIndexes), end: Math.max(...lineIndexes) + 1 } : undefined;
  }

  #candidates({ path, value }: Leaf, { start, end }: Span): readonly number[] {
    const inside = (lineIndexes: readonly number[]): readonly number[] =>
      lineIndexes.slice(firstFrom(lineIndexes, start), firstFrom(lineIndexes, end));
    const exact = inside(this.#index.indexesOf(value));
    const [named] = inside(this.#named.get(pathKey(path)) ?? []);
    if (named === undefined || exact.length === 1) return exact;
    return [exact.length === 0 ? named : (this.#nearest(exact, named) ?? named)];
  }

  #bestAround(anchors: readonly number[], candidates: readonly Candidates[]): Map<Leaf, number> {
    let best = new Map<Leaf, number>();
    let leastCost = Infinity;
    for (const anchor of anchors) {
      const lineIndexes = new Map<Leaf, number>();
      for (const { leaf, lineIndexes: possible } of candidates) {
        const lineIndex = this.#nearest(possible, anchor);
        if (lineIndex !== undefined) lineIndexes.set(leaf, lineIndex);
      }
      const all = [...lineIndexes.values()];
      const cost = Math.max(...all) - Math.min(...all);
      if (cost >= leastCost) continue;
      best = lineIndexes;
      leastCost = cost;
    }
    return best;
  }

  /** Returns the index near `anchor` whose line shares the most ancestor elements with the line at `anchor`. */
  #nearest(lineIndexes: readonly number[], anchor: number): number | undefined {
    const after = firstFrom(lineIndexes, anchor);
    const around = lineIndexes.slice(Math.max(0, after - 2), after + 2);
    const closeness = (lineIndex: number): number =>
      sharedSteps(this.#pathAt(lineIndex), this.#pathAt(anchor)) -
      Math.abs(lineIndex - anchor) / this.#index.lines.length;
    return around.toSorted((a, b) => closeness(b) - closeness(a))[0];
  }

  /** Returns a line whose text contains the value. Searches near another value of the entry, else from `from` on. */
  #amongWords(
    { value }: Leaf,
    chosen: ReadonlyMap<Leaf, number>,
    { within, from }: { within: Span; from: number },
  ): number | undefined {
    if (typeof value !== 'string') return undefined;
    const [anchor] = chosen.values();
    if (anchor === undefined) {
      const isSingle = chosen.size === 0 && from === within.start;
      const end = isSingle ? within.end : Math.min(within.end, from + MAX_LINES_AHEAD);
      return this.#index.indexWith(value, { start: from, end });
    }
    return this.#index.indexWith(value, {
      start: Math.max(from, anchor - REACH),
      end: Math.min(within.end, anchor + REACH),
    });
  }

  #pathAt(lineIndex: number): string {
    return this.#index.lines[lineIndex]?.path ?? '';
  }
}

/** Maximum distance in lines between a value that is part of a longer text and another value of its entry. */
const REACH = 30;

interface Candidates {
  readonly leaf: Leaf;
  readonly lineIndexes: readonly number[];
}

function anchorsFrom(lineIndexes: readonly number[], from: number): readonly number[] {
  const first = firstFrom(lineIndexes, from);
  const start = first < lineIndexes.length ? first : 0;
  return lineIndexes.slice(start, start + MAX_ANCHORS);
}

/** Returns the index of the first element that is at least `from`. `lineIndexes` must be sorted. */
function firstFrom(lineIndexes: readonly number[], from: number): number {
  let [low, high] = [0, lineIndexes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineIndexes[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Yields the values outside of lists. */
function* leavesOf(data: unknown, path: DataPath): Generator<Leaf> {
  if (isRecord(data)) for (const [name, field] of Object.entries(data)) yield* leavesOf(field, [...path, name]);
  else if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    yield { path, value: data };
}

/** Yields the outermost lists. */
function* listsOf(
  data: unknown,
  path: DataPath,
): Generator<{ readonly entries: readonly unknown[]; readonly path: DataPath }> {
  if (Array.isArray(data)) yield { entries: data, path };
  else if (isRecord(data)) for (const [name, field] of Object.entries(data)) yield* listsOf(field, [...path, name]);
}
