/** An address as it may be told: what follows the path may be a key or a token. */
export function loggableUrl(url: string): string {
  return url.replace(/[?#].*/s, '');
}
