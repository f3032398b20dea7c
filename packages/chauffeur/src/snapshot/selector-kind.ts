/** Whether a selector is an XPath: by its prefix, or by how it begins. */
export function isXPath(selector: string): boolean {
  return /^(xpath=|\/|\()/.test(selector);
}
