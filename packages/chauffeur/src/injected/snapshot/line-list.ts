import { foldSpace } from '../aria/spoken-text.ts';
import type { WireNode } from '../contract.ts';

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
  /** Which lines stand together in a box, the outermost boxes. */
  readonly groups: LineGroup[] = [];
  #text = '';

  /** Adds to the current run of text. */
  addText(text: string): void {
    this.#text += text;
  }

  /** Ends the current run of text: what follows stands in another block. */
  breakText(): void {
    if (this.#text === '') return;
    const text = foldSpace(this.#text);
    this.#text = '';
    if (text !== '') this.lines.push(text);
  }

  /** Adds a line of its own. */
  addLine(line: WireNode): void {
    this.breakText();
    this.lines.push(line);
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
