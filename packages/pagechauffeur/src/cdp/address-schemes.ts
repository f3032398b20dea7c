/** Addresses of these schemes are answered by the browser itself; no request leaves the machine. */
export const INNER_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome-error:',
  'chrome-extension:',
  'chrome-untrusted:',
  'chrome:',
  'data:',
  'devtools:',
  'filesystem:',
  'javascript:',
]);

/** Besides them, the schemes that the browser loads documents by. */
const LOADED_SCHEMES: ReadonlySet<string> = new Set(['file:', 'http:', 'https:', 'view-source:']);

/** Whether a document may come of an address: `mailto:`, `tel:` and their like are for another program of the machine. */
export function mayBringDocument(url: string): boolean {
  const scheme = /^[^:]*:/.exec(url)?.[0].toLowerCase() ?? '';
  return INNER_SCHEMES.has(scheme) || LOADED_SCHEMES.has(scheme);
}
