/** Maximum number of ref ranges to list. */
const MOST_STRETCHES = 12;

/** Formats refs compactly. Consecutive refs become a range such as `e5–e9`. */
export function refsInWords(refs: Iterable<string>): string {
  const stretches: { first: string; last: string }[] = [];
  for (const ref of refs) {
    const open = stretches.at(-1);
    if (open && ref === next(open.last)) open.last = ref;
    else stretches.push({ first: ref, last: ref });
  }
  const words = stretches
    .slice(0, MOST_STRETCHES)
    .map(({ first, last }) => (first === last ? first : `${first}–${last}`));
  return stretches.length > MOST_STRETCHES ? `${words.join(', ')}, …` : words.join(', ');
}

function next(ref: string): string {
  const place = ref.lastIndexOf('e') + 1;
  return `${ref.slice(0, place)}${Number(ref.slice(place)) + 1}`;
}
