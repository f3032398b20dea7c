import type { Ordinal } from '../grammar/ordinal.ts';
import { pickAt } from '../grammar/ordinal.ts';
import { type Line, closest, isWithin } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { ITEM_ROLES } from '../page/roles.ts';

/** Fewer than this are no series. */
const SHORTEST_SERIES = 2;
const CHROME: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar']);

/** The main element of the n-th record of the page's main series: "open the third result". */
export function nthRecordElement(page: PageIndex, ordinal: Ordinal): Line | null {
  const series = mainSeries(page);
  const record = series && pickAt(series, ordinal);
  if (!record) return null;
  const inside = page.elements.filter((line) => isWithin(line, record));
  return (
    inside.find(({ node }) => node.role === 'link') ??
    inside.find(({ node }) => node.role === 'button') ??
    inside[0] ??
    null
  );
}

/** The longest run of equal records or headings with links, outside navigation. */
function mainSeries(page: PageIndex): readonly Line[] | null {
  const series = new Map<string, Line[]>();
  for (const line of page.lines) {
    const key = seriesKey(line);
    if (key === null || closest(line, CHROME)) continue;
    series.set(key, [...(series.get(key) ?? []), line]);
  }
  const longest = [...series.values()]
    .filter((lines) => lines.length >= SHORTEST_SERIES)
    .toSorted((left, right) => right.length - left.length);
  return longest[0] ?? null;
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
