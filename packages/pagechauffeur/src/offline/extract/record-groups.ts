import type { Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { CELL_ROLES } from '../page/roles.ts';
import { Segment, linesWithin } from './segment.ts';

/** Items that repeat the same structure, such as the rows of a table. */
export interface RecordGroup {
  readonly records: readonly Segment[];
  /** First line of the first record. Its heading and caption describe all records. */
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

/** Returns all series of similar containers, and of sections under headings of the same level. */
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

/** Rows of one table may be split over several row groups. */
function seriesParent({ node, parent }: Line): Line | null {
  return node.role === 'row' && parent?.node.role === 'rowgroup' ? parent.parent : parent;
}

/** Groups the sections under headings of the same level. The page footer ends the last one. */
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
  // A footer row may repeat the column names.
  const headers = page.headersOver(line).map((header) => header.node.name.split(/:\s/)[0]);
  return headers.length > 0 && node.children.every(({ name }, index) => name !== '' && name === headers[index]);
}
