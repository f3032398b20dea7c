import { STATE_WORDS } from '../state-words.ts';
import type { Snapshot } from './snapshot.ts';

/** An element in a line of a snapshot. `Renderer` in `injected/snapshot/lines/render-lines.ts` writes this format. */
export interface LineElement {
  readonly ref: string | undefined;
  readonly role: string;
  readonly name: string;
  readonly value: string;
  /** For example `checked` and `scrolled 40%`. */
  readonly states: readonly string[];
  /** Index of the URL in `Snapshot.urls`. */
  readonly url: number | undefined;
  readonly span: Span;
  /** Spans of the ref, value, states and so on, each with its adjacent space. */
  readonly marks: LineMarks;
}

interface LineMarks {
  readonly ref: Span | undefined;
  readonly value: Span | undefined;
  readonly states: readonly Span[];
  readonly options: Span | undefined;
  readonly url: Span | undefined;
}

/** `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The parser is strict, so that page text is never read as a role, a ref, a state or another line. */
export interface ParsedLine {
  /** Number of leading spaces. */
  readonly indent: number;
  readonly kind: 'element' | 'row' | 'text' | 'fold';
  /** The line's own element, if it has one, then the elements with a ref inside text or cells. */
  readonly elements: readonly LineElement[];
  /** Strings of a text line. For an element, its name and value. */
  readonly texts: readonly string[];
  /** Strings in the cells of a row, except those of elements with a ref. */
  readonly cells: readonly string[];
}

const QUOTED = String.raw`"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
/** Suffix of truncated text; see `Renderer`. */
const CUT = String.raw`(?: … [\d,]+ more [a-z]+(?:, (?:f\d+)*e\d+)?)?`;
/** A ref must be followed by a role, which has at least three letters. */
const REF = /((?:f\d+)*e\d+) (?=[a-z]{3})/y;
const ROLE = /[a-z][a-z-]*/y;
const LEVEL = / \d+(?= |$)/y;
const NAME = new RegExp(` (${QUOTED})${CUT}`, 'y');
const VALUE = new RegExp(` = (${QUOTED})${CUT}`, 'y');
/** Punctuation can follow an element inside text. */
const PART_END = String.raw`(?=[ ,.;:!?)\]]|$)`;
const STATE = new RegExp(` (${STATE_WORDS})${PART_END}`, 'y');
const PLACEHOLDER = new RegExp(` placeholder ${QUOTED}${CUT}`, 'y');
const DESCRIPTION = new RegExp(String.raw` \((?:${QUOTED}|[^()"\\]*)${CUT}\)`, 'y');
const OPTIONS = new RegExp(
  String.raw` options (?:as (?:(?:f\d+)*e\d+|before)|${QUOTED}(?:(?:, |–)${QUOTED})*(?: … \d+ more)?)`,
  'y',
);
const URL_NUMBER = new RegExp(String.raw` #(\d+)${PART_END}`, 'y');
const NEXT_CELL = ' | ';

/** Begins a line of text: `- ` the first one, a tab those after it. */
const TEXT_MARK = /^(?:- |\t)/;

/** Returns the number of spaces before the line. */
export function indentIn(line: string): number {
  return line.search(/[^ ]|$/);
}

export function parseLine(line: string): ParsedLine {
  const indent = indentIn(line);
  const [mark] = TEXT_MARK.exec(line.slice(indent)) ?? [];
  if (mark !== undefined) {
    const { elements, texts } = readWords(line, indent + mark.length);
    return { indent, kind: 'text', elements, texts, cells: [] };
  }
  if (line.startsWith('… ', indent)) return { indent, kind: 'fold', elements: [], texts: [], cells: [] };
  const head = elementAt(line, indent);
  if (!head) return { indent, kind: 'text', elements: [], texts: [line.slice(indent)], cells: [] };
  const texts = textsOf(head);
  if (!line.startsWith(NEXT_CELL, head.span.end))
    return { indent, kind: 'element', elements: [head], texts, cells: [] };
  const { elements, texts: cells } = readWords(line, head.span.end + NEXT_CELL.length, NEXT_CELL);
  return { indent, kind: 'row', elements: [head, ...elements], texts, cells };
}

/** Returns all page text in a line, including its cells and the elements in it. */
export function pageTextsIn(line: ParsedLine): readonly string[] {
  return [...line.texts, ...line.cells, ...innerElementsOf(line).flatMap(textsOf)];
}

/** Returns undefined for a line of text. */
export function ownElementOf({ kind, elements }: ParsedLine): LineElement | undefined {
  return kind === 'text' ? undefined : elements[0];
}

/** Returns the elements with a ref inside text or the cells of a row. */
export function innerElementsOf({ kind, elements }: ParsedLine): readonly LineElement[] {
  return kind === 'text' ? elements : elements.slice(1);
}

/** Matches sticky patterns one after the other. */
class Reader {
  position: number;
  readonly #line: string;

  constructor(line: string, position: number) {
    this.#line = line;
    this.position = position;
  }

  read(pattern: RegExp): { readonly match: RegExpExecArray; readonly span: Span } | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#line);
    if (!match) return undefined;
    const span = { start: this.position, end: this.position + match[0].length };
    this.position = span.end;
    return { match, span };
  }
}

function elementAt(line: string, start: number): LineElement | undefined {
  const reader = new Reader(line, start);
  const ref = reader.read(REF);
  const role = reader.read(ROLE);
  if (!role) return undefined;
  reader.read(LEVEL);
  const name = unquoted(reader.read(NAME)?.match[1]);
  const value = reader.read(VALUE);
  const states: { readonly match: RegExpExecArray; readonly span: Span }[] = [];
  for (let state = reader.read(STATE); state; state = reader.read(STATE)) states.push(state);
  reader.read(PLACEHOLDER);
  reader.read(DESCRIPTION);
  const options = reader.read(OPTIONS);
  const url = reader.read(URL_NUMBER);
  return {
    ref: ref?.match[1],
    role: role.match[0],
    name,
    value: unquoted(value?.match[1]),
    states: states.map(({ match }) => match[1] ?? ''),
    url: url && Number(url.match[1]),
    span: { start, end: reader.position },
    marks: {
      ref: ref?.span,
      value: value?.span,
      states: states.map(({ span }) => span),
      options: options?.span,
      url: url?.span,
    },
  };
}

/** An element without a ref cannot be distinguished from text, so it is read as text. */
function readWords(line: string, from: number, separator?: string): Pick<ParsedLine, 'elements' | 'texts'> {
  const elements: LineElement[] = [];
  const texts: string[] = [];
  let start = from;
  const endText = (end: number): void => {
    const text = line.slice(start, end).trim();
    if (text !== '') texts.push(plainText(text));
  };
  for (let position = from; position < line.length;) {
    const isFirst = position === from || line.charAt(position - 1) === ' ';
    const element = isFirst && matchesAt(REF, line, position) ? elementAt(line, position) : undefined;
    const quotation = isFirst ? matchesAt(QUOTED_TEXT, line, position) : undefined;
    const isSeparated = separator !== undefined && line.startsWith(separator, position);
    if (element || quotation || isSeparated) {
      endText(position);
      start = position;
      position = element ? element.span.end : position + (quotation ?? separator ?? '').length;
      if (quotation !== undefined) endText(position);
      start = position;
    } else position += 1;
    if (element) elements.push(element);
  }
  endText(line.length);
  return { elements, texts };
}

function matchesAt(pattern: RegExp, line: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(line)?.[0];
}

function textsOf({ name, value }: LineElement): readonly string[] {
  return [name, value].filter((text) => text !== '');
}

/** Text is in quotation marks if it could be read as another kind of line. */
function plainText(text: string): string {
  return WHOLE_QUOTED.test(text) ? unquoted(text) : text;
}

const QUOTED_TEXT = new RegExp(`${QUOTED}(?= |$)`, 'y');
const WHOLE_QUOTED = new RegExp(`^${QUOTED}$`);

function unquoted(text = '""'): string {
  return String(JSON.parse(text));
}

export function withoutSpans(line: string, spans: readonly (Span | undefined)[]): string {
  return spans
    .filter((span) => span !== undefined)
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), line);
}

export function elementInText(text: string, ref: string): LineElement | undefined {
  for (const line of text.split('\n')) {
    const element = line.includes(`${ref} `) ? parseLine(line).elements.find((one) => one.ref === ref) : undefined;
    if (element) return element;
  }
  return undefined;
}

export function stateSpans({ states, marks }: LineElement, wanted: ReadonlySet<string>): readonly Span[] {
  return marks.states.filter((_, index) => wanted.has(states[index] ?? ''));
}

/** A line of a snapshot, with a key to find it in another snapshot. */
export interface SnapshotLine {
  readonly text: string;
  /**
   * The first ref in the line, else the text of the line. For an unnamed item, also the key of its first child line.
   */
  readonly key: string;
  readonly ref: string | undefined;
  /** Index of the parent line; -1 if there is none. */
  readonly parent: number;
  readonly isFold: boolean;
  readonly parsed: ParsedLine;
}

export function snapshotLines({ text, refs }: Pick<Snapshot, 'text' | 'refs'>): readonly SnapshotLine[] {
  if (text === '') return [];
  const above: { depth: number; index: number }[] = [];
  const lines = text.split('\n').map((whole, index) => {
    const depth = indentIn(whole);
    const words = whole.slice(depth);
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    const parent = above.at(-1)?.index ?? -1;
    above.push({ depth, index });
    const isFold = words.startsWith('… ');
    const parsed = parseLine(words);
    const ref = parsed.elements.find((element) => element.ref !== undefined && refs.has(element.ref))?.ref;
    return { text: words, key: ref ?? words, ref, parent, isFold, parsed };
  });
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const [line, next] = [lines[index], lines[index + 1]];
    if (line && next?.parent === index && ITEM.test(line.text)) line.key += ` ${next.key}`;
  }
  return lines;
}

/** Unnamed items, such as `listitem`, all have the same line. */
const ITEM = /^(?:listitem|article|row|treeitem|group|definition)$/;
