/** Lines that fit told at most; more than that is no answer. */
const MOST_FOUND = 20;
/** A thing of so many lines at most is told whole when one of its lines fits. */
const LONGEST_THING = 8;

/** Lines of a page's text, and whether they are more than are told. */
interface Found {
  readonly text: string;
  /** How many lines fit. */
  readonly count: number;
}

/**
 * The lines of a page's text that hold some words, each below the lines that it stands in, with what belongs to it. Where no line
 * holds them one after the other, those that hold each of them.
 */
export function foundLines(pageText: string, words: string): Found {
  const lines = pageText.split('\n').map(lineOf);
  const phrase = normalized(words);
  const together = lines.filter(({ words: said }) => said.includes(phrase));
  const parts = phrase.split(' ');
  const fitting =
    together.length > 0 ? together : lines.filter((line) => parts.every((part) => line.words.includes(part)));
  const shown = new Set<number>();
  for (const { index } of fitting.slice(0, MOST_FOUND)) for (const place of around(lines, index)) shown.add(place);
  const told = [...shown].toSorted((a, b) => a - b).map((index) => lines[index]?.text);
  const left = fitting.length - MOST_FOUND;
  if (left > 0) told.push(`… ${left} more lines; look for more words`);
  return { text: told.join('\n'), count: fitting.length };
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

/** A line, those that it stands in, and the rest of the smallest thing that it is a part of. */
function* around(lines: readonly Line[], index: number): Generator<number> {
  let depth = (lines[index]?.depth ?? 0) + 1;
  let isWhole = false;
  for (let above = index; above >= 0 && depth > 0; above -= 1) {
    const line = lines[above];
    if (!line || line.depth >= depth) continue;
    depth = line.depth;
    yield above;
    const end = endOf(lines, above);
    if (isWhole || end - above > LONGEST_THING) continue;
    for (let place = above; place < end; place += 1) yield place;
    isWhole = above !== index && depth > 0;
  }
}

/** The first line after those that stand in this one. */
function endOf(lines: readonly Line[], index: number): number {
  const depth = lines[index]?.depth ?? 0;
  const next = lines.findIndex((line) => line.index > index && line.depth <= depth);
  return next < 0 ? lines.length : next;
}
