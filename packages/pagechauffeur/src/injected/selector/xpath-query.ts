import { inDocumentOrder, shadowRootsBelow } from '../tree/composed-walk.ts';
import { isFrameElement } from '../tree/frames.ts';
import { engineMessage, invalidXPath, type QueryOutcome, withoutFrame } from './outcome.ts';
import { parseXPath } from './xpath-parse.ts';
import { shadowWalkProblem, walkXPath } from './xpath-shadow-walk.ts';
import { elementsBelow, liveChildrenOf, localNameOf, parentElementOf } from '../native.ts';
import { evaluateXPath } from '../native-document.ts';
import { shadowRootOf } from '../tree/composed-tree.ts';
import { mayHostShadowRoot } from '../tree/tags.ts';
import { passesNameTest } from '../tree/xpath.ts';

/**
 * Follows paths in the format of `xpathOf` step by step. The browser evaluates all others, then `walkXPath` searches
 * shadow roots. Steps after a frame element continue in its document.
 */
export function queryXPath(root: ParentNode, body: string): QueryOutcome {
  const expression = relativeTo(root, body.trim());
  const followed = root instanceof Document ? followAbsoluteXPath(expression) : null;
  if (
    followed &&
    !(followed.kind === 'elements' && followed.elements.length === 0) &&
    followed.kind !== 'no-shadow-root'
  )
    return followed;
  const split = splitAtFrame(expression);
  if (split) return queryUpToFrame(root, split);
  const found = queryEverywhere(root, expression);
  return followed?.kind === 'no-shadow-root' && found.kind === 'elements' && found.elements.length === 0
    ? followed
    : found;
}

interface AbsoluteStep {
  readonly entersShadowRoot: boolean;
  readonly name: string;
  readonly isQualified: boolean;
  readonly index: number;
}

const STEP = /^(\/\/?)(?:([A-Za-z][\w-]*)|\*\[name\(\)=(?:'([^']*)'|"([^"]*)")\])\[(\d+)\]/;
const DESCENDANT_START = /^\/descendant::/;

/**
 * Follows a path in the format of `xpathOf`: an index on each step, `//` into a shadow root, and `/descendant::` to
 * count the first step in the whole document. Returns `null` for any other expression.
 */
function followAbsoluteXPath(expression: string): QueryOutcome | null {
  let parent: ParentNode = document;
  const isRelative = DESCENDANT_START.test(expression);
  let rest = expression.replace(DESCENDANT_START, '/');
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return null;
    if (parent instanceof Element && isFrameElement(parent)) return { kind: 'frame', element: parent, rest };
    const step = stepOf(match);
    const container = step.entersShadowRoot ? rootOf(parent) : parent;
    if (!container) {
      // Below the document, or below an element that cannot host a shadow root, `//` matches at any depth.
      if (!(parent instanceof Element) || !mayHostShadowRoot(localNameOf(parent))) return null;
      return { kind: 'no-shadow-root', matched: expression.slice(0, expression.length - rest.length) };
    }
    const child = nthOf(
      isRelative && container === document ? elementsBelow(document) : liveChildrenOf(container),
      step,
    );
    if (!child) return { kind: 'elements', elements: [] };
    parent = child;
    rest = rest.slice(match[0].length);
  }
  return parent instanceof Element ? { kind: 'elements', elements: [parent] } : null;
}

function stepOf([, separator, tag, inApostrophes, inQuotes, index]: RegExpExecArray): AbsoluteStep {
  return {
    entersShadowRoot: separator === '//',
    name: tag?.toLowerCase() ?? inApostrophes ?? inQuotes ?? '',
    isQualified: tag === undefined,
    index: Number(index),
  };
}

function rootOf(parent: ParentNode): ShadowRoot | null {
  return parent instanceof Element ? shadowRootOf(parent) : null;
}

function nthOf(elements: ArrayLike<Element>, step: AbsoluteStep): Element | null {
  let count = 0;
  for (let index = 0, element = elements[0]; element; index += 1, element = elements[index]) {
    if (passesNameTest(element, step)) count += 1;
    if (count === step.index) return element;
  }
  return null;
}

// Below the match of an earlier part, the path is relative to that element.
function relativeTo(root: ParentNode, expression: string): string {
  return root instanceof Document ? expression : expression.replace(/^(\(*)\//, '$1./');
}

function queryEverywhere(root: ParentNode, expression: string): QueryOutcome {
  const native = evaluateNatively(root, expression);
  if (!Array.isArray(native)) return native;
  if (shadowRootsBelow(root).length === 0) return { kind: 'elements', elements: native };
  const problem = shadowWalkProblem(expression);
  if (problem === null) return { kind: 'elements', elements: inAllTrees(root, expression, native) };
  if (native.length > 0) return { kind: 'elements', elements: native };
  return {
    ...invalidXPath(
      `The XPath ${expression} matches nothing outside shadow roots and cannot be evaluated inside them: ${problem}. Use CSS, or a path of tag names whose predicates test only the element, for example //button[@name="save"].`,
    ),
    isProvisional: true,
  };
}

// A group such as `(//a)[2]` counts matches across shadow roots, which the browser does not.
function inAllTrees(root: ParentNode, expression: string, native: readonly Element[]): Element[] {
  const walked = walkXPath(root, expression);
  return inDocumentOrder(new Set(parseXPath(expression)?.group ? walked : [...native, ...walked]));
}

function evaluateNatively(root: ParentNode, expression: string): Element[] | QueryOutcome {
  try {
    const result = evaluateXPath(expression, root, XPathResult.ORDERED_NODE_ITERATOR_TYPE);
    const elements = new Set<Element>();
    for (let node = result.iterateNext(); node; node = result.iterateNext()) {
      const element = elementOf(node);
      if (element) elements.add(element);
    }
    return [...elements];
  } catch (error) {
    if (error instanceof TypeError) return invalidXPath(`The XPath ${expression} returns a value instead of elements.`);
    return invalidXPath(
      `The XPath ${expression} cannot be parsed: ${engineMessage(error)} Expected an XPath such as //button[@type='submit'] or /html[1]/body[1]/div[2].`,
    );
  }
}

function elementOf(node: Node): Element | null {
  if (node instanceof Element) return node;
  return node instanceof Attr ? node.ownerElement : parentElementOf(node);
}

interface FrameSplit {
  readonly before: string;
  readonly after: string;
}

function splitAtFrame(expression: string): FrameSplit | null {
  const path = parseXPath(expression);
  if (!path) return null;
  const { group, steps } = path;
  const splitAt = (end: number): FrameSplit => ({ before: expression.slice(0, end), after: expression.slice(end) });
  if (group && steps[0]?.test === 'html') return splitAt(group.end);
  const index = steps.findIndex(
    (step, at) => at < steps.length - 1 && (/^i?frame$/i.test(step.test) || steps[at + 1]?.test === 'html'),
  );
  const step = steps[index];
  return step ? splitAt(step.end) : null;
}

function queryUpToFrame(root: ParentNode, { before, after }: FrameSplit): QueryOutcome {
  const outcome = queryXPath(root, before);
  if (outcome.kind !== 'elements') return outcome;
  const frame = outcome.elements.find((element) => isFrameElement(element));
  if (frame) return { kind: 'frame', element: frame, rest: after };
  const [first] = outcome.elements;
  return first ? withoutFrame(first) : { kind: 'elements', elements: [], lacks: 'frame' };
}
