/** XPaths are recognized by the same rule as in the injected script. */
const XPATH = /^\s*(?:xpath\s*=|\.{0,2}\/|\()/;

const STEP = String.raw`(?:[A-Za-z][\w-]*|\*\[name\(\)=(?:'[^']*'|"[^"]*")\])\[\d+\]`;
const ABSOLUTE = new RegExp(
  String.raw`^\s*(?:xpath\s*=\s*)?/(?:descendant::)?${STEP}(?:/(?:/|descendant::)?${STEP})*\s*$`,
);

/** Checks only the first characters. */
export function isXPath(selector: string): boolean {
  return XPATH.test(selector);
}

/** True for an XPath that starts at the document root. */
export function isRootedXPath(selector: string): boolean {
  return /^\s*(?:xpath\s*=\s*)?\/(?!\/)/.test(selector);
}

/** True for an XPath as this library generates it, with an index in every step. */
export function isAbsoluteXPath(selector: string): boolean {
  return ABSOLUTE.test(selector);
}
