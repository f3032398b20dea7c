import { foldSpace } from '../aria/spoken-text.ts';
import type { WireNode } from '../contract.ts';

/** The lines below one line, in the making. Runs of inline text become one text line. */
export class LineList {
  readonly lines: WireNode[] = [];
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
}
