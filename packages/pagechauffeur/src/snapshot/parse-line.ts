import { STATE_WORDS } from '../state-words.ts';

/** An element in a line of a snapshot. `Renderer` in `injected/snapshot/render-lines.ts` writes this format. */
export interface LineElement {
  readonly ref: string | undefined;
  readonly role: string;
  readonly name: string;
  readonly value: string;
  /** For example `checked` and `scrolled 40%`. */
  readonly states: readonly string[];
  /** Index of the URL in `Snapshot.urls`. */
  readonly url: number | undefined;
  /** Position of the element in the line. */
  readonly span: Span;
  /** Positions of its other parts, each including the space before it. */
  readonly marks: LineMarks;
}

interface LineMarks {
  readonly ref: Span | undefined;
  readonly value: Span | undefined;
  readonly states: readonly Span[];
  readonly options: Span | undefined;
  readonly url: Span | undefined;
}

/** A part of a line. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A parsed line of a snapshot. The parser is strict, so that page text is never read as a role, a ref, a state or
 * another line.
 */
export interface ParsedLine {
  /** Number of spaces at the start of the line. */
  readonly indent: number;
  readonly kind: 'element' | 'row' | 'text' | 'fold';
  /** The element of the line, and the elements with a ref in a text or in the cells of a row. */
  readonly elements: readonly LineElement[];
  /** The texts of a text line. For an element, its name and value. */
  readonly texts: readonly string[];
  /** The texts in the cells of a row, without those of elements with a ref. */
  readonly cells: readonly string[];
}

const QUOTED = String.raw`"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
/** The end of a text that was cut; see `Renderer`. */
const CUT = String.raw`(?: … [\d,]+ more [a-z]+(?:, (?:f\d+)*e\d+)?)?`;
/** Roles have at least three letters. */
const REF = /((?:f\d+)*e\d+) (?=[a-z]{3})/y;
const ROLE = /[a-z][a-z-]*/y;
const LEVEL = / \d+(?= |$)/y;
const NAME = new RegExp(` (${QUOTED})${CUT}`, 'y');
const VALUE = new RegExp(` = (${QUOTED})${CUT}`, 'y');
/** In text, punctuation can follow an element. */
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

/** Parses one line of a snapshot's text. */
export function parseLine(line: string): ParsedLine {
  const indent = line.length - line.trimStart().length;
  const isText = line.startsWith('- ', indent);
  if (isText) {
    const { elements, texts } = readWords(line, indent + 2);
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

/** Returns all page texts of a line: its own, those of its cells, and those of the elements in it. */
export function pageTextsIn(line: ParsedLine): readonly string[] {
  return [...line.texts, ...line.cells, ...innerElementsOf(line).flatMap(textsOf)];
}

/** Returns the element that the line is about. `undefined` for text. */
export function ownElementOf({ kind, elements }: ParsedLine): LineElement | undefined {
  return kind === 'text' ? undefined : elements[0];
}

/** Returns the elements with a ref that are in a text or in the cells of a row. */
export function innerElementsOf({ kind, elements }: ParsedLine): readonly LineElement[] {
  return kind === 'text' ? elements : elements.slice(1);
}

/** Matches patterns at a position in a line and advances it. */
class Reader {
  place: number;
  readonly #line: string;

  constructor(line: string, place: number) {
    this.#line = line;
    this.place = place;
  }

  /** Matches at the current position and advances past the match. */
  read(pattern: RegExp): { readonly match: RegExpExecArray; readonly span: Span } | undefined {
    pattern.lastIndex = this.place;
    const match = pattern.exec(this.#line);
    if (!match) return undefined;
    const span = { start: this.place, end: this.place + match[0].length };
    this.place = span.end;
    return { match, span };
  }
}

/** Returns the element that starts at this position, or `undefined`. */
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
    span: { start, end: reader.place },
    marks: {
      ref: ref?.span,
      value: value?.span,
      states: states.map(({ span }) => span),
      options: options?.span,
      url: url?.span,
    },
  };
}

/**
 * Parses texts and elements with a ref. An element without a ref cannot be distinguished from text, so it is read as
 * text.
 */
function readWords(line: string, from: number, separator?: string): Pick<ParsedLine, 'elements' | 'texts'> {
  const elements: LineElement[] = [];
  const texts: string[] = [];
  let start = from;
  const endText = (end: number): void => {
    const text = line.slice(start, end).trim();
    if (text !== '') texts.push(plainText(text));
  };
  for (let place = from; place < line.length;) {
    const isFirst = place === from || line.charAt(place - 1) === ' ';
    const element = isFirst && matchesAt(REF, line, place) ? elementAt(line, place) : undefined;
    const quotation = isFirst ? matchesAt(QUOTED_TEXT, line, place) : undefined;
    const isSeparated = separator !== undefined && line.startsWith(separator, place);
    if (element || quotation || isSeparated) {
      endText(place);
      start = place;
      place = element ? element.span.end : place + (quotation ?? separator ?? '').length;
      if (quotation !== undefined) endText(place);
      start = place;
    } else place += 1;
    if (element) elements.push(element);
  }
  endText(line.length);
  return { elements, texts };
}

function matchesAt(pattern: RegExp, line: string, place: number): string | undefined {
  pattern.lastIndex = place;
  return pattern.exec(line)?.[0];
}

function textsOf({ name, value }: LineElement): readonly string[] {
  return [name, value].filter((text) => text !== '');
}

/** Removes quotation marks around a text. Text that looks like another kind of line is written in quotation marks. */
function plainText(text: string): string {
  return WHOLE_QUOTED.test(text) ? unquoted(text) : text;
}

const QUOTED_TEXT = new RegExp(`${QUOTED}(?= |$)`, 'y');
const WHOLE_QUOTED = new RegExp(`^${QUOTED}$`);

function unquoted(text = '""'): string {
  return String(JSON.parse(text));
}

/** Returns the line without these parts. */
export function withoutSpans(line: string, spans: readonly (Span | undefined)[]): string {
  return spans
    .filter((span) => span !== undefined)
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), line);
}

/** Returns the element with this ref in the text of a snapshot. Returns `undefined` if the text does not contain it. */
export function elementInText(text: string, ref: string): LineElement | undefined {
  for (const line of text.split('\n')) {
    const element = line.includes(`${ref} `) ? parseLine(line).elements.find((one) => one.ref === ref) : undefined;
    if (element) return element;
  }
  return undefined;
}

/** Returns the positions of these states in the line of an element. */
export function stateSpans({ states, marks }: LineElement, wanted: ReadonlySet<string>): readonly Span[] {
  return marks.states.filter((_, index) => wanted.has(states[index] ?? ''));
}
