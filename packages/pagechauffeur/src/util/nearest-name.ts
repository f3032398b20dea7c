/** Shorter names are too similar to each other to guess. */
const SHORTEST = 4;
/** Names of this length may differ in two letters. */
const LONG = 8;

/**
 * Returns the known name for a misspelt one: the same letters in another case, or one or two different letters.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const folded = fold(name);
  if (folded.length < SHORTEST) return undefined;
  for (const candidate of known) {
    const limit = Math.min(folded.length, candidate.length) >= LONG ? 2 : 1;
    if (isWithin(folded, fold(candidate), limit)) return candidate;
  }
  return undefined;
}

/** Shorter shared parts are coincidence. */
const SHORTEST_PART = 4;

/**
 * Returns the known name closest to an unknown one: by spelling, then by the longest shared part such as `timeout`,
 * then by
 * edit distance if at least half of the letters match.
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

/** Length of the longest common substring. */
function sharedPart(left: string, right: string): number {
  let longest = 0;
  for (let start = 0; start < left.length; start += 1)
    while (right.includes(left.slice(start, start + longest + 1)) && start + longest < left.length) longest += 1;
  return longest;
}

/** Some users add the unit to the name. */
function fold(name: string): string {
  return name.replace(/Ms$/, '').replace(/[_-]/g, '').toLowerCase();
}

/** True if the edit distance is at most `limit`. */
function isWithin(left: string, right: string, limit: number): boolean {
  return Math.abs(left.length - right.length) <= limit && distance(left, right) <= limit;
}

/** Edit distance of two names. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let place = 0; place < left.length; place += 1) row = nextRow(row, left[place] ?? '', right, place);
  return row.at(-1) ?? Number.POSITIVE_INFINITY;
}

function nextRow(above: readonly number[], letter: string, right: string, place: number): number[] {
  const row = [place + 1];
  for (let index = 0; index < right.length; index += 1) {
    const replaced = (above[index] ?? 0) + (letter === right[index] ? 0 : 1);
    row.push(Math.min(replaced, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1));
  }
  return row;
}
