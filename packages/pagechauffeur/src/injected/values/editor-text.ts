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
  readonly next: TextPosition;
}

/** Rendered text, line by line, with the DOM position of each character. */
export class EditorText {
  readonly text: string;
  readonly #element: Element;
  readonly #pieces: readonly Piece[];
  readonly #breaks: ReadonlyMap<number, TextPosition>;

  constructor(element: Element) {
    const reader = new LineReader();
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
    return this.#placeIn(this.#pieceAt(last), index) ?? this.#breaks.get(last) ?? { node: this.#element, offset: 0 };
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

/** Collects lines: a block starts a new line, and a `br` ends one. */
class LineReader {
  text = '';
  readonly pieces: Mutable<Piece>[] = [];
  readonly breaks: LineBreak[] = [];
  #hasLines = false;
  #isLineOpen = false;
  /** True if the text ends with white space that collapses at the end of a line. */
  #endsInFoldedSpace = false;

  /** Visits all descendants without recursion, which overflows on deep content. */
  read(element: Element): void {
    for (let node = firstChildOf(element); node;) {
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
    const { data } = node;
    for (let place = 0; place < data.length; place += 1) {
      const character = data.charAt(place);
      if (WIDTHLESS.test(character)) continue;
      if (isKept || !FOLDED_SPACE.test(character)) this.#addPiece(node, place, character);
      else if (this.#isLineOpen && !this.text.endsWith(' ')) {
        this.#addPiece(node, place, ' ');
        this.#endsInFoldedSpace = true;
      }
    }
  }

  #addPiece(node: Text, offset: number, written: string): void {
    this.#openLine({ node, offset });
    const last = this.pieces.at(-1);
    const start = this.text.length;
    this.text += written.replaceAll('\u00A0', ' ');
    this.#endsInFoldedSpace = false;
    if (last?.node === node && last.offset + last.length === offset && last.start + last.length === start)
      last.length += written.length;
    else this.pieces.push({ start, node, offset, length: written.length });
  }

  #openLine(place: TextPosition): void {
    if (this.#isLineOpen) return;
    if (this.#hasLines) {
      this.breaks.push({ index: this.text.length, next: place });
      this.text += '\n';
    }
    this.#isLineOpen = this.#hasLines = true;
  }

  #breakLine(br: Element): void {
    this.#openLine(positionBefore(br));
    this.#closeLine();
  }

  /** Removes collapsed white space, or the last line break of preformatted text, from the end of the line. */
  #closeLine(): void {
    const last = this.pieces.at(-1);
    const isInvisible =
      this.#endsInFoldedSpace || (last !== undefined && this.text.endsWith('\n') && endOf(last) === this.text.length);
    if (this.#isLineOpen && last && isInvisible) {
      this.text = this.text.slice(0, -1);
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
