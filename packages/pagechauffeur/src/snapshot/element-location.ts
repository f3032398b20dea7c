import { type ParsedLine, parseLine } from './parse-line.ts';
import type { Snapshot } from './snapshot.ts';

/** Tells elements with the same role and name apart. */
export interface ElementLocation {
  /**
   * A phrase such as ` in row "1041 | Acme"` or ` under "Billing"`. Empty if nothing around the element has a name or
   * text.
   */
  readonly words: string;
  /** Position among the elements with the same role and name, from 1. */
  readonly position: number;
  /** Number of elements with the same role and name. */
  readonly count: number;
}

/** Returns locations by ref. Leaves out refs that are not in the text of the snapshot. */
export function locationsOf(snapshot: Snapshot, refs: readonly string[]): ReadonlyMap<string, ElementLocation> {
  const lines = snapshot.text.split('\n').map(parseLine);
  return new Map(
    refs.flatMap((ref): [string, ElementLocation][] => {
      const index = lines.findIndex(({ elements }) => elements.some((element) => element.ref === ref));
      return index < 0 ? [] : [[ref, { words: surroundings(lines, index), ...positionOf(snapshot, ref) }]];
    }),
  );
}

/** Returns a phrase such as `button "Delete" in row "1041 | Acme"`. */
export function phraseOf(snapshot: Snapshot, ref: string, location: ElementLocation | undefined): string {
  const target = snapshot.refs.get(ref);
  if (!target) return ref;
  const phrase = `${target.role}${target.name === '' ? '' : ` ${JSON.stringify(shortened(target.name))}`}`;
  return `${phrase}${location?.words ?? ''}`;
}

function positionOf({ refs }: Snapshot, ref: string): Pick<ElementLocation, 'position' | 'count'> {
  const target = refs.get(ref);
  const equals = [...refs].filter(([, { role, name }]) => role === target?.role && name === target.name);
  return { position: equals.findIndex(([other]) => other === ref) + 1, count: equals.length };
}

/** Returns an empty string if no other element on the page has the same role and name. */
export function locationAmongEquals(snapshot: Snapshot, ref: string): string {
  if (positionOf(snapshot, ref).count < 2) return '';
  const location = locationsOf(snapshot, [ref]).get(ref);
  return location ? `${location.words} (${location.position} of ${location.count} with this name)` : '';
}

function surroundings(lines: readonly ParsedLine[], index: number): string {
  const row = rowSummary(lines[index]);
  if (row) return row;
  return closestRecord(lines, index) ?? headingOver(lines, index) ?? '';
}

/** Returns the first cells of a row that is written on one line. */
function rowSummary(line: ParsedLine | undefined): string | undefined {
  const words = line?.kind === 'row' ? shortened(line.cells.slice(0, MAX_CELLS).join(' | ')) : '';
  return words === '' ? undefined : ` in ${line?.elements[0]?.role} ${JSON.stringify(words)}`;
}

const MAX_CELLS = 3;
/** Roles of items that usually occur several times. */
const RECORDS: ReadonlySet<string> = new Set(
  'row listitem article treeitem tabpanel dialog alertdialog gridcell'.split(' '),
);
/** Roles of page parts that can have a name. */
const PARTS: ReadonlySet<string> = new Set(
  'group region form navigation banner contentinfo complementary main radiogroup toolbar menu list table iframe'.split(
    ' ',
  ),
);

/** Finds the nearest ancestor with a name or text: an item such as a row, or a named part of the page. */
function closestRecord(lines: readonly ParsedLine[], index: number): string | undefined {
  let depth = lines[index]?.indent ?? 0;
  for (let above = index - 1; above >= 0 && depth > 0; above -= 1) {
    const { indent = 0, elements: [element] = [] } = lines[above] ?? {};
    if (indent >= depth) continue;
    depth = indent;
    if (!element) continue;
    const { role, name } = element;
    const words = RECORDS.has(role) ? name || textBelow(lines, above, index) : PARTS.has(role) ? name : '';
    if (words) return ` in ${role} ${JSON.stringify(shortened(words))}`;
  }
  return undefined;
}

/** Returns the first strings below a record, without that of the element itself. */
function textBelow(lines: readonly ParsedLine[], record: number, element: number): string {
  const words: string[] = [];
  for (let index = record + 1; index < lines.length && words.length < MAX_CELLS; index += 1) {
    const line = lines[index];
    if (!line || line.indent <= (lines[record]?.indent ?? 0)) break;
    const text = index === element ? undefined : (line.elements[0]?.name ?? line.texts[0]);
    if (text) words.push(text);
  }
  return words.join(' | ');
}

/** Finds the last heading above an element. Only headings at the same level or further out count. */
function headingOver(lines: readonly ParsedLine[], index: number): string | undefined {
  let depth = lines[index]?.indent ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) {
    const { indent = 0, elements: [element] = [] } = lines[above] ?? {};
    if (indent > depth) continue;
    depth = indent;
    if (element?.role === 'heading' && element.name !== '') return ` under ${JSON.stringify(shortened(element.name))}`;
  }
  return undefined;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 60;
