import type { Snapshot } from '../snapshot/snapshot.ts';

/** Where an element stands, in words of the page: ` in row "1041 | Acme"`, ` under "Billing"`; which of several equal ones it is. */
export interface ElementPlace {
  /** Begins with a space; empty when nothing around the element is named. */
  readonly words: string;
  /** Its position among the elements of the same role and name, from 1. */
  readonly position: number;
  /** How many of them there are. */
  readonly count: number;
}

/** Where these elements of a snapshot stand; those that it does not show are missing. */
export function placesOf(snapshot: Snapshot, refs: readonly string[]): ReadonlyMap<string, ElementPlace> {
  const lines = snapshot.text.split('\n');
  return new Map(
    refs.flatMap((ref): [string, ElementPlace][] => {
      const index = lines.findIndex((line) => isLineOf(line, ref));
      return index < 0 ? [] : [[ref, { words: surroundings(lines, index), ...positionOf(snapshot, ref) }]];
    }),
  );
}

/** An element in a few words: `button "Delete" in row "1041 | Acme"`, with its position where the words alone do not tell it. */
export function phraseOf(snapshot: Snapshot, ref: string, place: ElementPlace | undefined): string {
  const target = snapshot.refs.get(ref);
  if (!target) return ref;
  const phrase = `${target.role}${target.name === '' ? '' : ` ${JSON.stringify(shortened(target.name))}`}`;
  return `${phrase}${place?.words ?? ''}`;
}

/** How many elements have the role and name of this one, itself included, and which of them it is. */
function positionOf({ refs }: Snapshot, ref: string): Pick<ElementPlace, 'position' | 'count'> {
  const target = refs.get(ref);
  const equals = [...refs].filter(([, { role, name }]) => role === target?.role && name === target.name);
  return { position: equals.findIndex(([other]) => other === ref) + 1, count: equals.length };
}

/** Of an element that has equals on the page, which one it is; else nothing. */
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

/** The first cells of a row that stands on one line, as far as they are text. */
function rowWords(line: string): string {
  const [head = '', ...cells] = line.split(' | ');
  if (!/^\s*(?:\S+ )?row\b/.test(head)) return '';
  const texts = cells.filter((cell) => !/^(?:f\d+)*e\d+ /.test(cell)).map((cell) => cell.trim());
  return shortened(texts.filter(Boolean).slice(0, MOST_CELLS).join(' | '));
}

const MOST_CELLS = 3;
/** One of several equal things. */
const RECORD = /^(?:\S+ )?(row|listitem|article|treeitem|tabpanel|dialog|alertdialog|gridcell)\b/;
/** A part of the page that people name. */
const PART =
  /^(?:\S+ )?(group|region|form|navigation|banner|contentinfo|complementary|main|radiogroup|toolbar|menu|list|table|iframe)\b.*?("(?:[^"\\]|\\.)*")/;

/** The nearest thing around that has a name or words of its own, of those that come in numbers or that people name. */
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

/** What the lines of a record say first, the element itself left out. */
function wordsBelow(lines: readonly string[], record: number, element: number): string | undefined {
  const depth = depthOf(lines[record]);
  const words: string[] = [];
  for (let index = record + 1; index < lines.length && words.length < MOST_CELLS; index += 1) {
    const line = lines[index] ?? '';
    if (depthOf(line) <= depth) break;
    const said =
      index === element ? undefined : line.trim().startsWith('- ') ? line.trim().slice(2) : firstName(line.trim());
    if (said) words.push(said);
  }
  return words.length > 0 ? words.join(' | ') : undefined;
}

/** The last heading before an element on its way up. */
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
