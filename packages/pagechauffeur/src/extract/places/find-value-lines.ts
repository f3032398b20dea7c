import { isRecord } from '../../util/is-record.ts';
import { LineIndex, type Scalar } from './line-index.ts';
import type { PlacedLine } from './placed-lines.ts';
import { sharedSteps } from './xpath-steps.ts';

/** Property names and list indexes from the root of the data to a value. */
export type DataPath = readonly (string | number)[];

/** Line index of each value, by {@link pathKey}. */
export type FoundPlaces = ReadonlyMap<string, number>;

/** Converts a path to a map key. */
export function pathKey(path: DataPath): string {
  return JSON.stringify(path);
}

/** Lines that the model named for ambiguous values, by {@link pathKey}. */
export type NamedPlaces = ReadonlyMap<string, readonly number[]>;

/**
 * Finds the line that contains each value. Entries of a list are expected in page order, and the values of one entry
 * close together. A value that is not on the page verbatim has no line, unless the model named one.
 */
export function findPlaces(data: unknown, lines: readonly PlacedLine[], named: NamedPlaces = new Map()): FoundPlaces {
  const finder = new PlaceFinder(new LineIndex(lines), named);
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

/** Maximum number of start lines to compare for an entry. */
const MAX_ANCHORS = 24;
/** Maximum number of lines to search for a value that is only part of a line. */
const MAX_LINES_AHEAD = 400;

class PlaceFinder {
  readonly found = new Map<string, number>();
  readonly #index: LineIndex;
  readonly #named: NamedPlaces;

  constructor(index: LineIndex, named: NamedPlaces) {
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
    const candidates = leaves.map((leaf) => ({ leaf, places: this.#candidates(leaf, within) }));
    const [rarest] = candidates
      .filter(({ places }) => places.length > 0)
      .toSorted((a, b) => a.places.length - b.places.length);
    const chosen = rarest ? this.#bestAround(anchorsFrom(rarest.places, from), candidates) : new Map<Leaf, number>();
    for (const { leaf } of candidates) {
      const place = chosen.get(leaf) ?? this.#amongWords(leaf, chosen, { within, from });
      if (place !== undefined) chosen.set(leaf, place);
    }
    for (const [{ path }, place] of chosen) this.found.set(pathKey(path), place);
    const places = [...chosen.values()];
    return places.length > 0 ? { start: Math.min(...places), end: Math.max(...places) + 1 } : undefined;
  }

  #candidates({ path, value }: Leaf, { start, end }: Span): readonly number[] {
    const inside = (places: readonly number[]): readonly number[] =>
      places.slice(firstFrom(places, start), firstFrom(places, end));
    const exact = inside(this.#index.placesOf(value));
    const [named] = inside(this.#named.get(pathKey(path)) ?? []);
    if (named === undefined || exact.length === 1) return exact;
    return [exact.length === 0 ? named : (this.#nearest(exact, named) ?? named)];
  }

  #bestAround(anchors: readonly number[], candidates: readonly Candidates[]): Map<Leaf, number> {
    let best = new Map<Leaf, number>();
    let leastCost = Infinity;
    for (const anchor of anchors) {
      const places = new Map<Leaf, number>();
      for (const { leaf, places: possible } of candidates) {
        const place = this.#nearest(possible, anchor);
        if (place !== undefined) places.set(leaf, place);
      }
      const all = [...places.values()];
      const cost = Math.max(...all) - Math.min(...all);
      if (cost >= leastCost) continue;
      best = places;
      leastCost = cost;
    }
    return best;
  }

  /** Returns the line near `anchor` with the most common ancestor elements. */
  #nearest(places: readonly number[], anchor: number): number | undefined {
    const after = firstFrom(places, anchor);
    const around = places.slice(Math.max(0, after - 2), after + 2);
    const closeness = (place: number): number =>
      sharedSteps(this.#pathAt(place), this.#pathAt(anchor)) - Math.abs(place - anchor) / this.#index.lines.length;
    return around.toSorted((a, b) => closeness(b) - closeness(a))[0];
  }

  /**
   * Returns a line whose text contains the value. Searches near the other values of the entry, else after its start.
   */
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
      return this.#index.placeWith(value, { start: from, end });
    }
    return this.#index.placeWith(value, {
      start: Math.max(from, anchor - REACH),
      end: Math.min(within.end, anchor + REACH),
    });
  }

  #pathAt(place: number): string {
    return this.#index.lines[place]?.path ?? '';
  }
}

/** Maximum distance in lines between a value and the others of its entry. */
const REACH = 30;

interface Candidates {
  readonly leaf: Leaf;
  readonly places: readonly number[];
}

function anchorsFrom(places: readonly number[], from: number): readonly number[] {
  const first = firstFrom(places, from);
  const start = first < places.length ? first : 0;
  return places.slice(start, start + MAX_ANCHORS);
}

/** Returns the index of the first element that is at least `from`. `places` must be sorted. */
function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
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
