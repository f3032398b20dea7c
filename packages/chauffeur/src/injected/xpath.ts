import { memoised } from './memo.ts';
import { childrenOf, localNameOf, namespaceOf, parentNodeOf, prefixOf } from './native.ts';
import { contentType } from './native-document.ts';

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const PLAIN_NAME = /^[a-z][a-z0-9_-]*$/;

/**
 * The absolute XPath of an element within its frame: an index on each step, `//` for a hop into a shadow
 * root, and a test by `name()` where XPath 1.0 has no other way (SVG, MathML, XML documents, odd names).
 */
export function xpathOf(element: Element): string {
  let path = '';
  for (let node: Element | null = element; node;) {
    const parent: ParentNode | null = parentNodeOf(node);
    const step = stepOf(node, parent);
    path = `${parent instanceof ShadowRoot ? '//' : '/'}${step}${path}`;
    if (parent instanceof ShadowRoot) node = parent.host;
    else node = parent instanceof Element ? parent : null;
  }
  return path;
}

/** Whether a step's node test, a tag name or a qualified name, holds for the element as XPath sees it. */
export function passesNameTest(
  element: Element,
  test: { readonly name: string; readonly isQualified: boolean },
): boolean {
  return test.isQualified
    ? qualifiedNameOf(element) === test.name
    : isPlain(element) && localNameOf(element) === test.name;
}

function stepOf(element: Element, parent: ParentNode | null): string {
  const name = isPlain(element) ? localNameOf(element) : `*[name()=${quote(qualifiedNameOf(element))}]`;
  return `${name}[${(parent && positionsAmong(parent).get(element)) ?? 1}]`;
}

/** The index that each child's step needs, counted once for all of them. */
const positionsAmong: (parent: ParentNode) => ReadonlyMap<Element, number> = memoised((parent: ParentNode) => {
  const positions = new Map<Element, number>();
  const countByQualifiedName = new Map<string, number>();
  const countByPlainName = new Map<string, number>();
  for (const child of childrenOf(parent)) {
    const asQualified = countOneMore(countByQualifiedName, qualifiedNameOf(child));
    positions.set(child, isPlain(child) ? countOneMore(countByPlainName, localNameOf(child)) : asQualified);
  }
  return positions;
});

function countOneMore(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

// A bare name in XPath 1.0 means an HTML element, and only in HTML documents.
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
