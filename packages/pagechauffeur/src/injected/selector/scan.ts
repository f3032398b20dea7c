/** Returns the number of characters to skip, `stop`, or `undefined` to continue. */
type Visit = (index: number) => number | 'stop' | undefined;

/**
 * Visits each index outside quotes, brackets and parentheses. A backslash escapes the next character, except in XPath.
 */
export function scanTopLevel(text: string, visit: Visit, hasEscapes = true): 'balanced' | 'unbalanced' {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (depth === 0) {
      const answer = visit(index);
      if (answer === 'stop') return 'balanced';
      if (answer !== undefined) {
        index += answer - 1;
        continue;
      }
    }
    if (character === '\\' && hasEscapes) index += 1;
    else if (character === '/' && hasEscapes && isValueStart(text, index)) index = endOfExpression(text, index);
    else if (character === '"' || character === "'") {
      const end = endOfQuote(text, index, hasEscapes);
      if (end < 0) return 'unbalanced';
      index = end;
    } else if (character === '[' || character === '(') depth += 1;
    else if (character === ']' || character === ')') depth -= 1;
  }
  return depth === 0 ? 'balanced' : 'unbalanced';
}

// A regular expression is only valid as a value: [name=/…/i].
function isValueStart(text: string, index: number): boolean {
  return /=\s*$/.test(text.slice(Math.max(0, index - 4), index));
}

// A slash without a closing slash is a plain character.
function endOfExpression(text: string, start: number): number {
  const expression = /^\/(?:\\.|[^/\\])+\//.exec(text.slice(start));
  return expression ? start + expression[0].length - 1 : start;
}

/** Returns the index of the closing quote; -1 if there is none. */
export function endOfQuote(text: string, start: number, hasEscapes = true): number {
  const quote = text.charAt(start);
  for (let index = start + 1; index < text.length; index += 1) {
    if (text.charAt(index) === '\\' && hasEscapes) index += 1;
    else if (text.charAt(index) === quote) return index;
  }
  return -1;
}

export function splitTopLevel(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  scanTopLevel(text, (index) => {
    if (text.charAt(index) !== separator) return undefined;
    parts.push(text.slice(start, index));
    start = index + 1;
    return 1;
  });
  parts.push(text.slice(start));
  return parts;
}

/** Returns the unescaped content of a quoted string; `null` if `text` is not quoted. */
export function unquote(text: string): string | null {
  const quote = text.charAt(0);
  if ((quote !== '"' && quote !== "'") || endOfQuote(text, 0) !== text.length - 1) return null;
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
