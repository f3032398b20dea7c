/** True for the URL of a favicon, which the browser requests by itself. */
export function isFavicon(url: string): boolean {
  return /^[^?#]*\/favicon\.ico$/.test(url);
}
