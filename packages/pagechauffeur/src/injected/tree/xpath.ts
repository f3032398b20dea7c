import { memoised } from '../memo.ts';
import {
  childrenOf,
  localNameOf,
  namespaceOf,
  parentNodeOf,
  prefixOf,
  previousElementOf,
  queryAll,
  rootOf,
} from '../native.ts';
import { contentType } from '../native-document.ts';

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const PLAIN_NAME = /^[a-z][a-z0-9_-]*$/;

/**
 * Deeper elements get a path by their index among all elements with the same name. On a very deep page, step-by-step
 * paths would be longer than the page itself. Few pages are deeper than 60.
 */
const MAX_STEPS = 200;

/**
 * Returns an absolute XPath within the frame: an index on each step, `//` into a shadow root, `name()` where XPath 1.0
 * needs it (SVG, MathML, XML documents, unusual names), and `/descendant::button[7]` for very deep elements.
 */
export function xpathOf(element: Element): string {
  let path = '';
  for (let node: Element | null = element; node;) {
    const { path: inTree, root } = pathInTree(node);
    const host: Element | null = root instanceof ShadowRoot ? root.host : null;
    path = `${host ? '/' : ''}${inTree}${path}`;
    node = host;
  }
  return path;
}

/** Returns the path within the element's own document or shadow root. */
function pathInTree(element: Element): { readonly path: string; readonly root: ParentNode | null } {
  let path = '';
  let node = element;
  for (let steps = 1; ; steps += 1) {
    const parent = parentNodeOf(node);
    path = `/${stepOf(node)}${path}`;
    if (!(parent instanceof Element)) return { path, root: parent };
    if (steps === MAX_STEPS && rootOf(node) === document) return { path: descendantPath(element), root: document };
    node = parent;
  }
}

function descendantPath(element: Element): string {
  return `/descendant::${testOf(element)}[${positionsInDocument(document).get(element) ?? 1}]`;
}

/** `name` is a tag name or, if qualified, includes the prefix. */
export function passesNameTest(
  element: Element,
  test: { readonly name: string; readonly isQualified: boolean },
): boolean {
  return test.isQualified
    ? qualifiedNameOf(element) === test.name
    : isPlain(element) && localNameOf(element) === test.name;
}

const stepOf: (element: Element) => string = memoised((element: Element) => {
  const parent = parentNodeOf(element);
  return `${testOf(element)}[${parent ? positionIn(parent, element) : 1}]`;
});

/** One position is counted from the first sibling on. For more among the same siblings, all are counted at once. */
function positionIn(parent: ParentNode, element: Element): number {
  const asked = askedAbout(parent);
  asked.times += 1;
  if (asked.times > 1 || !(parent instanceof Element)) return positionsAmong(parent).get(element) ?? 1;
  const [name, isElementPlain] = [qualifiedNameOf(element), isPlain(element)];
  let position = 1;
  for (let other = previousElementOf(element); other; other = previousElementOf(other))
    if (qualifiedNameOf(other) === name && (!isElementPlain || isPlain(other))) position += 1;
  return position;
}

const askedAbout = memoised((_parent: ParentNode) => ({ times: 0 }));

function testOf(element: Element): string {
  return isPlain(element) ? localNameOf(element) : `*[name()=${quote(qualifiedNameOf(element))}]`;
}

/** Maps each child to its XPath index. */
const positionsAmong: (parent: ParentNode) => ReadonlyMap<Element, number> = memoised((parent: ParentNode) =>
  positionsOf(childrenOf(parent)),
);

/** Maps each element to its index among all elements with the same name. */
const positionsInDocument: (all: Document) => ReadonlyMap<Element, number> = memoised((all: Document) =>
  positionsOf(queryAll(all, '*')),
);

function positionsOf(elements: readonly Element[]): ReadonlyMap<Element, number> {
  const positions = new Map<Element, number>();
  const countByQualifiedName = new Map<string, number>();
  const countByPlainName = new Map<string, number>();
  for (const element of elements) {
    const asQualified = countOneMore(countByQualifiedName, qualifiedNameOf(element));
    positions.set(element, isPlain(element) ? countOneMore(countByPlainName, localNameOf(element)) : asQualified);
  }
  return positions;
}

function countOneMore(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

// In XPath 1.0, a name without a prefix matches HTML elements only in HTML documents.
function isPlain(element: Element): boolean {
  return (
    namespaceOf(element) === HTML_NAMESPACE && contentType() === 'text/html' && PLAIN_NAME.test(localNameOf(element))
  );
}

function qualifiedNameOf(element: Element): string {
  const prefix = prefixOf(element);
  return prefix ? `${prefix}:${localNameOf(element)}` : localNameOf(element);
}

function quote(name: string): string {
  return name.includes("'") ? `"${name}"` : `'${name}'`;
}
