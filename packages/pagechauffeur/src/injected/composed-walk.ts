import { shadowRootOf } from './composed-tree.ts';
import { memoised } from './memo.ts';
import { elementsBelow, queryAll } from './native.ts';

/** Visits all descendants in document order until `visit` returns false. The content of a shadow root follows its host. */
export function visitElements(
  root: ParentNode,
  visit: (element: Element, shadowRoot: ShadowRoot | null) => boolean | void,
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
    if (visit(element, shadowRoot) === false) return;
    if (!shadowRoot) continue;
    run = runOf(shadowRoot);
    runs.push(run);
  }
}

/** Returns all open and registered closed shadow roots, including the node's own, in document order. */
export function shadowRootsBelow(root: ParentNode): readonly ShadowRoot[] {
  if (root !== document) return findShadowRoots(root);
  if (rootsOfDocument === undefined) {
    rootsOfDocument = findShadowRoots(document);
    queueMicrotask(() => (rootsOfDocument = undefined));
  }
  return rootsOfDocument;
}

/** Kept until the current call returns. Finding them takes 1 to 5 ms on 20,000 elements. */
let rootsOfDocument: readonly ShadowRoot[] | undefined;

const findShadowRoots: (root: ParentNode) => readonly ShadowRoot[] = memoised((root: ParentNode) => {
  const ownRoot = root instanceof Element ? shadowRootOf(root) : null;
  // A callback per element makes this several times slower, and most pages have no shadow root.
  const roots = ownRoot ? [ownRoot] : [];
  const runs = ownRoot ? [runOf(root), runOf(ownRoot)] : [runOf(root)];
  for (let run = runs.pop(); run; run = runs.pop()) {
    const { elements } = run;
    for (let element = elements[run.index]; element; element = elements[run.index]) {
      run.index += 1;
      const shadowRoot = shadowRootOf(element);
      if (!shadowRoot) continue;
      roots.push(shadowRoot);
      runs.push(run, runOf(shadowRoot));
      break;
    }
  }
  return roots;
});

/** True if `root`, or an element before `element` in the same tree, has a shadow root. */
export function hasShadowRootBefore(element: Element, root: ParentNode): boolean {
  if (root instanceof Element && shadowRootOf(root)) return true;
  for (const other of queryAll(root, '*', element)) if (shadowRootOf(other)) return true;
  return false;
}

/** Sorts elements in document order and drops those outside this document. */
export function inDocumentOrder(members: ReadonlySet<Element>): Element[] {
  if (members.size < 2) return [...members];
  const ordered: Element[] = [];
  visitElements(document, (element) => {
    if (members.has(element)) ordered.push(element);
  });
  return ordered;
}

/** One level of the walk. Kept on an explicit stack, because recursion overflows in deeply nested shadow roots. */
interface Run {
  readonly elements: ArrayLike<Element>;
  index: number;
}

function runOf(root: ParentNode): Run {
  return { elements: elementsBelow(root), index: 0 };
}
