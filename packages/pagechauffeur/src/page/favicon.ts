/** Chromium requests `/favicon.ico` automatically. Page events skip this request, as in Playwright. */
export function isFavicon(url: string): boolean {
  return /^[^?#]*\/favicon\.ico$/.test(url);
}
