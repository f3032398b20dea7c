import { shadowRootOf } from './composed-tree.ts';
import { memoised } from '../memo.ts';
import { elementsBelow, localNameOf, queryAll } from '../native.ts';
import { mayHostShadowRoot } from './tags.ts';

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
  if (root !== document) return findHosts(root).roots;
  if (rootsOfDocument === undefined) {
    rootsOfDocument = rootsInDocument();
    queueMicrotask(() => (rootsOfDocument = undefined));
  }
  return rootsOfDocument;
}

/** Kept until the current call returns. */
let rootsOfDocument: readonly ShadowRoot[] | undefined;

interface FoundHosts {
  readonly roots: readonly ShadowRoot[];
  /** Elements without a shadow root that may get one. */
  readonly possibleHosts: readonly Element[];
}

/** Result of the last search of the document. `undefined` after an element was added or removed. */
let known: FoundHosts | undefined;

/** Observes the document and its shadow roots after a search, until an element is added or removed. */
const changes = new MutationObserver(forgetAfter);

function forgetAfter(records: readonly MutationRecord[]): void {
  if (!records.some(addsOrRemovesElements)) return;
  changes.disconnect();
  known = undefined;
}

export function addsOrRemovesElements({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  return type === 'childList' && [...addedNodes, ...removedNodes].some((node) => node instanceof Element);
}

/**
 * Attaching a shadow root causes no mutation, so known possible hosts are checked on each call. The whole document is
 * searched only after an element was added or removed. A table of 20,000 elements has a handful of possible hosts, and
 * this takes 0.1 instead of 2 ms.
 */
function rootsInDocument(): readonly ShadowRoot[] {
  forgetAfter(changes.takeRecords());
  if (known && !known.possibleHosts.some(shadowRootOf)) return known.roots;
  const { roots, possibleHosts } = findHosts(document);
  known = possibleHosts.length > MAX_POSSIBLE_HOSTS ? undefined : { roots, possibleHosts };
  if (known) for (const root of [document, ...roots]) changes.observe(root, CHILDREN);
  return roots;
}

/** Returns `undefined` if there are more than `MAX_POSSIBLE_HOSTS`. */
export function possibleHostsInDocument(): readonly Element[] | undefined {
  rootsInDocument();
  return known?.possibleHosts;
}

const CHILDREN: MutationObserverInit = { subtree: true, childList: true };

/** With more possible hosts, searching the whole document is not much slower. */
const MAX_POSSIBLE_HOSTS = 20_000;

const findHosts: (root: ParentNode) => FoundHosts = memoised((root: ParentNode) => {
  const ownRoot = root instanceof Element ? shadowRootOf(root) : null;
  const roots = ownRoot ? [ownRoot] : [];
  const possibleHosts: Element[] = [];
  const outer = root instanceof Document ? { elements: queryAll(root, POSSIBLE_HOST), index: 0 } : runOf(root);
  const runs = ownRoot ? [outer, runOf(ownRoot)] : [outer];
  // A callback per element makes this several times slower, and most pages have no shadow root.
  for (let run = runs.pop(); run; run = runs.pop()) {
    const { elements } = run;
    for (let element = elements[run.index]; element; element = elements[run.index]) {
      run.index += 1;
      const tag = localNameOf(element);
      if (!(mayHostShadowRoot(tag) || tag === 'body')) continue;
      const shadowRoot = shadowRootOf(element);
      if (!shadowRoot) {
        possibleHosts.push(element);
        continue;
      }
      roots.push(shadowRoot);
      runs.push(run, runOf(shadowRoot));
      break;
    }
  }
  return { roots, possibleHosts };
});

/**
 * Matches all elements that can host a shadow root, and a few others. A selector cannot ask for the hyphen in the name of
 * a custom element, so this excludes the usual tags. Frequent tags are first in both lists, because an element is compared
 * only up to its own. On a new document of 20,000 elements, the query takes 2 ms. An XPath that looks for the hyphen takes
 * up to 8 ms.
 */
const POSSIBLE_HOST =
  'span, div, p, :not(td, a, tr, li, code, b, i, em, strong, th, dd, dt, input, button, label, option, img, br, ul, ol, dl, ' +
  'table, tbody, thead, tfoot, caption, col, colgroup, path, g, rect, circle, line, text, tspan, use, svg, pre, tt, sup, sub, ' +
  'small, kbd, var, u, s, font, select, textarea, form, fieldset, legend, meta, link, script, style, title, html, head, hr, ' +
  'canvas, figure)';

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
