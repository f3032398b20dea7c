/** Removes the query and fragment, which may contain keys or tokens. */
export function loggableUrl(url: string): string {
  return url.replace(/[?#].*/s, '');
}
