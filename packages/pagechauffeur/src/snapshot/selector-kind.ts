/** As the program in the page tells XPaths from other selectors. */
const XPATH = /^\s*(?:xpath\s*=|\.{0,2}\/|\()/;

const STEP = String.raw`(?:[A-Za-z][\w-]*|\*\[name\(\)=(?:'[^']*'|"[^"]*")\])\[\d+\]`;
const ABSOLUTE = new RegExp(
  String.raw`^\s*(?:xpath\s*=\s*)?/(?:descendant::)?${STEP}(?:/(?:/|descendant::)?${STEP})*\s*$`,
);

/** Whether a selector is an XPath: by its prefix, or by how it begins. */
export function isXPath(selector: string): boolean {
  return XPATH.test(selector);
}

/** Whether a selector is an XPath that begins at the root of a document. */
export function isRootedXPath(selector: string): boolean {
  return /^\s*(?:xpath\s*=\s*)?\/(?!\/)/.test(selector);
}

/** Whether a selector is an XPath as the library gives it: it names one place, with an index on each step. */
export function isAbsoluteXPath(selector: string): boolean {
  return ABSOLUTE.test(selector);
}
