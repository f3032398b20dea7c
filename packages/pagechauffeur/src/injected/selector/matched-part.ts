import { querySelector } from './query.ts';
import { parseXPath } from './xpath-parse.ts';

/** The longest leading part of an XPath that matches something; `''` for what is no plain XPath. */
export function matchedXPathPart(selector: string): string {
  const expression = selector.replace(/^xpath\s*=\s*/, '');
  if (!expression.startsWith('/')) return '';
  const steps = parseXPath(expression)?.steps ?? [];
  let matched = '';
  // Where a path leads to something, each shorter part of it does.
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
