import { firstChildOf, hasAttributes, localNameOf, nextSiblingOf, parentNodeOf } from '../native.ts';

/** A DOM position, as in a `Range`. */
export interface TextPosition {
  readonly node: Node;
  readonly offset: number;
}

/** Characters in one text node that are next to each other in the whole text. */
interface Piece {
  /** Index of the piece in the whole text. */
  readonly start: number;
  readonly node: Text;
  readonly offset: number;
  readonly length: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A line break without a text node: the start of a block, or a `br`. */
interface LineBreak {
  /** Index of the line break in the whole text. */
  readonly index: number;
  readonly next: LineStart;
}

/** For a line without text, its `br`: counting the siblings before each one takes quadratic time. */
type LineStart = TextPosition | Element;

/** Rendered text, line by line, with the DOM position of each character. */
export class EditorText {
  readonly text: string;
  readonly #element: Element;
  readonly #pieces: readonly Piece[];
  readonly #breaks: ReadonlyMap<number, LineStart>;

  /** Stops reading after more than `maxLength` characters. */
  constructor(element: Element, maxLength: number = Number.POSITIVE_INFINITY) {
    const reader = new LineReader(maxLength);
    reader.read(element);
    this.#element = element;
    this.text = reader.text;
    this.#pieces = reader.pieces;
    this.#breaks = new Map(reader.breaks.map(({ index, next }) => [index, next]));
  }

  /** Returns the DOM position before a character. For a line break, that is the end of its line. */
  startOf(index: number): TextPosition {
    return this.#placeIn(this.#pieceAt(index), index) ?? this.endOf(index);
  }

  /** Returns the DOM position after the previous character. For a line break, that is the start of the next line. */
  endOf(index: number): TextPosition {
    const last = index - 1;
    const start = this.#breaks.get(last) ?? { node: this.#element, offset: 0 };
    return this.#placeIn(this.#pieceAt(last), index) ?? (start instanceof Element ? positionBefore(start) : start);
  }

  #pieceAt(index: number): Piece | undefined {
    return this.#pieces.find(({ start, length }) => start <= index && index < start + length);
  }

  #placeIn(piece: Piece | undefined, index: number): TextPosition | undefined {
    return piece && { node: piece.node, offset: piece.offset + index - piece.start };
  }
}

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol ' +
    'p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
const INLINES: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const UNREAD: ReadonlySet<string> = new Set('script style template noscript title textarea select'.split(' '));
/** Invisible characters that editors insert to hold the caret. */
const WIDTHLESS = /[\u200B\u2060\uFEFF]/;
const FOLDED_SPACE = /[ \t\n\r\f]/;
const MAY_FOLD = /[\t\n\r\f]|^ | $| {2}/;
/** Splits text into runs of white space, of invisible characters, and of other characters. */
const RUNS = /[ \t\n\r\f]+|[\u200B\u2060\uFEFF]+|[^ \t\n\r\f\u200B\u2060\uFEFF]+/g;

/** Collects lines: a block starts a new line, and a `br` ends one. */
class LineReader {
  /** Joined at the end. Reading the end of a growing string would copy the whole string each time. */
  readonly #parts: string[] = [];
  #length = 0;
  readonly #maxLength: number;
  readonly pieces: Mutable<Piece>[] = [];
  readonly breaks: LineBreak[] = [];
  #hasLines = false;
  #isLineOpen = false;
  /** True if the text ends with white space that collapses at the end of a line. */
  #endsInFoldedSpace = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Visits descendants without recursion, which overflows on deep content. */
  read(element: Element): void {
    for (let node = firstChildOf(element); node && !this.#isFull;) {
      const inner = node instanceof Element ? this.#enter(node) : null;
      if (node instanceof Text) this.#addText(node);
      if (inner) {
        node = inner;
        continue;
      }
      let left: Node = node;
      if (left instanceof Element) this.#leave(left);
      while (!nextSiblingOf(left)) {
        const parent = parentNodeOf(left);
        if (!parent || parent === element) return this.#closeLine();
        left = parent;
        if (left instanceof Element) this.#leave(left);
      }
      node = nextSiblingOf(left);
    }
    this.#closeLine();
  }

  /** Returns the first child; `null` if the content is not read. */
  #enter(element: Element): Node | null {
    const tag = localNameOf(element);
    if (tag === 'br') this.#breakLine(element);
    if (UNREAD.has(tag)) return null;
    const display = displayOf(element, tag);
    if (display === 'none') return null;
    if (display === 'block') this.#closeLine();
    return firstChildOf(element);
  }

  #leave(element: Element): void {
    if (displayOf(element, localNameOf(element)) === 'block') this.#closeLine();
  }

  #addText(node: Text): void {
    const { data } = node;
    if (data === '') return;
    if (!MAY_FOLD.test(data) && !WIDTHLESS.test(data)) this.#addPiece(node, 0, data);
    else this.#addFolded(node, keepsSpace(node));
  }

  #addFolded(node: Text, isKept: boolean): void {
    for (const { 0: run, index } of node.data.matchAll(RUNS)) {
      if (this.#isFull) return;
      if (WIDTHLESS.test(run)) continue;
      if (isKept || !FOLDED_SPACE.test(run)) this.#addPiece(node, index, run);
      else if (this.#isLineOpen && !this.#endsWith(' ')) {
        this.#addPiece(node, index, ' ');
        this.#endsInFoldedSpace = true;
      }
    }
  }

  get #isFull(): boolean {
    return this.#length > this.#maxLength;
  }

  #endsWith(character: string): boolean {
    return this.#parts.at(-1)?.endsWith(character) ?? false;
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #addPiece(node: Text, offset: number, written: string): void {
    this.#openLine({ node, offset });
    const last = this.pieces.at(-1);
    const start = this.#length;
    this.#append(written.replaceAll('\u00A0', ' '));
    this.#endsInFoldedSpace = false;
    if (last?.node === node && last.offset + last.length === offset && last.start + last.length === start)
      last.length += written.length;
    else this.pieces.push({ start, node, offset, length: written.length });
  }

  #openLine(place: LineStart): void {
    if (this.#isLineOpen) return;
    if (this.#hasLines) {
      this.breaks.push({ index: this.#length, next: place });
      this.#append('\n');
    }
    this.#isLineOpen = this.#hasLines = true;
  }

  #breakLine(br: Element): void {
    this.#openLine(br);
    this.#closeLine();
  }

  /** Removes collapsed white space, or the last line break of preformatted text, from the end of the line. */
  #closeLine(): void {
    const last = this.pieces.at(-1);
    const isInvisible =
      this.#endsInFoldedSpace || (last !== undefined && this.#endsWith('\n') && endOf(last) === this.#length);
    if (this.#isLineOpen && last && isInvisible) {
      this.#parts.push((this.#parts.pop() ?? '').slice(0, -1));
      this.#length -= 1;
      last.length -= 1;
    }
    this.#isLineOpen = this.#endsInFoldedSpace = false;
  }
}

function endOf({ start, length }: Piece): number {
  return start + length;
}

function positionBefore(node: Node): TextPosition {
  const parent = parentNodeOf(node);
  let offset = 0;
  for (let other = parent && firstChildOf(parent); other && other !== node; other = nextSiblingOf(other)) offset += 1;
  return { node: parent ?? node, offset };
}

/** Reads the computed style only if the tag is not enough. */
function displayOf(element: Element, tag: string): 'block' | 'inline' | 'none' {
  if (!hasAttributes(element)) {
    if (BLOCKS.has(tag)) return 'block';
    if (INLINES.has(tag)) return 'inline';
  }
  const { display } = getComputedStyle(element);
  if (display === 'none') return 'none';
  return display.startsWith('inline') || display === 'contents' || display.startsWith('ruby') ? 'inline' : 'block';
}

function keepsSpace(node: Text): boolean {
  const parent = parentNodeOf(node);
  return parent instanceof Element && !/^(?:normal|nowrap|pre-line)/.test(getComputedStyle(parent).whiteSpace);
}

/** White space, invisible characters, and the symbols that editors render instead. */
const UNCOMPARED = /[\s\u200B\u2060\uFEFF·→¬¶↵]+/g;
/** Matches a line number, which an editor may render inside its text. */
const NUMBER = /^\d+$/;

/**
 * True if an editor shows this text and nothing else. Compares the rendered lines in any order, because lines outside
 * the viewport may be missing, and the order in the document may be another than on the screen.
 */
export function showsOnly(rendered: string, text: string): boolean {
  const lines = linesOf(rendered).filter((line) => !NUMBER.test(line));
  const expected = compared(text);
  if (lines.length === 0) return expected === '' || linesOf(text).every((line) => NUMBER.test(line));
  return lines.join('').length <= expected.length && lines.every((line) => expected.includes(line));
}

/** True if an editor shows the last line of this text, as after adding it at the end. */
export function showsEnd(rendered: string, text: string): boolean {
  return compared(rendered).includes(linesOf(text).at(-1) ?? '');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(compared)
    .filter((line) => line !== '');
}

function compared(text: string): string {
  return text.replace(UNCOMPARED, '');
}
