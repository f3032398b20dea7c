/** Maximum number of lines to show. */
const MAX_FOUND = 20;
/** A record of at most this many lines is shown whole if one of them matches. */
const MAX_RECORD_LINES = 8;

/** Matching lines of page text. */
interface Found {
  readonly text: string;
  /** Number of matching lines. */
  readonly count: number;
}

/**
 * Lines of page text that contain the words, with their ancestors and the rest of their record. If no line contains the words in sequence,
 * lines that contain each of them.
 */
export function foundLines(pageText: string, words: string): Found {
  const lines = pageText.split('\n').map(lineOf);
  const phrase = normalized(words);
  const together = lines.filter(({ words: said }) => said.includes(phrase));
  const parts = phrase.split(' ');
  const fitting =
    together.length > 0 ? together : lines.filter((line) => parts.every((part) => line.words.includes(part)));
  const shown = new Set<number>();
  for (const { index } of fitting.slice(0, MAX_FOUND)) for (const place of around(lines, index)) shown.add(place);
  const texts = [...shown].toSorted((a, b) => a - b).map((index) => lines[index]?.text);
  const left = fitting.length - MAX_FOUND;
  if (left > 0) texts.push(`… ${left} more lines; search for more words`);
  return { text: texts.join('\n'), count: fitting.length };
}

interface Line {
  readonly text: string;
  readonly words: string;
  readonly depth: number;
  readonly index: number;
}

function lineOf(text: string, index: number): Line {
  return { text, words: normalized(text), depth: text.length - text.trimStart().length, index };
}

function normalized(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** A line, its ancestors, and the rest of the smallest record that contains it. */
function* around(lines: readonly Line[], index: number): Generator<number> {
  let depth = (lines[index]?.depth ?? 0) + 1;
  let isWhole = false;
  for (let above = index; above >= 0 && depth > 0; above -= 1) {
    const line = lines[above];
    if (!line || line.depth >= depth) continue;
    depth = line.depth;
    yield above;
    const end = endOf(lines, above);
    if (isWhole || end - above > MAX_RECORD_LINES) continue;
    for (let place = above; place < end; place += 1) yield place;
    isWhole = above !== index && depth > 0;
  }
}

/** Index after the last descendant of a line. */
function endOf(lines: readonly Line[], index: number): number {
  const depth = lines[index]?.depth ?? 0;
  const next = lines.findIndex((line) => line.index > index && line.depth <= depth);
  return next < 0 ? lines.length : next;
}
