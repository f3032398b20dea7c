import { type Ordinal, pickAt } from '../grammar/ordinal.ts';
import type { TargetWord } from '../grammar/phrase.ts';
import { type Line, addressOf, ancestorsOf, closest, isWithin } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { ITEM_ROLES } from '../page/roles.ts';
import { isSameWord } from '../text/concepts.ts';
import { isPlainVerb } from '../text/plain-words.ts';
import { stemsOf } from '../text/words.ts';

const SHORTEST_SERIES = 2;
const CHROME: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar']);
/** Nouns that fit any listed item. */
const ANYTHING: ReadonlySet<string> = new Set(stemsOf('item entry result row record card product article one'));

interface RecordQuery {
  readonly ordinal: Ordinal;
  readonly words: readonly TargetWord[];
}

/**
 * Handles "open the third result": returns the main element of the n-th record. Returns `null` unless exactly one
 * series on the page fits.
 */
export function nthRecordElement(page: PageIndex, { ordinal, words }: RecordQuery): Line | null {
  const nouns = words.filter(({ sort, text }) => sort === 'noun' || (sort === 'content' && !isPlainVerb(text)));
  const all = seriesOf(page);
  const named = all.filter((series) => nouns.every((noun) => isNamed(series, noun)));
  const fitting = named.length > 0 || !nouns.every(({ stem }) => ANYTHING.has(stem)) ? named : all;
  const [series] = fitting;
  const record = fitting.length === 1 && series && nouns.length > 0 ? pickAt(series, ordinal) : undefined;
  return record ? mainElement(page, record) : null;
}

export function isNthRecord(page: PageIndex, record: Line, ordinal: Ordinal): boolean {
  const beside = seriesOf(page).find((series) => series.includes(record));
  return beside !== undefined && pickAt(beside, ordinal) === record;
}

/** Returns the element that opens a record: the link in its heading, else its only link, else its only control. */
function mainElement(page: PageIndex, record: Line): Line | null {
  const inside = page.elements.filter((line) => isWithin(line, record));
  const inHeading = inside.filter((line) => line.node.role === 'link' && isInHeading(line));
  const links = inside.filter(({ node }) => node.role === 'link');
  for (const candidates of [inHeading, links, inside]) {
    const [first] = candidates;
    if (first) return candidates.every((line) => line === first || isSameAddress(line, first)) ? first : null;
  }
  return null;
}

function isSameAddress(line: Line, other: Line): boolean {
  const address = addressOf(line);
  return address !== undefined && address === addressOf(other);
}

function isInHeading(line: Line): boolean {
  return closest(line, HEADINGS) !== null;
}

const HEADINGS: ReadonlySet<string> = new Set(['heading']);

/** Returns lists of similar records, and of headings with a control, outside navigation. */
function seriesOf(page: PageIndex): readonly (readonly Line[])[] {
  const series = new Map<string, Line[]>();
  for (const line of page.lines) {
    const key = seriesKey(line);
    if (key === null || closest(line, CHROME)) continue;
    series.set(key, [...(series.get(key) ?? []), line]);
  }
  return [...series.values()].filter((lines) => lines.length >= SHORTEST_SERIES);
}

/** True if the series is under a container, heading or label with this word. */
function isNamed([first]: readonly Line[], { stem }: TargetWord): boolean {
  if (!first) return false;
  const over = [
    ...ancestorsOf(first),
    ...(first.heading ? [first.heading] : []),
    ...(first.label ? [first.label] : []),
  ];
  return over.some(({ words }) => [...words.keys()].some((own) => isSameWord(stem, own)));
}

function seriesKey(line: Line): string | null {
  const { node, parent } = line;
  const isHeader = node.role === 'row' && node.children.some((cell) => cell.role === 'columnheader');
  if (ITEM_ROLES.has(node.role) && !isHeader) return `${parent?.index ?? ''}/${node.role}`;
  if (node.role === 'heading' && hasElement(line)) return `${parent?.index ?? ''}/heading ${node.level ?? ''}`;
  return null;
}

function hasElement({ node }: Line): boolean {
  return node.ref !== undefined || node.children.some((child) => child.ref !== undefined);
}
