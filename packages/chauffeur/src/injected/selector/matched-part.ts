import { querySelector } from './query.ts';
import { parseXPath } from './xpath-parse.ts';

/** The longest leading part of an XPath that matches something; `''` for what is no plain XPath. */
export function matchedXPathPart(selector: string): string {
  const expression = selector.replace(/^xpath\s*=\s*/, '');
  if (!expression.startsWith('/')) return '';
  const steps = parseXPath(expression)?.steps ?? [];
  for (const { end } of steps.toReversed().slice(1)) {
    const part = expression.slice(0, end);
    const outcome = querySelector(`xpath=${part}`);
    if (outcome.kind === 'elements' && outcome.elements.length > 0) return part;
  }
  return '';
}
