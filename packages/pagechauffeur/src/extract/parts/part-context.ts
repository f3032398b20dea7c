import { sharedSteps, stepsIn } from '../places/xpath-steps.ts';
import type { TextLine } from './text-lines.ts';

/** Maximum number of elements that contain a heading but not the content that it applies to. */
const MAX_BOXES_AROUND_HEADING = 2;

/**
 * Returns the indexes of lines that give context to a part: ancestors, headings above, and header rows if the part
 * starts inside a table. Sorted.
 */
export function contextOf(lines: readonly TextLine[], start: number): readonly number[] {
  const ancestors = ancestorsOf(lines, start);
  const contextLines = [...ancestors, ...headingsAbove(lines, start), ...headerRows(lines, { start, ancestors })];
  const lineIndexes = new Set(contextLines.flatMap((lineIndex) => [...ancestorsOf(lines, lineIndex), lineIndex]));
  return [...lineIndexes].toSorted((a, b) => a - b);
}

function ancestorsOf(lines: readonly TextLine[], lineIndex: number): number[] {
  const ancestors: number[] = [];
  for (let above = lines[lineIndex]?.parent ?? -1; above >= 0; above = lines[above]?.parent ?? -1)
    ancestors.unshift(above);
  return ancestors;
}

/** Returns the nearest heading above, then the nearest one of a higher level above that, and so on. */
function headingsAbove(lines: readonly TextLine[], start: number): number[] {
  const first = lines[start];
  if (!first) return [];
  const headings: number[] = [];
  let level = levelOf(first) ?? Infinity;
  for (let lineIndex = start - 1; lineIndex >= 0 && level > 1; lineIndex -= 1) {
    const line = lines[lineIndex];
    const own = line && levelOf(line);
    if (!line || own === undefined || own >= level || !isHeadingOf(line, first)) continue;
    if (hasOwnHeading(lines, { start, level: own, around: sharedSteps(line.path, first.path) })) continue;
    level = own;
    headings.push(lineIndex);
  }
  return headings;
}

function levelOf({ node }: TextLine): number | undefined {
  return node.role === 'heading' ? (node.level ?? 2) : undefined;
}

function isHeadingOf(heading: TextLine, { path }: TextLine): boolean {
  return stepsIn(heading.path) - sharedSteps(heading.path, path) <= MAX_BOXES_AROUND_HEADING + 1;
}

/**
 * True if the element in which the part starts contains a heading of this or a higher level. The heading above then
 * only applies to a sibling of that element.
 */
function hasOwnHeading(
  lines: readonly TextLine[],
  { start, level, around }: { readonly start: number; readonly level: number; readonly around: number },
): boolean {
  const path = lines[start]?.path ?? '';
  for (let lineIndex = start; lineIndex < lines.length; lineIndex += 1) {
    const line = lines[lineIndex];
    if (!line || sharedSteps(line.path, path) <= around) return false;
    if ((levelOf(line) ?? Infinity) <= level) return true;
  }
  return false;
}

const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);

function headerRows(
  lines: readonly TextLine[],
  { start, ancestors }: { start: number; ancestors: readonly number[] },
): number[] {
  const table = ancestors.findLast((lineIndex) => TABLE_ROLES.has(lines[lineIndex]?.node.role ?? ''));
  if (table === undefined) return [];
  const rows: number[] = [];
  for (let lineIndex = table + 1; lineIndex < start && lineIndex <= table + FIRST_LINES; lineIndex += 1)
    if (isHeaderRow(lines[lineIndex])) rows.push(lineIndex);
  return rows;
}

/** Header rows are only searched for in this many lines of a table. */
const FIRST_LINES = 20;

function isHeaderRow(line: TextLine | undefined): boolean {
  const cells = line?.node.role === 'row' ? line.node.children : [];
  return cells.length > 0 && cells.every(({ role }) => role === 'columnheader');
}
