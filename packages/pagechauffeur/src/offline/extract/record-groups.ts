import type { Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { CELL_ROLES } from '../page/roles.ts';
import { Segment, linesWithin } from './segment.ts';

/** Consecutive items of the same kind. */
export interface RecordGroup {
  readonly records: readonly Segment[];
  /** The first line of the group. Headings and captions above it describe the items. */
  readonly start: Line;
}

const REPEATED: ReadonlySet<string> = new Set([
  'row',
  'listitem',
  'article',
  'treeitem',
  'group',
  'generic',
  'region',
  'figure',
  'link',
  'option',
  'button',
  'tab',
  'menuitem',
]);
const SHORTEST_SERIES = 2;

/** Returns all groups of records on a page. */
export function recordGroups(page: PageIndex): readonly RecordGroup[] {
  return [...containerGroups(page), ...headingGroups(page)];
}

/** Groups siblings with the same role: rows, list items, articles, cards. */
function containerGroups(page: PageIndex): readonly RecordGroup[] {
  const series = new Map<string, Line[]>();
  for (const line of page.lines) {
    if (!REPEATED.has(line.node.role) || isHeaderRow(page, line)) continue;
    const key = `${seriesParent(line)?.index ?? 'page'}/${line.node.role}`;
    const lines = series.get(key);
    if (lines) lines.push(line);
    else series.set(key, [line]);
  }
  return [...series.values()].flatMap((lines) => toGroup(lines, (line) => linesWithin(page, line), page));
}

/** Returns the parent of a series. Rows of one table may be in several row groups. */
function seriesParent({ node, parent }: Line): Line | null {
  return node.role === 'row' && parent?.node.role === 'rowgroup' ? parent.parent : parent;
}

/** Groups the sections below headings of the same level. The last section ends at the page footer. */
function headingGroups(page: PageIndex): readonly RecordGroup[] {
  const series = new Map<string, Line[]>();
  for (const line of page.lines) {
    if (line.node.role !== 'heading') continue;
    const key = `${line.parent?.index ?? 'page'}/${line.heading?.index ?? ''}/${line.node.level ?? ''}`;
    series.set(key, [...(series.get(key) ?? []), line]);
  }
  return [...series.values()].flatMap((lines) => toGroup(lines, (heading) => sectionOf(page, heading), page));
}

function sectionOf(page: PageIndex, heading: Line): readonly Line[] {
  const limit = heading.parent?.end ?? page.lines.length;
  const after = page.lines.slice(heading.index + 1, limit);
  const next = after.findIndex(({ node }) =>
    node.role === 'heading' ? (node.level ?? 2) <= (heading.node.level ?? 2) : node.role === 'contentinfo',
  );
  return [heading, ...(next < 0 ? after : after.slice(0, next))];
}

function toGroup(lines: readonly Line[], linesOf: (line: Line) => readonly Line[], page: PageIndex): RecordGroup[] {
  const [start] = lines;
  if (!start || lines.length < SHORTEST_SERIES) return [];
  return [{ start, records: lines.map((line) => new Segment(page, linesOf(line))) }];
}

function isHeaderRow(page: PageIndex, line: Line): boolean {
  const { node } = line;
  if (node.role !== 'row' || node.children.length === 0) return false;
  if (node.children.every(({ role }) => role === 'columnheader' || !CELL_ROLES.has(role))) return true;
  // Excludes a footer row that repeats the column names.
  const headers = page.headersOver(line).map((header) => header.node.name.split(/:\s/)[0]);
  return headers.length > 0 && node.children.every(({ name }, index) => name !== '' && name === headers[index]);
}
