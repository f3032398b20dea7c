import { foldSpace } from '../aria/spoken-text.ts';
import { flatParent } from '../composed-tree.ts';
import type { WireNode } from '../contract.ts';
import { contains } from '../native.ts';

/** Lines from one box that has no line of its own, by their places in the list, and such boxes inside of it. */
export interface LineGroup {
  readonly start: number;
  /** One past the last. */
  readonly end: number;
  readonly inner: readonly LineGroup[];
}

type Elements = readonly (Element | null)[];

/** The lines below one line, in the making. Runs of inline text become one text line. */
export class LineList {
  /** Present where it is to be told where each line comes from. */
  readonly #elements: (Element | null)[] | null;
  // Most lists have one line; an array that was pushed to has room for many.
  #lines: WireNode[] = NONE;
  #groups: LineGroup[] = NONE;
  #text = '';
  #holder: Element | null = null;

  constructor(isPlaced: boolean) {
    this.#elements = isPlaced ? [] : null;
  }

  get lines(): readonly WireNode[] {
    return this.#lines;
  }

  /** Where each line comes from; empty where that is not to be told. */
  get elements(): Elements {
    return this.#elements ?? NONE;
  }

  /** Which lines stand together in a box, the outermost boxes. */
  get groups(): readonly LineGroup[] {
    return this.#groups;
  }

  /** Adds to the current run of text; spaces between blocks have no holder. */
  addText(text: string, holder?: Element): void {
    this.#text += text;
    if (this.#elements && holder && holder !== this.#holder) this.#holder = holderOfBoth(this.#holder, holder);
  }

  /** Ends the current run of text: what follows stands in another block. */
  breakText(): void {
    if (this.#text === '') return;
    const text = foldSpace(this.#text);
    if (text !== '') this.#push(text, this.#holder);
    this.#text = '';
    this.#holder = null;
  }

  /** Adds a line of its own. */
  addLine(line: WireNode, element: Element | null): void {
    this.breakText();
    this.#push(line, element);
  }

  #push(line: WireNode, element: Element | null): void {
    if (this.#lines === NONE) this.#lines = [line];
    else this.#lines.push(line);
    this.#elements?.push(element);
  }

  /** Says that the lines from this place on come from one box. */
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

/** Stands for a list to which nothing was added yet. */
const NONE: never[] = [];

/** The innermost element that holds both. */
function holderOfBoth(one: Element | null, other: Element): Element {
  if (one === null || one === other) return other;
  for (let holder: Element | null = one; holder; holder = flatParent(holder))
    if (contains(holder, other)) return holder;
  return other;
}
