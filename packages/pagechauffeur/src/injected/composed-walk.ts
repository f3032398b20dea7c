import { shadowRootOf } from './composed-tree.ts';
import { memoised } from './memo.ts';
import { elementsBelow, localNameOf, queryAll } from './native.ts';
import { mayHostShadowRoot } from './snapshot/tags.ts';

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
    rootsOfDocument = rootsInDocument();
    queueMicrotask(() => (rootsOfDocument = undefined));
  }
  return rootsOfDocument;
}

/** Kept until the current call returns. */
let rootsOfDocument: readonly ShadowRoot[] | undefined;

/** Reports added and removed elements with `forgetHosts`. */
export interface HostWatch {
  /** Reports what changed so far. */
  flush(): void;
  isWatched(root: Document | ShadowRoot): boolean;
}

export function setHostWatch(watch: HostWatch): void {
  hostWatch = watch;
}

let hostWatch: HostWatch | undefined;

/** The shadow roots of the document, and the elements without one that may get one. */
let known: { readonly roots: readonly ShadowRoot[]; readonly possibleHosts: readonly Element[] } | undefined;

/** With more possible hosts, searching the whole document is not much slower. */
const MAX_POSSIBLE_HOSTS = 5000;

/** Call after elements were added or removed, or when they are no longer watched. */
export function forgetHosts(): void {
  known = undefined;
}

/**
 * While the document is watched and no element is added or removed, visits only the possible hosts again, because
 * attaching a shadow root causes no mutation. A table of 20,000 elements has a handful, and the search takes 0.1 instead
 * of 3 ms.
 */
function rootsInDocument(): readonly ShadowRoot[] {
  hostWatch?.flush();
  if (known && !known.possibleHosts.some(shadowRootOf)) return known.roots;
  const roots = findShadowRoots(document);
  const possibleHosts = [document, ...roots].every((root) => hostWatch?.isWatched(root))
    ? possibleHostsIn([document, ...roots])
    : undefined;
  known = possibleHosts && { roots, possibleHosts };
  return roots;
}

/** Returns `undefined` if there are too many. */
function possibleHostsIn(roots: readonly ParentNode[]): readonly Element[] | undefined {
  const hosts: Element[] = [];
  for (const root of roots) {
    const elements = elementsBelow(root);
    for (let index = 0, element = elements[0]; element; element = elements[++index]) {
      const tag = localNameOf(element);
      if (!(mayHostShadowRoot(tag) || tag === 'body') || shadowRootOf(element)) continue;
      if (hosts.length === MAX_POSSIBLE_HOSTS) return undefined;
      hosts.push(element);
    }
  }
  return hosts;
}

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
