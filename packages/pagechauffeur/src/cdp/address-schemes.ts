/** The browser's own pages. Unlike web pages, they can change settings or open DevTools connections. */
export const BROWSER_PAGE_SCHEMES: ReadonlySet<string> = new Set([
  'chrome-extension:',
  'chrome-untrusted:',
  'chrome:',
  'devtools:',
]);

/** Schemes that the browser loads without a network request. */
export const INNER_SCHEMES: ReadonlySet<string> = new Set([
  ...BROWSER_PAGE_SCHEMES,
  'about:',
  'blob:',
  'chrome-error:',
  'data:',
  'filesystem:',
  'javascript:',
]);

/** Further schemes from which the browser loads documents. */
const LOADED_SCHEMES: ReadonlySet<string> = new Set(['file:', 'http:', 'https:', 'view-source:']);

const VIEW_SOURCE = 'view-source:';

/**
 * Parses a URL as browsers do: strips white space and control characters, and unwraps `view-source:`. The domain policy
 * checks this form. Returns `undefined` if the URL is not absolute.
 */
export function parsedAddress(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === VIEW_SOURCE ? parsedAddress(url.href.slice(VIEW_SOURCE.length)) : url;
}

/** False for `mailto:`, `tel:` and other schemes that open another program instead of a document. */
export function mayBringDocument(url: string): boolean {
  const scheme = /^[^:]*:/.exec(url)?.[0].toLowerCase() ?? '';
  return INNER_SCHEMES.has(scheme) || LOADED_SCHEMES.has(scheme);
}
