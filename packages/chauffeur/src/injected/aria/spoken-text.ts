/** Text put together from pieces, with one space where two of them stand apart. */
export class SpokenText {
  text = '';
  /** How deep in the tree the next piece stands, kept by whoever walks it. */
  depth = 0;
  #isApart = false;

  /** Adds a piece right after what is there. */
  add(piece: string): void {
    if (piece === '') return;
    if (this.#isApart && this.text !== '') this.text += ' ';
    this.#isApart = false;
    this.text += piece;
  }

  /** Whatever comes next stands apart from what is there. */
  separate(): void {
    this.#isApart = true;
  }
}

/** White space folded to single spaces, none at the ends. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
