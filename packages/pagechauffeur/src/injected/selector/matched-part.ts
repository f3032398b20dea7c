import { querySelector } from './query.ts';
import { parseXPath } from './xpath-parse.ts';

/** Returns the longest prefix of an XPath that matches an element; `''` if the selector is not a plain XPath. */
export function matchedXPathPart(selector: string): string {
  const expression = selector.replace(/^xpath\s*=\s*/, '');
  if (!expression.startsWith('/')) return '';
  const steps = parseXPath(expression)?.steps ?? [];
  let matched = '';
  // If a path matches, each prefix of it does too, so a binary search works.
  for (let low = 0, high = steps.length - 1; low < high;) {
    const middle = Math.floor((low + high) / 2);
    const part = expression.slice(0, steps[middle]?.end);
    const isMatch = matchesSomething(part);
    if (isMatch) matched = part;
    if (isMatch) low = middle + 1;
    else high = middle;
  }
  return matched;
}

function matchesSomething(path: string): boolean {
  const outcome = querySelector(`xpath=${path}`);
  return outcome.kind === 'elements' && outcome.elements.length > 0;
}
