/** Names of fewer letters are so near to each other that none is guessed. */
const SHORTEST = 4;
/** From so many letters on, two of them may be wrong. */
const LONG = 8;

/** The known name that was meant by one that is not known, because it differs in case or by a letter or two. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const folded = fold(name);
  if (folded.length < SHORTEST) return undefined;
  for (const candidate of known) {
    const limit = Math.min(folded.length, candidate.length) >= LONG ? 2 : 1;
    if (isWithin(folded, fold(candidate), limit)) return candidate;
  }
  return undefined;
}

/** Parts of names of fewer letters say too little. */
const SHORTEST_PART = 4;

/**
 * The known name that is nearest to an unknown one: by spelling, else by the longest part that both have, such as `timeout`,
 * else by the letters, if at least half of them are right.
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

/** How many letters the longest text has that is part of both. */
function sharedPart(left: string, right: string): number {
  let longest = 0;
  for (let start = 0; start < left.length; start += 1)
    while (right.includes(left.slice(start, start + longest + 1)) && start + longest < left.length) longest += 1;
  return longest;
}

/** Some write the unit into the name. */
function fold(name: string): string {
  return name.replace(/Ms$/, '').replace(/[_-]/g, '').toLowerCase();
}

/** Whether no more than `limit` letters have to be put in, left out or replaced. */
function isWithin(left: string, right: string, limit: number): boolean {
  return Math.abs(left.length - right.length) <= limit && distance(left, right) <= limit;
}

/** How many letters have to be put in, left out or replaced to make one name of the other. */
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
