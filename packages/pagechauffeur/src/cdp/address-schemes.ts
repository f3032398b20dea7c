/** Schemes of the browser's own pages. They can do more than pages of the web: change settings, or open DevTools connections. */
export const BROWSER_PAGE_SCHEMES: ReadonlySet<string> = new Set([
  'chrome-extension:',
  'chrome-untrusted:',
  'chrome:',
  'devtools:',
]);

/** Schemes that the browser answers itself, without a network request. */
export const INNER_SCHEMES: ReadonlySet<string> = new Set([
  ...BROWSER_PAGE_SCHEMES,
  'about:',
  'blob:',
  'chrome-error:',
  'data:',
  'filesystem:',
  'javascript:',
]);

/** Schemes that the browser loads documents from, besides the inner ones. */
const LOADED_SCHEMES: ReadonlySet<string> = new Set(['file:', 'http:', 'https:', 'view-source:']);

/** Prefix that shows the source of another URL. */
const SOURCE_OF = 'view-source:';

/**
 * Parses a URL as browsers do: strips white space and control characters, and unwraps `view-source:`. Returns
 * `undefined` if it
 * is not an absolute URL. The domain policy checks this form, and the browser gets this form.
 */
export function parsedAddress(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === SOURCE_OF ? parsedAddress(url.href.slice(SOURCE_OF.length)) : url;
}

/** True if the scheme may load a document. `mailto:`, `tel:` and similar schemes open another program. */
export function mayBringDocument(url: string): boolean {
  const scheme = /^[^:]*:/.exec(url)?.[0].toLowerCase() ?? '';
  return INNER_SCHEMES.has(scheme) || LOADED_SCHEMES.has(scheme);
}
