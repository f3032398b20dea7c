/** Collapses white space, and truncates to `longest` characters plus an ellipsis. */
export function truncate(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Maximum characters of a caller's text in an error message. */
const MAX_QUOTED = 500;

/** Shortens text of the caller, such as a URL or a selector, for an error message or the call log. */
export function shorten(text: string): string {
  const missing = text.length - MAX_QUOTED;
  return missing > 0 ? `${text.slice(0, MAX_QUOTED)}… (${missing} more characters)` : text;
}

/** Quotes text of the caller, such as an instruction, for an error message. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}
