import { type Ordinal, pickAt } from '../grammar/ordinal.ts';
import type { TargetWord } from '../grammar/phrase.ts';
import { type Line, addressOf, ancestorsOf, closest, isWithin } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { ITEM_ROLES } from '../page/roles.ts';
import { isSameWord } from '../text/concepts.ts';
import { isPlainVerb } from '../text/plain-words.ts';
import { stemsOf } from '../text/words.ts';

/** Fewer than this are no series. */
const SHORTEST_SERIES = 2;
const CHROME: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar']);
/** Words for whatever a page lists. */
const ANYTHING: ReadonlySet<string> = new Set(stemsOf('item entry result row record card product article one'));

/** What is said of a record besides its position. */
interface Sought {
  readonly ordinal: Ordinal;
  readonly words: readonly TargetWord[];
}

/** The main element of the n-th record of the page's one series: "open the third result". Null where the words may mean another. */
export function nthRecordElement(page: PageIndex, { ordinal, words }: Sought): Line | null {
  const nouns = words.filter(({ sort, text }) => sort === 'noun' || (sort === 'content' && !isPlainVerb(text)));
  const all = seriesOf(page);
  const named = all.filter((series) => nouns.every((noun) => isNamed(series, noun)));
  const fitting = named.length > 0 || !nouns.every(({ stem }) => ANYTHING.has(stem)) ? named : all;
  const [series] = fitting;
  const record = fitting.length === 1 && series && nouns.length > 0 ? pickAt(series, ordinal) : undefined;
  return record ? mainElement(page, record) : null;
}

/** Whether a record is the n-th of the records beside it. */
export function isNthRecord(page: PageIndex, record: Line, ordinal: Ordinal): boolean {
  const beside = seriesOf(page).find((series) => series.includes(record));
  return beside !== undefined && pickAt(beside, ordinal) === record;
}

/** What a record is opened by: the link in its heading, or the only link or button that it has. */
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

/** The runs of equal records or headings with links, outside navigation. */
function seriesOf(page: PageIndex): readonly (readonly Line[])[] {
  const series = new Map<string, Line[]>();
  for (const line of page.lines) {
    const key = seriesKey(line);
    if (key === null || closest(line, CHROME)) continue;
    series.set(key, [...(series.get(key) ?? []), line]);
  }
  return [...series.values()].filter((lines) => lines.length >= SHORTEST_SERIES);
}

/** Whether a word stands over a series. */
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
