import { foldSpace } from '../../aria/text-builder.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import type { WireNode } from '../../contract.ts';
import { contains } from '../../native.ts';
import { repeatedOnUse } from '../../dependencies.ts';
import { memoised } from '../../memo.ts';
import { refOf } from '../../refs.ts';
import { mayBeTwoWords, TextGaps } from './text-gap.ts';

/**
 * A range of at least two lines that come from one element, usually a block without a line of its own. `inner`: such
 * ranges within it.
 */
export interface LineGroup {
  readonly start: number;
  /** Index after the last line. */
  readonly end: number;
  readonly inner: readonly LineGroup[];
}

type Elements = readonly (Element | null)[];

/** Tracks which links are rendered on the same line as the text before or after them. */
export class InlineLinks {
  readonly #afterText = new WeakSet<object>();
  readonly #beforeText = new WeakSet<object>();

  noteAfterText(link: WireNode): void {
    if (typeof link === 'object') this.#afterText.add(link);
  }

  noteBeforeText(link: WireNode): void {
    if (typeof link === 'object') this.#beforeText.add(link);
  }

  /** True if `node` follows `before` on the same rendered line. */
  isContinued(before: WireNode, node: WireNode): boolean {
    if (typeof node === 'object') return this.#afterText.has(node);
    return typeof before === 'object' && this.#beforeText.has(before);
  }
}

interface PreformattedText {
  readonly place: Text | Element;
  readonly isIndented: boolean;
}

const LINE_BREAK = /\r\n|[\n\r]/;
/** In spaces. */
const TAB_WIDTH = 4;
const MAX_INDENTATION = 80;

function indentationOf(line: string): string {
  const end = line.search(/\S|$/);
  return end === 0 ? '' : line.slice(0, end).replaceAll('\t', ' '.repeat(TAB_WIDTH)).replace(/\s/g, ' ');
}

/** Collects the child lines of a line and joins consecutive inline text. */
export class LineList {
  /** `null` unless the caller needs the element of each line. */
  readonly #elements: (Element | null)[] | null;
  readonly #links: InlineLinks;
  // Most lists have one line, for which an array literal needs less memory than `push`.
  #lines: WireNode[] = NONE;
  #groups: LineGroup[] = NONE;
  #text = '';
  /** The elements that contain the first and the last piece of the current inline text. */
  #firstHolder: Element | null = null;
  #lastHolder: Element | null = null;
  /** Where the last piece of text is. `null` for generated text, whose position is unknown. */
  #lastPlace: Text | Element | null = null;
  /** The style of the last box with an edge after the last text. */
  #edge: object | null = null;
  /** The last piece of the line. Reading the end of `#text` would copy all of it. */
  #lastPiece = '';
  #gaps: TextGaps | null = null;
  /** The complete lines before the current one of the same text, each with its line break. */
  #linesBefore = '';
  #indentation = '';
  #isLineBlank = true;

  /**
   * True while the content is only text in elements that show it as written. The text is then also the name that the
   * content gives.
   */
  isPlainText = true;
  /** True if some of the text is in blocks, which a space separates from the rest. */
  hasBlocks = false;
  /** The text and the spaces around blocks, if collected. `null` if some of the text is missing. */
  written: string | null = null;

  /** The last line, if inline content can continue it. */
  #open: WireNode | null = null;

  constructor(isPlaced: boolean, links: InlineLinks) {
    this.#elements = isPlaced ? [] : null;
    this.#links = links;
  }

  get lines(): readonly WireNode[] {
    return this.#lines;
  }

  get elements(): Elements {
    return this.#elements ?? NONE;
  }

  /** The outermost boxes with more than one line. */
  get groups(): readonly LineGroup[] {
    return this.#groups;
  }

  /** Call for all text, also if users cannot see it. */
  noteWritten(text: string): void {
    if (this.written !== null) this.written += text;
  }

  /**
   * White space between blocks has no `holder`. `place`: the text node, or the element whose whole text this is. `null` for
   * generated text.
   */
  addText(text: string, holder?: Element, place: Text | Element | null = null): void {
    if (!holder) {
      this.#text += text;
      this.#lastPiece = text;
      return;
    }
    if (this.#edge && place && this.#lastPlace && mayBeTwoWords(this.#lastPiece, text)) {
      this.#gaps ??= new TextGaps();
      if (this.#gaps.isApart(this.#edge, this.#lastPlace, place)) this.#text += ' ';
    }
    this.#text += text;
    this.#lastPiece = text;
    this.#edge = null;
    this.#isLineBlank = false;
    this.#firstHolder ??= holder;
    this.#lastHolder = holder;
    this.#lastPlace = place;
  }

  /** Adds text whose line breaks users see. `isIndented`: they also see the spaces at the beginning of a line. */
  addPreformatted(text: string, holder: Element, how: PreformattedText): void {
    if (!LINE_BREAK.test(text)) {
      this.#addToLine(text, holder, how);
      return;
    }
    for (const [index, line] of text.split(LINE_BREAK).entries()) {
      if (index > 0) this.breakLine();
      this.#addToLine(line, holder, how);
    }
  }

  #addToLine(text: string, holder: Element, { place, isIndented }: PreformattedText): void {
    if (text === '') return;
    if (isIndented && this.#isLineBlank) this.#indentation += indentationOf(text);
    if (text.trim() !== '') this.addText(text, holder, place);
    else this.addText(' ');
  }

  /** What follows is on the next line. */
  breakLine(): void {
    const line = this.#endLine();
    if (line !== '') this.#linesBefore += `${line}\n`;
    else if (this.#linesBefore === '') this.#open = null;
  }

  #endLine(): string {
    const line = foldSpace(this.#text);
    const indentation = line === '' ? '' : this.#indentation.slice(0, MAX_INDENTATION);
    this.#text = this.#indentation = this.#lastPiece = '';
    this.#isLineBlank = true;
    return indentation + line;
  }

  /** Call at the edge of an inline box that may leave a gap: the next text is a word of its own if it does. */
  noteEdge(style: object): void {
    this.#edge = style;
  }

  /** Call before content of another block. */
  breakText(): void {
    this.#endText();
    this.#open = null;
  }

  /** Call when the list is complete, before its lines are kept. `push` reserves memory for 16 more items. */
  trim(): void {
    if (this.#lines.length > 1) this.#lines = [...this.#lines];
  }

  #endText(): void {
    if (this.#text === '' && this.#linesBefore === '') return;
    const [before, line] = [this.#linesBefore, this.#endLine()];
    const text = line === '' ? before.slice(0, -1) : before + line;
    if (text !== '' && !this.#isSeparator(text)) {
      if (this.#open !== null) this.#links.noteBeforeText(this.#open);
      this.#push(text, this.#holderOf(text));
      this.#open = line === '' ? null : text;
    }
    this.#linesBefore = '';
    this.#firstHolder = this.#lastHolder = this.#lastPlace = null;
    this.#edge = this.#gaps = null;
  }

  /** True for a separator between links, such as the bar in `Edit | Delete`. */
  #isSeparator(text: string): boolean {
    return this.#open !== null && typeof this.#open !== 'string' && SEPARATOR.test(text);
  }

  /** Returns the closest element that contains the current text; `null` if not needed. */
  #holderOf(text: string): Element | null {
    if (this.#lastHolder === null || (this.#elements === null && text.length <= LONG_TEXT)) return null;
    const holder = holderOfBoth(this.#firstHolder, this.#lastHolder);
    if (text.length > LONG_TEXT) noteLongText(text, holder);
    return holder;
  }

  /** Adds the lines of a block from the last snapshot. Call `breakText` before. */
  addBlock(lines: readonly WireNode[], groups: readonly LineGroup[]): void {
    if (lines.length === 0) return;
    const start = this.#lines.length;
    for (const line of lines) this.#push(line, null);
    if (groups.length === 0) return;
    if (this.#groups === NONE) this.#groups = [];
    for (const group of movedBy(start, groups)) this.#groups.push(group);
  }

  /** Returns the groups that start at `start` or later, with indexes relative to it. */
  groupsSince(start: number): readonly LineGroup[] {
    const groups = this.#groups;
    let first = groups.length;
    while (first > 0 && (groups[first - 1]?.start ?? -1) >= start) first -= 1;
    return first === groups.length ? NONE : movedBy(-start, groups.slice(first));
  }

  /** `isInline`: the line continues the text before it, and text after it continues the line. */
  addLine(line: WireNode, element: Element | null, isInline = false): void {
    this.#endText();
    if (isInline && this.#open !== null) this.#links.noteAfterText(line);
    this.#open = isInline ? line : null;
    this.#push(line, element);
  }

  #push(line: WireNode, element: Element | null): void {
    if (this.#lines === NONE) this.#lines = [line];
    else this.#lines.push(line);
    this.#elements?.push(element);
  }

  /** Groups the lines since `start` as the content of one box. */
  endGroup(start: number): void {
    const end = this.#lines.length;
    if (end - start < 2) return;
    if (this.#groups === NONE) this.#groups = [];
    const groups = this.#groups;
    let first = groups.length;
    while (first > 0 && (groups[first - 1]?.start ?? -1) >= start) first -= 1;
    const [inner] = groups.slice(first);
    if (inner?.start === start && inner.end === end) return;
    groups.push({ start, end, inner: groups.splice(first) });
  }
}

function movedBy(distance: number, groups: readonly LineGroup[]): readonly LineGroup[] {
  if (distance === 0) return groups;
  return groups.map(({ start, end, inner }) => ({
    start: start + distance,
    end: end + distance,
    inner: movedBy(distance, inner),
  }));
}

/** Characters that only separate links. */
const SEPARATOR = /^[-|¦·•∙/\\>›»‹«–—]$/;

/** Shared by all empty lists to save memory, and replaced on the first write. */
const NONE: never[] = [];

function holderOfBoth(one: Element | null, other: Element): Element {
  if (one === null || one === other) return other;
  for (let holder: Element | null = one; holder; holder = flatParent(holder))
    if (contains(holder, other)) return holder;
  return other;
}

/** In characters. Shorter text is never truncated. */
export const LONG_TEXT = 160;

const holdersIn = memoised((_document: Document) => new Map<string, Element>());

/** The holder's ref expands the text if it is truncated. */
function noteLongText(text: string, holder: Element): void {
  repeatedOnUse(() => {
    const holders = holdersIn(document);
    if (!holders.has(text)) holders.set(text, holder);
  });
}

/** Finds only text of the snapshot that is being taken. */
export function holderOfText(text: string): Element | undefined {
  return text.length > LONG_TEXT ? holdersIn(document).get(text) : undefined;
}

/** Returns the ref that expands the text: that of its line, else of its element; 0 if neither is known. */
export function refOfText(text: string, lineRef: number): number {
  if (lineRef !== 0) return lineRef;
  const holder = holderOfText(text);
  return holder ? refOf(holder) : 0;
}
