import { composedParent } from '../tree/composed-tree.ts';
import { shadowRootsBelow } from '../tree/composed-walk.ts';
import { localNameOf } from '../native.ts';

/** With more mutations since the last call, later ones only say that something changed. */
const MAX_MUTATIONS = 5000;

const observer = new MutationObserver(note);
const changed = new Set<Element>();
let count = 0;
let isWatching = false;

/** Observes the document and its shadow roots. Call again to include new shadow roots. */
export function watchCustomElements(): void {
  isWatching = true;
  for (const root of [document, ...shadowRootsBelow(document)])
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

interface CustomElementChanges {
  readonly hasChanged: boolean;
  /** Custom elements that changed, or whose content changed outside of another custom element. */
  readonly elements: readonly Element[];
}

/** Returns the changes since the last call. */
export function takeCustomElementChanges(): CustomElementChanges {
  if (!isWatching) return { hasChanged: false, elements: [] };
  note(observer.takeRecords());
  const changes = { hasChanged: count > 0, elements: [...changed] };
  changed.clear();
  count = 0;
  watchCustomElements();
  return changes;
}

function note(records: readonly MutationRecord[]): void {
  count += records.length;
  if (count > MAX_MUTATIONS) {
    observer.disconnect();
    return;
  }
  for (const { target } of records) {
    const custom = customElementAround(target);
    if (custom) changed.add(custom);
  }
}

function customElementAround(target: Node): Element | null {
  let element = target instanceof Element ? target : (hostOf(target) ?? composedParent(target));
  while (element && !localNameOf(element).includes('-')) element = composedParent(element);
  return element;
}

function hostOf(node: Node): Element | null {
  return node instanceof ShadowRoot ? node.host : null;
}
