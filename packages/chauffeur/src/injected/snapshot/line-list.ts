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

/** The lines below one line, in the making. Runs of inline text become one text line. */
export class LineList {
  readonly lines: WireNode[] = [];
  /** Where each line comes from. */
  readonly elements: (Element | null)[] = [];
  /** Which lines stand together in a box, the outermost boxes. */
  readonly groups: LineGroup[] = [];
  #text = '';
  #holder: Element | null = null;

  /** Adds to the current run of text; spaces between blocks have no holder. */
  addText(text: string, holder?: Element): void {
    this.#text += text;
    if (holder && holder !== this.#holder) this.#holder = holderOfBoth(this.#holder, holder);
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
    this.lines.push(line);
    this.elements.push(element);
  }

  /** Says that the lines from this place on come from one box. */
  endGroup(start: number): void {
    const { groups } = this;
    const end = this.lines.length;
    if (end - start < 2) return;
    let first = groups.length;
    while (first > 0 && (groups[first - 1]?.start ?? -1) >= start) first -= 1;
    const [inner] = groups.slice(first);
    if (inner?.start === start && inner.end === end) return;
    groups.push({ start, end, inner: groups.splice(first) });
  }
}

/** The innermost element that holds both. */
function holderOfBoth(one: Element | null, other: Element): Element {
  if (one === null || one === other) return other;
  for (let holder: Element | null = one; holder; holder = flatParent(holder))
    if (contains(holder, other)) return holder;
  return other;
}
