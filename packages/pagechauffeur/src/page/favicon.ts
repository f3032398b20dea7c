/** Whether an address is that of the picture that a browser asks for by itself, and that no page knows of. */
export function isFavicon(url: string): boolean {
  return /^[^?#]*\/favicon\.ico$/.test(url);
}
