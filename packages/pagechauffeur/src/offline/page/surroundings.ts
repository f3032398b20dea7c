import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { type Line, ancestorsOf, closest } from './line.ts';
import type { PageIndex } from './page-index.ts';
import { KIND_STEMS } from './kind-stems.ts';
import { CELL_ROLES, ITEM_ROLES, NAMED_GROUP_ROLES } from './roles.ts';

/** How strongly a nearby word identifies an element, by where it occurs. */
const STRENGTH = {
  record: 0.9,
  heading: 0.85,
  group: 0.8,
  outerHeading: 0.65,
  label: 0.6,
  columnHeader: 0.6,
  pageHeading: 0.4,
  title: 0.35,
  kind: 0.8,
};
/** Maximum number of lines in a record. A longer part of the page is a section. */
const LARGEST_RECORD = 120;

/** Collects the words near an element, such as in its record, headings and label. */
export class Surroundings {
  readonly #page: PageIndex;
  readonly #wordsByLine = new Map<Line, ReadonlyMap<string, number>>();
  readonly #recordWords = new Map<Line, ReadonlySet<string>>();

  constructor(page: PageIndex) {
    this.#page = page;
  }

  wordsAround(line: Line): ReadonlyMap<string, number> {
    const known = this.#wordsByLine.get(line);
    if (known) return known;
    const words = this.#collect(line);
    this.#wordsByLine.set(line, words);
    return words;
  }

  #collect(line: Line): ReadonlyMap<string, number> {
    const words = new Map<string, number>();
    const add = (stems: Iterable<string>, strength: number): void => {
      for (const stem of stems) if ((words.get(stem) ?? 0) < strength) words.set(stem, strength);
    };
    const record = recordOf(line);
    if (record) add(this.#wordsOfRecord(record), STRENGTH.record);
    if (line.label) add(line.label.words.keys(), STRENGTH.label);
    for (const [heading, strength] of headingsOver(line)) add(heading.words.keys(), strength);
    for (const group of groupsAround(line)) add(group.words.keys(), STRENGTH.group);
    for (const ancestor of ancestorsOf(line)) add(KIND_STEMS.get(ancestor.node.role) ?? [], STRENGTH.kind);
    const header = record && columnHeader(this.#page, line, record);
    if (header) add(header.words.keys(), STRENGTH.columnHeader);
    add(this.#page.titleWords, STRENGTH.title);
    return words;
  }

  #wordsOfRecord(record: Line): ReadonlySet<string> {
    const known = this.#recordWords.get(record);
    if (known) return known;
    const words = new Set<string>();
    for (const line of this.#page.lines.slice(record.index, record.end))
      for (const stem of line.words.keys()) words.add(stem);
    this.#recordWords.set(record, words);
    return words;
  }
}

export function columnHeader(page: PageIndex, line: Line, row: Line): Line | null {
  const cell = cellOf(line);
  const position = cell ? row.node.children.indexOf(cell.node) : -1;
  return position < 0 ? null : (page.headersOver(row)[position] ?? null);
}

/** Returns the column header for a data cell, and `null` for any other line. */
export function headerOfCell(page: PageIndex, line: Line): Line | null {
  if (!DATA_CELL_ROLES.has(line.node.role)) return null;
  const row = recordOf(line);
  return row && columnHeader(page, line, row);
}

const DATA_CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell']);

/** Returns the record that contains the line, such as a row or a clickable card. It can be the line itself. */
export function recordOf(line: Line): Line | null {
  if (ITEM_ROLES.has(line.node.role) && line.node.role !== 'treeitem') return line;
  const record = closest(line, ITEM_ROLES) ?? clickableAncestor(line);
  return record && isOneRecord(record) && !isHeaderRow(record) ? record : null;
}

/** Returns the closest clickable ancestor without a role, such as a card or chip. */
function clickableAncestor(line: Line): Line | null {
  for (const around of ancestorsOf(line))
    if (around.node.role === 'generic' && around.node.states.includes('clickable')) return around;
  return null;
}

function isHeaderRow({ node }: Line): boolean {
  return node.role === 'row' && node.children.some(({ role }) => role === 'columnheader');
}

/** Containers with more than one heading hold several items. */
function isOneRecord(record: Line): boolean {
  return record.end - record.index <= LARGEST_RECORD && headingsIn(record.node) <= 1;
}

function headingsIn(node: SnapshotNode): number {
  return node.children.reduce((sum, child) => sum + headingsIn(child), node.role === 'heading' ? 1 : 0);
}

/** Yields the headings that apply to a line, innermost first, each with the strength of its words. */
export function* headingsOver(line: Line): Generator<readonly [Line, number]> {
  let isNearest = true;
  for (let heading = line.heading; heading; heading = heading.heading) {
    const inner = isNearest ? STRENGTH.heading : STRENGTH.outerHeading;
    yield [heading, heading.node.level === 1 ? STRENGTH.pageHeading : inner];
    isNearest = false;
  }
}

export function* groupsAround(line: Line): Generator<Line> {
  for (const ancestor of ancestorsOf(line)) {
    // Text inside an unnamed group does not name it.
    if (NAMED_GROUP_ROLES.has(ancestor.node.role) && ancestor.node.name !== '') yield ancestor;
    if (SCOPES_OF_LABEL.has(ancestor.node.role) && ancestor.label) yield ancestor.label;
    if (ancestor.heading && ancestor.heading !== line.heading) yield ancestor.heading;
  }
}

const SCOPES_OF_LABEL: ReadonlySet<string> = new Set(['group', 'radiogroup', 'listbox', 'toolbar']);

function cellOf(line: Line): Line | null {
  return CELL_ROLES.has(line.node.role) ? line : closest(line, CELL_ROLES);
}
