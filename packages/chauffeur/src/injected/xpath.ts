import { childrenOf, localNameOf, parentNodeOf } from './native.ts';

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
  const isQualified = !isPlain(element);
  const name = isQualified ? qualifiedNameOf(element) : localNameOf(element);
  const test = isQualified ? `*[name()=${quote(name)}]` : name;
  return `${test}[${parent ? indexAmong(parent, element, { name, isQualified }) : 1}]`;
}

function indexAmong(
  parent: ParentNode,
  element: Element,
  test: { readonly name: string; readonly isQualified: boolean },
): number {
  let index = 0;
  for (const child of childrenOf(parent)) {
    if (passesNameTest(child, test)) index += 1;
    if (child === element) break;
  }
  return index;
}

// A bare name in XPath 1.0 means an HTML element, and only in HTML documents.
function isPlain(element: Element): boolean {
  return (
    element.namespaceURI === HTML_NAMESPACE &&
    document.contentType === 'text/html' &&
    PLAIN_NAME.test(localNameOf(element))
  );
}

function qualifiedNameOf(element: Element): string {
  const { prefix } = element;
  return prefix ? `${prefix}:${localNameOf(element)}` : localNameOf(element);
}

function quote(name: string): string {
  return name.includes("'") ? `"${name}"` : `'${name}'`;
}
