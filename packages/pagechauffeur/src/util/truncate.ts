/** Collapses white space, and truncates to `longest` characters plus an ellipsis. */
export function truncate(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
