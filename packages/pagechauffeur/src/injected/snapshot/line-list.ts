import { foldSpace } from '../aria/spoken-text.ts';
import { flatParent } from '../composed-tree.ts';
import type { WireNode } from '../contract.ts';
import { contains } from '../native.ts';
import { LONG_TEXT, noteLongText } from './long-texts.ts';

/** Lines from one box without a line of its own, by their indexes in the list, and the nested boxes. */
export interface LineGroup {
  readonly start: number;
  /** Index after the last line. */
  readonly end: number;
  readonly inner: readonly LineGroup[];
}

type Elements = readonly (Element | null)[];

/** Links on one line of the page with the text before or after them. */
export class InlineLinks {
  readonly #afterText = new Set<WireNode>();
  readonly #beforeText = new Set<WireNode>();

  /** Notes that a link continues the line of the text or link before it. */
  noteAfterText(link: WireNode): void {
    this.#afterText.add(link);
  }

  /** Notes that text continues the line of a link. */
  noteBeforeText(link: WireNode): void {
    this.#beforeText.add(link);
  }

  /** True if a node of the page follows the node before it in one line. */
  isContinued(before: WireNode, node: WireNode): boolean {
    return typeof node === 'string' ? this.#beforeText.has(before) : this.#afterText.has(node);
  }
}

/** Collects the child lines of one line. Consecutive inline texts become one text line. */
export class LineList {
  /** Set if the caller needs the element of each line. */
  readonly #elements: (Element | null)[] | null;
  readonly #links: InlineLinks;
  // Most lists have one line. An array literal is smaller than an array that grew by `push`.
  #lines: WireNode[] = NONE;
  #groups: LineGroup[] = NONE;
  #text = '';
  /** The elements of the first and the last part of the current inline text. */
  #firstHolder: Element | null = null;
  #lastHolder: Element | null = null;

  /** The last line, if it is text or an inline link and its line of the page has not ended. */
  #open: WireNode | null = null;

  constructor(isPlaced: boolean, links: InlineLinks) {
    this.#elements = isPlaced ? [] : null;
    this.#links = links;
  }

  get lines(): readonly WireNode[] {
    return this.#lines;
  }

  /** The element of each line. Empty if not requested. */
  get elements(): Elements {
    return this.#elements ?? NONE;
  }

  /** The outermost boxes that contain more than one line. */
  get groups(): readonly LineGroup[] {
    return this.#groups;
  }

  /** Adds text to the current inline text. White space between blocks has no holder. */
  addText(text: string, holder?: Element): void {
    this.#text += text;
    if (!holder) return;
    this.#firstHolder ??= holder;
    this.#lastHolder = holder;
  }

  /** Ends the current inline text, because the next content is in another block. */
  breakText(): void {
    this.#endText();
    this.#open = null;
  }

  #endText(): void {
    if (this.#text === '') return;
    const text = foldSpace(this.#text);
    if (text !== '' && !this.#isSeparator(text)) {
      if (this.#open !== null) this.#links.noteBeforeText(this.#open);
      this.#push(text, this.#holderOf(text));
      this.#open = text;
    }
    this.#text = '';
    this.#firstHolder = this.#lastHolder = null;
  }

  /** True for a sign between links, such as the bar in `Edit | Delete`. */
  #isSeparator(text: string): boolean {
    return this.#open !== null && typeof this.#open !== 'string' && SEPARATOR.test(text);
  }

  /** The closest element around the current text, if somebody asks for it. */
  #holderOf(text: string): Element | null {
    if (this.#lastHolder === null || (this.#elements === null && text.length <= LONG_TEXT)) return null;
    const holder = holderOfBoth(this.#firstHolder, this.#lastHolder);
    if (text.length > LONG_TEXT) noteLongText(text, holder);
    return holder;
  }

  /** Adds the line of an element. An inline one continues the line of the text before it. */
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

  /** Groups the lines from `start` on as the content of one box. */
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

/** Decoration after a link that says nothing. */
const SEPARATOR = /^[-|¦·•∙/\\>›»‹«–—]$/;

/** A shared empty list, replaced on the first write. */
const NONE: never[] = [];

/** The closest common ancestor of two elements. */
function holderOfBoth(one: Element | null, other: Element): Element {
  if (one === null || one === other) return other;
  for (let holder: Element | null = one; holder; holder = flatParent(holder))
    if (contains(holder, other)) return holder;
  return other;
}
