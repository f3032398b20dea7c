import { shadowRootOf } from '../composed-tree.ts';
import { shadowRootsBelow } from '../composed-walk.ts';

/** Hears of mutations, and which of the added elements stand in no other one that was added: a parser adds each by itself. */
type MutationListener = (records: readonly MutationRecord[], outermost: ReadonlySet<Element>) => void;

const listeners = new Set<MutationListener>();
const observer = new MutationObserver(deliver);
const observed = new Set<Document | ShadowRoot>();

/**
 * Tells of every mutation in this document and its known shadow roots, until the answer is called. One
 * observer serves all listeners; with none it is off.
 */
export function watchMutations(listener: MutationListener): () => void {
  if (listeners.size === 0) observeShadowRoots();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    observer.disconnect();
    observed.clear();
  };
}

/** The document and its known shadow roots, as long as somebody watches. */
export function watchedRoots(): ReadonlySet<Document | ShadowRoot> {
  return observed;
}

function observeShadowRoots(): void {
  observe(document);
  for (const root of shadowRootsBelow(document)) observe(root);
}

/** Delivers what has been recorded but not told yet. */
export function flushMutations(): void {
  const records = observer.takeRecords();
  if (records.length > 0) deliver(records);
}

function observe(root: Document | ShadowRoot): void {
  if (observed.has(root)) return;
  observed.add(root);
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
    attributeOldValue: true,
    characterDataOldValue: true,
  });
}

function deliver(records: readonly MutationRecord[]): void {
  const outermost = outermostAdded(records);
  for (const element of outermost) observeBelow(element);
  for (const listener of listeners) listener(records, outermost);
}

// Who looks at all that is below each added element would look at what stands deep as often as it has parents.
function outermostAdded(records: readonly MutationRecord[]): ReadonlySet<Element> {
  const added = new Set<Node>();
  const outermost = new Set<Element>();
  for (const { target, addedNodes } of records) {
    const isInside = added.has(target);
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      added.add(node);
      // What was moved on stands in what it was added to first no more.
      if (!isInside) outermost.add(node);
    }
  }
  return outermost;
}

function observeBelow(element: Element): void {
  const ownRoot = shadowRootOf(element);
  if (ownRoot) observe(ownRoot);
  for (const root of shadowRootsBelow(element)) observe(root);
}
