import { indentIn } from '../snapshot/parse-line.ts';

/** Maximum number of matches to show. */
const MAX_FOUND = 20;
/** Maximum number of lines in a record to show as a whole. */
const MAX_RECORD_LINES = 8;

interface Found {
  readonly text: string;
  readonly count: number;
}

/**
 * Searches page text. Returns the matching lines, their ancestors, and the rest of the record around each. If no line
 * contains the phrase, matches lines that contain all of its words.
 */
export function foundLines(pageText: string, words: string): Found {
  const lines = pageText.split('\n').map(lineOf);
  const phrase = normalized(words);
  const phraseLines = lines.filter(({ words: lineText }) => lineText.includes(phrase));
  const parts = phrase.split(' ');
  const fitting =
    phraseLines.length > 0 ? phraseLines : lines.filter((line) => parts.every((part) => line.words.includes(part)));
  const shown = new Set<number>();
  for (const { index } of fitting.slice(0, MAX_FOUND))
    for (const lineIndex of linesAround(lines, index)) shown.add(lineIndex);
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
  return { text, words: normalized(text), depth: indentIn(text), index };
}

function normalized(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Yields the indices of a line, its ancestors, and the smallest record around it. */
function* linesAround(lines: readonly Line[], index: number): Generator<number> {
  let depth = (lines[index]?.depth ?? 0) + 1;
  let isWhole = false;
  for (let above = index; above >= 0 && depth > 0; above -= 1) {
    const line = lines[above];
    if (!line || line.depth >= depth) continue;
    depth = line.depth;
    yield above;
    const end = endOf(lines, above);
    if (isWhole || end - above > MAX_RECORD_LINES) continue;
    for (let lineIndex = above; lineIndex < end; lineIndex += 1) yield lineIndex;
    isWhole = above !== index && depth > 0;
  }
}

/** Returns the index after the last descendant of a line. */
function endOf(lines: readonly Line[], index: number): number {
  const depth = lines[index]?.depth ?? 0;
  const next = lines.findIndex((line) => line.index > index && line.depth <= depth);
  return next < 0 ? lines.length : next;
}
