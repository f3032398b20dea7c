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

/** What only shows the source of another address. */
const SOURCE_OF = 'view-source:';

/**
 * An address as browsers read it: without the space and the control characters that they leave out, and the one that
 * `view-source:` leads to. Undefined when it is not whole. What is judged is this, and this is what is sent.
 */
export function parsedAddress(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === SOURCE_OF ? parsedAddress(url.href.slice(SOURCE_OF.length)) : url;
}

/** Whether a document may come of an address: `mailto:`, `tel:` and their like are for another program of the machine. */
export function mayBringDocument(url: string): boolean {
  const scheme = /^[^:]*:/.exec(url)?.[0].toLowerCase() ?? '';
  return INNER_SCHEMES.has(scheme) || LOADED_SCHEMES.has(scheme);
}
