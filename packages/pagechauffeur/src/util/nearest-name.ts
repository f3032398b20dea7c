/** Shorter names differ in one letter too often for a useful guess. */
const SHORTEST = 4;
/** Names of at least this length may differ in two letters, shorter ones in one. */
const LONG = 8;

/** Returns the known name that was probably misspelt: equal except for case, `_`, `-` and one or two letters. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const folded = fold(name);
  if (folded.length < SHORTEST) return undefined;
  for (const candidate of known) {
    const limit = Math.min(folded.length, candidate.length) >= LONG ? 2 : 1;
    if (isWithin(folded, fold(candidate), limit)) return candidate;
  }
  return undefined;
}

/** Shorter common parts are coincidence. */
const SHORTEST_PART = 4;

/**
 * Returns the known name closest to an unknown one: a misspelling, else the name with the longest common part such as
 * `timeout`, else the one with the smallest edit distance if at least half of the letters match.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  return nearestName(name, names) ?? nameBySharedPart(fold(name), names) ?? nameByLetters(fold(name), names);
}

function nameBySharedPart(folded: string, names: readonly string[]): string | undefined {
  const shared = names.map((candidate) => ({ candidate, length: sharedPart(folded, fold(candidate)) }));
  const [closest] = shared.toSorted((a, b) => b.length - a.length || a.candidate.length - b.candidate.length);
  return closest !== undefined && closest.length >= SHORTEST_PART ? closest.candidate : undefined;
}

function nameByLetters(folded: string, names: readonly string[]): string | undefined {
  const wrong = names.map((candidate) => ({ candidate, count: distance(folded, fold(candidate)) }));
  const [closest] = wrong.toSorted((a, b) => a.count - b.count);
  return closest !== undefined && closest.count <= Math.max(folded.length, closest.candidate.length) / 2
    ? closest.candidate
    : undefined;
}

/** Returns the length of the longest common substring. */
function sharedPart(left: string, right: string): number {
  let longest = 0;
  for (let start = 0; start < left.length; start += 1)
    while (right.includes(left.slice(start, start + longest + 1)) && start + longest < left.length) longest += 1;
  return longest;
}

/** Also drops the suffix `Ms`, which some users add to durations. */
function fold(name: string): string {
  return name.replace(/Ms$/, '').replace(/[_-]/g, '').toLowerCase();
}

function isWithin(left: string, right: string, limit: number): boolean {
  return Math.abs(left.length - right.length) <= limit && distance(left, right) <= limit;
}

/** Levenshtein distance. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let index = 0; index < left.length; index += 1) row = nextRow(row, left[index] ?? '', right, index);
  return row.at(-1) ?? Number.POSITIVE_INFINITY;
}

function nextRow(above: readonly number[], letter: string, right: string, rowIndex: number): number[] {
  const row = [rowIndex + 1];
  for (let index = 0; index < right.length; index += 1) {
    const replaced = (above[index] ?? 0) + (letter === right[index] ? 0 : 1);
    row.push(Math.min(replaced, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1));
  }
  return row;
}
