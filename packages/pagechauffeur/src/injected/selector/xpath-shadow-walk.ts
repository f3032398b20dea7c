import { inDocumentOrder, visitElements } from '../tree/composed-walk.ts';
import { shadowRootOf } from '../tree/composed-tree.ts';
import { childrenOf, localNameOf } from '../native.ts';
import { parseXPath, type XPathPath, type XPathStep } from './xpath-parse.ts';
import { compileXPath, evaluateXPath } from '../native-document.ts';

/** Returns why the XPath cannot be evaluated inside shadow roots; `null` if it can. */
export function shadowWalkProblem(expression: string): string | null {
  const path = parseXPath(expression);
  if (!path) return 'it is not a single plain path';
  if (path.group) {
    const problem = shadowWalkProblem(path.group.inner) ?? firstProblem(path.group.predicates);
    if (problem) return problem;
  }
  for (const step of path.steps) {
    const problem = testProblem(step.test) ?? firstProblem(step.predicates);
    if (problem) return problem;
  }
  return null;
}

/** `//` also searches open and registered closed shadow roots. */
export function walkXPath(root: ParentNode, expression: string): Element[] {
  const path = parseXPath(expression);
  return path ? walkPath(root, path) : [];
}

function walkPath(root: ParentNode, { group, steps }: XPathPath): Element[] {
  let contexts: readonly ParentNode[] = [root];
  if (group)
    contexts = group.predicates.reduce(filterByPredicate, inDocumentOrder(new Set(walkXPath(root, group.inner))));
  for (const step of steps) contexts = walkStep(contexts, step);
  return contexts.filter((context) => context instanceof Element);
}

function walkStep(contexts: readonly ParentNode[], step: XPathStep): ParentNode[] {
  if (step.test === '.' || step.test === 'self::node()') return [...contexts];
  const found = new Set<Element>();
  const parents = step.separator === '//' ? withAllBelow(contexts) : contexts;
  for (const parent of parents) {
    const named = childrenOf(parent).filter((child) => passesTest(child, step.test));
    for (const child of step.predicates.reduce(filterByPredicate, named)) found.add(child);
  }
  return [...found];
}

function withAllBelow(contexts: readonly ParentNode[]): Set<ParentNode> {
  const parents = new Set<ParentNode>();
  const add = (parent: ParentNode): void => {
    parents.add(parent);
    const shadowRoot = parent instanceof Element ? shadowRootOf(parent) : null;
    if (shadowRoot) parents.add(shadowRoot);
  };
  for (const context of contexts) {
    add(context);
    visitElements(context, add);
  }
  return parents;
}

function passesTest(element: Element, test: string): boolean {
  return test === '*' || localNameOf(element) === test.toLowerCase();
}

function testProblem(test: string): string | null {
  return /^(\*|\.|self::node\(\)|[A-Za-z][\w.-]*)$/.test(test) ? null : `the step ${test} is not a plain tag name`;
}

function firstProblem(predicates: readonly string[]): string | null {
  for (const predicate of predicates) {
    const problem = predicateProblem(predicate);
    if (problem) return problem;
  }
  return null;
}

/** Axes and paths that leave the element. Inside a shadow root, they would miss the rest of the page. */
const LEAVES_THE_TREE =
  /\b(ancestor|ancestor-or-self|following|preceding|parent)\s*::|\.\.|(^|[([,=<>|+\-*]|\b(?:and|or|div|mod)\b)\s*\/|\bid\s*\(/;

/** Returns why a predicate cannot be evaluated element by element; `null` if it can. */
function predicateProblem(predicate: string): string | null {
  return LEAVES_THE_TREE.test(withoutStrings(predicate))
    ? `the predicate [${predicate}] depends on other elements`
    : null;
}

/**
 * Expects the matching children of one parent, or all matches of a group. The browser evaluates the predicate on each
 * candidate, with `position()` and `last()` replaced by numbers.
 */
function filterByPredicate(candidates: readonly Element[], predicate: string): Element[] {
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

// Nested brackets have their own `position()`. Strings stay as they are.
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
