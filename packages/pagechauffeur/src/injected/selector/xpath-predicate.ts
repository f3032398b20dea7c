import { compileXPath, evaluateXPath } from '../native-document.ts';
/** Axes and paths that look outside the element. In a shadow tree they would see only part of the page. */
const LEAVES_THE_TREE =
  /\b(ancestor|ancestor-or-self|following|preceding|parent)\s*::|\.\.|(^|[([,=<>|+\-*]|\b(?:and|or|div|mod)\b)\s*\/|\bid\s*\(/;

/** Returns why a predicate cannot be evaluated per element; `null` if it can. */
export function predicateProblem(predicate: string): string | null {
  return LEAVES_THE_TREE.test(withoutStrings(predicate))
    ? `the predicate [${predicate}] looks outside the element`
    : null;
}

/**
 * Returns the candidates that a predicate keeps. They are the children of one parent or one whole list. The browser evaluates the predicate
 * on each candidate, with `position()` and `last()` replaced by numbers.
 */
export function filterByPredicate(candidates: readonly Element[], predicate: string): Element[] {
  if (/^\d+$/.test(predicate)) return candidates.slice(Number(predicate) - 1, Number(predicate));
  if (!/\b(position|last)\s*\(/.test(predicate)) {
    const compiled = compileXPath(predicate);
    return candidates.filter((element, index) => holds(compiled.evaluate(element, XPathResult.ANY_TYPE), index + 1));
  }
  return candidates.filter((element, index) => {
    const numbered = withPosition(predicate, index + 1, candidates.length);
    return holds(evaluateXPath(numbered, element), index + 1);
  });
}

function holds(result: XPathResult, position: number): boolean {
  if (result.resultType === XPathResult.NUMBER_TYPE) return result.numberValue === position;
  if (result.resultType === XPathResult.BOOLEAN_TYPE) return result.booleanValue;
  if (result.resultType === XPathResult.STRING_TYPE) return result.stringValue !== '';
  return result.iterateNext() !== null;
}

// In nested brackets, `position()` refers to another list. Strings must stay unchanged.
function withPosition(predicate: string, position: number, last: number): string {
  let depth = 0;
  return predicate.replace(/"[^"]*"|'[^']*'|[[\]]|\b(position|last)\s*\(\s*\)/g, (found, name?: string) => {
    if (found === '[') depth += 1;
    if (found === ']') depth -= 1;
    if (name === undefined || depth > 0) return found;
    return String(name === 'last' ? last : position);
  });
}

function withoutStrings(predicate: string): string {
  return predicate.replace(/"[^"]*"|'[^']*'/g, '""');
}
