import type { WireNode } from '../../contract.ts';
import type { LineGroup } from '../lines/line-list.ts';
import { childrenOf, propertiesOf } from '../lines/wire-line.ts';

/** A line with its descendants, or the lines of one box. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly group?: LineGroup;
}

/** One of several repeated items. An item with its own box is one part; without a box, it may have several parts. */
export type Item = readonly Part[];

/** Consecutive items of the same shape, or a single item. */
export type Run = readonly Item[];

/** Fewer similar items are not a repetition. */
export const MIN_REPEATS = 4;
/** Maximum parts per item without a box, such as a product card. */
const LONGEST_PERIOD = 6;
/** Parts with the same role are alike if they share at least this fraction of the roles inside. */
const MIN_ALIKE = 0.5;
/** A run with more parts per item is preferred only if it covers more parts by this factor. */
const PREFERENCE_OF_SHORT = 1.3;

/** Splits a range of lines into its boxes and the lines between them. */
export function partsOf(groups: readonly LineGroup[], start: number, end: number): readonly Part[] {
  const parts: Part[] = [];
  let index = start;
  for (const group of groups) {
    for (; index < group.start; index += 1) parts.push({ start: index, end: index + 1 });
    parts.push({ start: group.start, end: group.end, group });
    index = group.end;
  }
  for (; index < end; index += 1) parts.push({ start: index, end: index + 1 });
  return parts;
}

/** Groups parts into runs of similar items. */
export function runsIn(parts: readonly Part[], lines: readonly WireNode[]): readonly Run[] {
  const shapes = parts.map((part) => shapeOf(part, lines));
  const runs: Run[] = [];
  for (let index = 0; index < parts.length;) {
    const { period, repeats } = longestRun(shapes, index);
    const items: Item[] = [];
    for (let number = 0; number < repeats; number += 1)
      items.push(parts.slice(index + number * period, index + (number + 1) * period));
    runs.push(items);
    index += period * repeats;
  }
  return runs;
}

/** `kinds` is a bit set of the roles in a part. */
interface Shape {
  readonly role: number;
  readonly kinds: number;
}

const TEXT = -1;
const BOX = -2;
const TEXT_KIND = 1 << 30;

function shapeOf({ start, end, group }: Part, lines: readonly WireNode[]): Shape {
  if (group) {
    let kinds = 0;
    for (let index = start; index < end; index += 1) kinds |= kindsIn(lines[index], 2);
    return { role: BOX, kinds };
  }
  const line = lines[start];
  return line === undefined || typeof line === 'string'
    ? { role: TEXT, kinds: TEXT_KIND }
    : { role: line[0], kinds: kindsIn(line, 3) };
}

/** Returns a bit set of the roles of a line and its descendants, `depth` levels in all. */
function kindsIn(line: WireNode | undefined, depth: number): number {
  if (line === undefined || typeof line === 'string') return TEXT_KIND;
  let kinds = 1 << (line[0] % 30);
  if (depth > 1) for (const child of childrenOf(line)) kinds |= kindsIn(child, depth - 1);
  return kinds;
}

function longestRun(shapes: readonly Shape[], start: number): { period: number; repeats: number } {
  let best = { period: 1, repeats: 1 };
  for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
    let end = start + period;
    while (end < shapes.length && isAlike(shapes[end], shapes[end - period])) end += 1;
    const repeats = Math.floor((end - start) / period);
    if (repeats < MIN_REPEATS) continue;
    if (repeats * period > best.repeats * best.period * (best.repeats > 1 ? PREFERENCE_OF_SHORT : 1))
      best = { period, repeats };
  }
  return best;
}

function isAlike(a: Shape | undefined, b: Shape | undefined): boolean {
  if (a === undefined || b === undefined || a.role !== b.role) return false;
  return a.kinds === b.kinds || bitsIn(a.kinds & b.kinds) >= bitsIn(a.kinds | b.kinds) * MIN_ALIKE;
}

function bitsIn(set: number): number {
  let bits = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

export function textOfItem(item: Item, lines: readonly WireNode[]): string {
  const words: string[] = [];
  for (const { start, end } of item) for (let index = start; index < end; index += 1) collectWords(lines[index], words);
  return words.join(' ');
}

function collectWords(line: WireNode | undefined, words: string[]): void {
  if (line === undefined) return;
  if (typeof line === 'string') {
    words.push(line);
    return;
  }
  const [, name, , properties, children] = line;
  if (name) words.push(name);
  if (properties) {
    const { value, placeholder, description, url, states, options } = propertiesOf(line);
    for (const text of [value, placeholder, description, url]) if (text) words.push(text);
    for (const list of [states, options]) if (list) words.push(list.join(' '));
  }
  if (children) for (const child of children) collectWords(child, words);
}

const nounByRole: Readonly<Record<string, string>> = { img: 'image', listitem: 'list item' };

/** Returns a noun such as `row` or `link`; `group` if an item has several lines. */
export function foldNoun(item: Item, lines: readonly WireNode[], roles: readonly string[]): string {
  const [part] = item;
  if (!part || item.length > 1 || part.group) return 'group';
  const line = lines[part.start];
  const role = line === undefined || typeof line === 'string' ? 'text' : (roles[line[0]] ?? '');
  return nounByRole[role] ?? role;
}
