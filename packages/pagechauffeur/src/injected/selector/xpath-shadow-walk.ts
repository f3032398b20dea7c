import { inDocumentOrder, visitElements } from '../composed-walk.ts';
import { shadowRootOf } from '../composed-tree.ts';
import { childrenOf, localNameOf } from '../native.ts';
import { parseXPath, type XPathPath, type XPathStep } from './xpath-parse.ts';
import { filterByPredicate, predicateProblem } from './xpath-predicate.ts';

/** Returns why an XPath cannot be evaluated through shadow roots; `null` if it can. */
export function shadowWalkProblem(expression: string): string | null {
  const path = parseXPath(expression);
  if (!path) return 'it is not one plain path';
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

/** Returns every match of an XPath. `//` also searches open and registered closed shadow roots. */
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
  return /^(\*|\.|self::node\(\)|[A-Za-z][\w.-]*)$/.test(test) ? null : `the step ${test} is more than a tag name`;
}

function firstProblem(predicates: readonly string[]): string | null {
  for (const predicate of predicates) {
    const problem = predicateProblem(predicate);
    if (problem) return problem;
  }
  return null;
}
