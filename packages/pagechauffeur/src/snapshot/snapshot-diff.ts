import { type ParsedLine, parseLine, type SnapshotLine, snapshotLines } from './parse-line.ts';
import { foldChanges } from './fold-changes.ts';
import type { Snapshot } from './snapshot.ts';

export interface SnapshotDiff {
  /**
   * `*` marks a new line, `~` a changed one. Lines without a mark are their ancestors, or were folded before. Then
   * follow changes in folded items, and a line with what was removed.
   */
  readonly text: string;
  readonly isEmpty: boolean;
}

/** Maximum number of removed lines to list, and maximum length of each. */
const MAX_GONE_REPORTED = 5;
const GONE_LENGTH = 60;
/** Maximum length of ancestor lines. */
const CONTEXT_LENGTH = 120;

/**
 * Compares two snapshots by lines, in almost linear time. `unfolds`: also returns lines that expanding a fold revealed.
 */
export function diffSnapshots(before: Snapshot, after: Snapshot, unfolds = false): SnapshotDiff {
  const [old, now] = [snapshotLines(before), snapshotLines(after)];
  const part = differingPart(old, now);
  const matches = matchLines(old.slice(part.start, part.oldEnd), now.slice(part.start, part.end));
  const folds = foldChanges(before, after);
  const marks = marksOf(now, { part, matches, old, before, changed: folds.changed, unfolds });
  const kept = keptIndexes(part, matches);
  const gone = goneLines(old, { part, kept, now, after });
  const lines = [
    ...markedLines(withoutUnchanged(now, { part, matches, old }), marks),
    ...folds.lines,
    ...goneText(gone, goneRefs(before, after)),
  ];
  return { text: lines.join('\n'), isEmpty: lines.length === 0 };
}

/** An empty mark is for a line that was folded before, and is shown because the caller expanded the fold. */
type Mark = '*' | '~' | '';

interface Comparison {
  readonly part: DifferingPart;
  readonly matches: readonly number[];
  readonly old: readonly SnapshotLine[];
  readonly before: Snapshot;
  /** First refs of the folded items that have changed. */
  readonly changed: ReadonlySet<string>;
  readonly unfolds: boolean;
}

function marksOf(now: readonly SnapshotLine[], comparison: Comparison): ReadonlyMap<number, Mark> {
  const { part, matches, old, before } = comparison;
  const shownBefore = new Set(old.map(({ key }) => key));
  const marks = new Map<number, Mark>();
  for (const [offset, match] of matches.entries()) {
    const line = now[part.start + offset];
    const earlier = match < 0 ? undefined : old[part.start + match];
    if (!line || line.text === earlier?.text) continue;
    const wasFolded = line.ref !== undefined && before.refs.has(line.ref) && !shownBefore.has(line.key);
    if (earlier || line.isFold || (line.ref !== undefined && comparison.changed.has(line.ref)))
      marks.set(part.start + offset, '~');
    else if (!wasFolded) marks.set(part.start + offset, '*');
    else if (comparison.unfolds) marks.set(part.start + offset, '');
  }
  return marks;
}

/** Maximum length of an unchanged value. */
const LONGEST_SAME_VALUE = 80;
/** Shortens long values and leaves out options if they have not changed. */
function withoutUnchanged(
  now: readonly SnapshotLine[],
  { part, matches, old }: Pick<Comparison, 'part' | 'matches' | 'old'>,
): readonly SnapshotLine[] {
  return now.map((line, index) => {
    const match = matches[index - part.start] ?? -1;
    if (match < 0) return line;
    const before = old[part.start + match];
    const text = withShortValue(withoutOptions(line, before), before);
    return text === line.text ? line : { ...line, text };
  });
}

function withShortValue(text: string, before: SnapshotLine | undefined): string {
  const value = partIn(text, parseLine(text), 'value');
  if (!value || value.length <= LONGEST_SAME_VALUE || value !== partIn(before?.text, before?.parsed, 'value'))
    return text;
  const start = value.slice(0, LONGEST_SAME_VALUE / 2).replace(/\\+$/, '');
  return text.replace(value, () => `${start}…" (unchanged)`);
}

function withoutOptions({ text, parsed }: SnapshotLine, before: SnapshotLine | undefined): string {
  const options = partIn(text, parsed, 'options');
  return options === undefined || options !== partIn(before?.text, before?.parsed, 'options')
    ? text
    : text.replace(options, ' options as before');
}

/** Returns the part as written in the line, from the first element that has one. */
function partIn(text = '', parsed: ParsedLine | undefined, part: 'value' | 'options'): string | undefined {
  const span = parsed?.elements.map(({ marks }) => marks[part]).find((one) => one !== undefined);
  return span && text.slice(span.start, span.end);
}

interface DifferingPart {
  readonly start: number;
  readonly oldEnd: number;
  readonly end: number;
}

/** Most of a page does not change, so this skips equal lines at the start and the end. */
function differingPart(old: readonly SnapshotLine[], now: readonly SnapshotLine[]): DifferingPart {
  let start = 0;
  while (start < old.length && start < now.length && isSame(old[start], now[start])) start += 1;
  let [oldEnd, end] = [old.length, now.length];
  while (oldEnd > start && end > start && isSame(old[oldEnd - 1], now[end - 1])) {
    oldEnd -= 1;
    end -= 1;
  }
  return { start, oldEnd, end };
}

function isSame(a: SnapshotLine | undefined, b: SnapshotLine | undefined): boolean {
  return a?.text === b?.text && a?.key === b?.key;
}

/** Returns, for each line, the index of the earlier line; -1 if the line is new or has moved. */
function matchLines(old: readonly SnapshotLine[], now: readonly SnapshotLine[]): readonly number[] {
  const indexesByKey = new Map<string, number[]>();
  for (const [index, { key }] of old.entries()) {
    const indexes = indexesByKey.get(key);
    if (indexes) indexes.push(index);
    else indexesByKey.set(key, [index]);
  }
  const taken = new Map<string, number>();
  const found = now.map(({ key }) => {
    const count = taken.get(key) ?? 0;
    taken.set(key, count + 1);
    return indexesByKey.get(key)?.[count] ?? -1;
  });
  const inOrder = longestIncreasingSubsequence(found);
  return found.map((match, index) => (inOrder.has(index) ? match : -1));
}

function keptIndexes(part: DifferingPart, matches: readonly number[]): ReadonlyMap<number, number> {
  const indexes = new Map<number, number>();
  for (const [offset, match] of matches.entries()) if (match >= 0) indexes.set(part.start + match, part.start + offset);
  return indexes;
}

/** Returns the marked lines, each below its ancestors. */
function markedLines(now: readonly SnapshotLine[], marks: ReadonlyMap<number, Mark>): readonly string[] {
  const depths = new Map<number, number>();
  const lines: string[] = [];
  const writeWithAncestors = (index: number): number => {
    const known = depths.get(index);
    if (known !== undefined) return known;
    const line = now[index];
    if (!line) return -1;
    const depth = writeWithAncestors(line.parent) + 1;
    depths.set(index, depth);
    const mark = marks.get(index);
    lines.push(' '.repeat(depth) + (mark === undefined ? shortened(line.text, CONTEXT_LENGTH) : mark + line.text));
    return depth;
  };
  for (const index of [...marks.keys()].toSorted((a, b) => a - b)) writeWithAncestors(index);
  return lines;
}

interface Remains {
  readonly part: DifferingPart;
  /** For each earlier line that still exists: its current index. */
  readonly kept: ReadonlyMap<number, number>;
  readonly now: readonly SnapshotLine[];
  readonly after: Snapshot;
}

/** Returns the lines that were removed. Leaves out lines that have moved, or that may only be folded now. */
function goneLines(
  old: readonly SnapshotLine[],
  { part, kept, now, after }: Remains,
): readonly (SnapshotLine & { readonly isBelowGone: boolean })[] {
  const moved = new Set(now.slice(part.start, part.end).map(({ key }) => key));
  const folding = new Set(now.flatMap(({ isFold, parent }) => (isFold ? [parent] : [])));
  const mayBeFolded = ({ parent }: SnapshotLine): boolean => {
    const holder = parent < part.start ? parent : kept.get(parent);
    return after.isFolded && (holder === undefined ? !gone.has(parent) : folding.has(holder));
  };
  const gone = new Set<number>();
  const lines: (SnapshotLine & { readonly isBelowGone: boolean })[] = [];
  for (let index = part.start; index < part.oldEnd; index += 1) {
    const line = old[index];
    if (!line || line.isFold || kept.has(index) || moved.has(line.key)) continue;
    if (line.ref === undefined ? mayBeFolded(line) : after.refs.has(line.ref)) continue;
    gone.add(index);
    lines.push({ ...line, isBelowGone: gone.has(line.parent) });
  }
  return lines;
}

/** Returns removed refs, including those of folded elements. */
function goneRefs(before: Snapshot, after: Snapshot): readonly string[] {
  const refs: string[] = [];
  for (const ref of before.refs.keys()) if (!after.refs.has(ref)) refs.push(ref);
  return refs;
}

function goneText(
  gone: readonly (SnapshotLine & { readonly isBelowGone: boolean })[],
  refs: readonly string[],
): readonly string[] {
  if (gone.length + refs.length === 0) return [];
  const reported = gone.filter(({ isBelowGone }) => !isBelowGone).slice(0, MAX_GONE_REPORTED);
  const more = gone.length - reported.length;
  const words = reported.map(({ text }) => shortened(text, GONE_LENGTH));
  if (more > 0) words.push(`${more} more ${more === 1 ? 'line' : 'lines'}`);
  const text = words.join('; ');
  const named = new Set(reported.flatMap(refsShown));
  const others = refRanges(refs.filter((ref) => !named.has(ref)));
  if (others !== '') return [`gone: ${text === '' ? others : `${text} (${others})`}`];
  return [`gone: ${text}`];
}

const MAX_REF_RANGES = 12;

/** Joins consecutive refs to ranges, such as `e5–e9`. */
function refRanges(refs: Iterable<string>): string {
  const stretches: { first: string; last: string }[] = [];
  for (const ref of refs) {
    const open = stretches.at(-1);
    if (open && ref === nextRef(open.last)) open.last = ref;
    else stretches.push({ first: ref, last: ref });
  }
  const words = stretches
    .slice(0, MAX_REF_RANGES)
    .map(({ first, last }) => (first === last ? first : `${first}–${last}`));
  return stretches.length > MAX_REF_RANGES ? `${words.join(', ')}, …` : words.join(', ');
}

function nextRef(ref: string): string {
  const index = ref.lastIndexOf('e') + 1;
  return `${ref.slice(0, index)}${Number(ref.slice(index)) + 1}`;
}

/** Returns the refs in the first `GONE_LENGTH` characters of a line, because only these are listed. */
function refsShown({ parsed: { elements } }: SnapshotLine): readonly (string | undefined)[] {
  return elements.filter(({ marks }) => (marks.ref?.end ?? Infinity) <= GONE_LENGTH).map(({ ref }) => ref);
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Returns the indexes of a longest increasing subsequence. Skips negative numbers. */
export function longestIncreasingSubsequence(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, the index of the lowest number that ends a subsequence of this length. */
  const ends: number[] = [];
  const before = new Int32Array(numbers.length).fill(-1);
  for (const [index, number] of numbers.entries()) {
    if (number < 0) continue;
    const length = firstNotBelow(ends, (end) => (numbers[end] ?? 0) >= number);
    before[index] = ends[length - 1] ?? -1;
    ends[length] = index;
  }
  const indexes = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) indexes.add(index);
  return indexes;
}

function firstNotBelow(ends: readonly number[], isNotBelow: (end: number) => boolean): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isNotBelow(ends[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
