import type { Snapshot } from './snapshot.ts';

/**
 * Where an element is, such as ` in row "1041 | Acme"` or ` under "Billing"`, and its position among elements with the same role and name.
 */
export interface ElementPlace {
  /** Starts with a space. Empty if nothing around the element has a name or text. */
  readonly words: string;
  /** Position among the elements of the same role and name, from 1. */
  readonly position: number;
  /** Number of elements of the same role and name. */
  readonly count: number;
}

/** Places of these elements of a snapshot. Omits elements that the snapshot does not show. */
export function placesOf(snapshot: Snapshot, refs: readonly string[]): ReadonlyMap<string, ElementPlace> {
  const lines = snapshot.text.split('\n');
  return new Map(
    refs.flatMap((ref): [string, ElementPlace][] => {
      const index = lines.findIndex((line) => isLineOf(line, ref));
      return index < 0 ? [] : [[ref, { words: surroundings(lines, index), ...positionOf(snapshot, ref) }]];
    }),
  );
}

/** Describes an element: `button "Delete" in row "1041 | Acme"`. Adds the position if the words match more than one element. */
export function phraseOf(snapshot: Snapshot, ref: string, place: ElementPlace | undefined): string {
  const target = snapshot.refs.get(ref);
  if (!target) return ref;
  const phrase = `${target.role}${target.name === '' ? '' : ` ${JSON.stringify(shortened(target.name))}`}`;
  return `${phrase}${place?.words ?? ''}`;
}

/** Counts the elements with the same role and name, this one included, and returns its position among them. */
function positionOf({ refs }: Snapshot, ref: string): Pick<ElementPlace, 'position' | 'count'> {
  const target = refs.get(ref);
  const equals = [...refs].filter(([, { role, name }]) => role === target?.role && name === target.name);
  return { position: equals.findIndex(([other]) => other === ref) + 1, count: equals.length };
}

/** Place of an element that shares role and name with others on the page. Returns an empty string for a unique one. */
export function placeAmongEquals(snapshot: Snapshot, ref: string): string {
  if (positionOf(snapshot, ref).count < 2) return '';
  const place = placesOf(snapshot, [ref]).get(ref);
  return place ? `${place.words} (number ${place.position} of ${place.count} alike)` : '';
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

function isLineOf(line: string, ref: string): boolean {
  if (!line.includes(`${ref} `)) return false;
  return ` ${line.replace(QUOTED, '""')}`.includes(` ${ref} `);
}

function surroundings(lines: readonly string[], index: number): string {
  const own = lines[index] ?? '';
  const row = rowWords(own);
  if (row !== '') return ` in row ${JSON.stringify(row)}`;
  return recordAround(lines, index) ?? headingOver(lines, index) ?? '';
}

/** Leading text cells of a row that is on one line. */
function rowWords(line: string): string {
  const [head = '', ...cells] = line.split(' | ');
  if (!/^\s*(?:\S+ )?row\b/.test(head)) return '';
  const texts = cells.filter((cell) => !/^(?:f\d+)*e\d+ /.test(cell)).map((cell) => cell.trim());
  return shortened(texts.filter(Boolean).slice(0, MAX_CELLS).join(' | '));
}

const MAX_CELLS = 3;
/** Roles of items that usually occur several times, such as rows and list items. */
const RECORD = /^(?:\S+ )?(row|listitem|article|treeitem|tabpanel|dialog|alertdialog|gridcell)\b/;
/** Roles of named parts of a page. */
const PART =
  /^(?:\S+ )?(group|region|form|navigation|banner|contentinfo|complementary|main|radiogroup|toolbar|menu|list|table|iframe)\b.*?("(?:[^"\\]|\\.)*")/;

/** Nearest ancestor with a name or text: an item such as a row, or a named part of the page. */
function recordAround(lines: readonly string[], index: number): string | undefined {
  let depth = depthOf(lines[index]);
  for (let above = index - 1; above >= 0 && depth > 0; above -= 1) {
    const line = lines[above] ?? '';
    if (depthOf(line) >= depth) continue;
    depth = depthOf(line);
    const text = line.trim();
    const record = RECORD.exec(text)?.[1];
    const words = record && (firstName(text) ?? wordsBelow(lines, above, index));
    if (words) return ` in ${record} ${JSON.stringify(shortened(words))}`;
    const [, part, name] = PART.exec(text) ?? [];
    if (part && name) return ` in ${part} ${JSON.stringify(shortened(String(JSON.parse(name))))}`;
  }
  return undefined;
}

/** First texts in the lines of a record, without the element itself. */
function wordsBelow(lines: readonly string[], record: number, element: number): string | undefined {
  const depth = depthOf(lines[record]);
  const words: string[] = [];
  for (let index = record + 1; index < lines.length && words.length < MAX_CELLS; index += 1) {
    const line = lines[index] ?? '';
    if (depthOf(line) <= depth) break;
    const said =
      index === element ? undefined : line.trim().startsWith('- ') ? line.trim().slice(2) : firstName(line.trim());
    if (said) words.push(said);
  }
  return words.length > 0 ? words.join(' | ') : undefined;
}

/** Last heading above an element, searched from the element outward. */
function headingOver(lines: readonly string[], index: number): string | undefined {
  let depth = depthOf(lines[index]);
  for (let above = index - 1; above >= 0; above -= 1) {
    const line = lines[above] ?? '';
    if (depthOf(line) > depth) continue;
    depth = depthOf(line);
    const name = /^\s*(?:\S+ )?heading\b/.test(line) ? firstName(line.trim()) : undefined;
    if (name) return ` under ${JSON.stringify(shortened(name))}`;
  }
  return undefined;
}

function firstName(text: string): string | undefined {
  const quoted = /^(?:\S+ ){1,3}?("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return quoted === undefined ? undefined : String(JSON.parse(quoted));
}

function depthOf(line = ''): number {
  return line.length - line.trimStart().length;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 60;
