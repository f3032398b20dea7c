import { shadowRootOf } from './composed-tree.ts';
import { queryAll } from './native.ts';

/** Calls `visit` with every element below a node, in document order; what is in a shadow root comes right after its host. */
export function visitElements(root: ParentNode, visit: (element: Element) => void): void {
  const ownRoot = root instanceof Element ? shadowRootOf(root) : null;
  if (ownRoot) visitElements(ownRoot, visit);
  for (const element of queryAll(root, '*')) {
    visit(element);
    const shadowRoot = shadowRootOf(element);
    if (shadowRoot) visitElements(shadowRoot, visit);
  }
}

/** Every open or known closed shadow root below a node, in document order. */
export function shadowRootsBelow(root: ParentNode): ShadowRoot[] {
  const roots: ShadowRoot[] = [];
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
  for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
    const shadowRoot = node instanceof Element ? shadowRootOf(node) : null;
    if (shadowRoot) roots.push(shadowRoot, ...shadowRootsBelow(shadowRoot));
  }
  return roots;
}
