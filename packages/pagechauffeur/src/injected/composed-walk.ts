import { shadowRootOf } from './composed-tree.ts';
import { queryAll } from './native.ts';

/** Calls `visit` with every element below a node, and its shadow root, in document order; what is in a shadow root comes right after its host. */
export function visitElements(
  root: ParentNode,
  visit: (element: Element, shadowRoot: ShadowRoot | null) => void,
): void {
  const runs = [runOf(root)];
  const ownRoot = root instanceof Element ? shadowRootOf(root) : null;
  if (ownRoot) runs.push(runOf(ownRoot));
  for (let run = runs.at(-1); run;) {
    const element = run.elements[run.index];
    run.index += 1;
    if (!element) {
      runs.pop();
      run = runs.at(-1);
      continue;
    }
    const shadowRoot = shadowRootOf(element);
    visit(element, shadowRoot);
    if (!shadowRoot) continue;
    run = runOf(shadowRoot);
    runs.push(run);
  }
}

/** Every open or known closed shadow root below a node, in document order. */
export function shadowRootsBelow(root: ParentNode): ShadowRoot[] {
  const ownRoot = root instanceof Element ? shadowRootOf(root) : null;
  const roots = ownRoot ? [ownRoot] : [];
  visitElements(root, (_element, shadowRoot) => {
    if (shadowRoot) roots.push(shadowRoot);
  });
  return roots;
}

/** Whether a shadow root hangs on any element that comes before another one of the same tree, around it or not. */
export function hasShadowRootBefore(element: Element, root: ParentNode): boolean {
  if (root instanceof Element && shadowRootOf(root)) return true;
  for (const other of queryAll(root, '*', element)) if (shadowRootOf(other)) return true;
  return false;
}

/** The members of a set that are in this document, in its order. */
export function inDocumentOrder(members: ReadonlySet<Element>): Element[] {
  if (members.size < 2) return [...members];
  const ordered: Element[] = [];
  visitElements(document, (element) => {
    if (members.has(element)) ordered.push(element);
  });
  return ordered;
}

/** The elements of one tree, and how many of them were visited; roots are nested deeper than calls can be. */
interface Run {
  readonly elements: readonly Element[];
  index: number;
}

function runOf(root: ParentNode): Run {
  return { elements: queryAll(root, '*'), index: 0 };
}
