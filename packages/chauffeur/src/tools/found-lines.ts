/** Lines told at most; more than that is no answer. */
const MOST_FOUND = 20;

/** The lines of a page's text that hold some words, each below the lines that it stands in. */
export function foundLines(pageText: string, words: string): string {
  const wanted = words.toLowerCase();
  const above: string[] = [];
  const told: string[] = [];
  const isTold = new Set<string>();
  let count = 0;
  for (const line of pageText.split('\n')) {
    const depth = line.length - line.trimStart().length;
    above.length = Math.min(above.length, depth);
    above[depth] = line;
    if (!line.toLowerCase().includes(wanted)) continue;
    count += 1;
    if (count > MOST_FOUND) continue;
    for (const outer of above) {
      if (outer !== undefined && !isTold.has(outer)) told.push(outer);
      if (outer !== undefined) isTold.add(outer);
    }
  }
  if (count > MOST_FOUND) told.push(`… ${count - MOST_FOUND} more lines; look for more words`);
  return told.join('\n');
}
