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
