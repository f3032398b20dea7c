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

/** Some write the unit into the name. */
function fold(name: string): string {
  return name.replace(/Ms$/, '').replace(/[_-]/g, '').toLowerCase();
}

/** Whether no more than `limit` letters have to be put in, left out or replaced. */
function isWithin(left: string, right: string, limit: number): boolean {
  if (Math.abs(left.length - right.length) > limit) return false;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let place = 0; place < left.length; place += 1) row = nextRow(row, left[place] ?? '', right, place);
  return (row.at(-1) ?? Number.POSITIVE_INFINITY) <= limit;
}

function nextRow(above: readonly number[], letter: string, right: string, place: number): number[] {
  const row = [place + 1];
  for (let index = 0; index < right.length; index += 1) {
    const replaced = (above[index] ?? 0) + (letter === right[index] ? 0 : 1);
    row.push(Math.min(replaced, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1));
  }
  return row;
}
