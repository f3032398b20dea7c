import { composedParent } from '../composed-tree.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  childrenOf,
  isConnected,
  localNameOf,
  matches,
  queryAll,
  textContentOf,
} from '../native.ts';
import { isLoadingSign, LOADING } from './loading.ts';

/** A person does not notice lower gaps. In CSS pixels; 48 are two lines of text. */
const LEAST_GAP = 48;
/** Maximum number of ancestors to watch. */
const WATCHED_PARTS = 60;

/**
 * Detects whether an action left room for content that is still to come: content around its element was removed and not replaced, or an
 * element says that it is loading. Views that load in parts look like that even when nothing is left to load: React waits 300 ms between
 * two states of one.
 */
export class GapObserver {
  /** The ancestors of the element and their heights before the action. */
  readonly #heights = new Map<Node, number>();
  readonly #emptied = new Set<Element>();
  readonly #signs = new Set<Element>();

  constructor(target: Element | null) {
    let node = target && composedParent(target);
    for (; node && this.#heights.size < WATCHED_PARTS; node = composedParent(node))
      this.#heights.set(node, boundsOf(node).height);
  }

  /** Records the loading signs in an added subtree. */
  noteAdded(added: Element): void {
    if (matches(added, LOADING)) this.#signs.add(added);
    for (const sign of queryAll(added, LOADING)) this.#signs.add(sign);
  }

  note({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): void {
    if (!(target instanceof Element)) return;
    if (type === 'attributes' && attributeName === 'aria-busy') this.#signs.add(target);
    if (type !== 'childList' || !this.#heights.has(target)) return;
    if ([...addedNodes].some(hasText)) {
      this.#heights.delete(target);
      this.#emptied.delete(target);
    } else if ([...removedNodes].some((node) => hasText(node) && !hasAlikeIn(target, node))) this.#emptied.add(target);
  }

  /** True if content is missing now. */
  isOpen(): boolean {
    return [...this.#signs].some(isLoadingSign) || [...this.#emptied].some((part) => this.#isGap(part));
  }

  /** Loading signs that appeared since the watch began. */
  get signs(): readonly Element[] {
    return [...this.#signs];
  }

  // A removed overlay leaves no gap. An empty part may keep its height for content to come.
  #isGap(part: Element): boolean {
    if (!isConnected(part)) return false;
    const { height } = boundsOf(part);
    if ((this.#heights.get(part) ?? 0) - height >= LEAST_GAP) return true;
    return height >= LEAST_GAP && !hasText(part) && !childrenOf(part).some((child) => checkVisibility(child));
  }
}

function hasText(node: Node): boolean {
  return (textContentOf(node) ?? '').trim() !== '';
}

/** True if a similar child remains: a list item may be gone for good. */
function hasAlikeIn(parent: Element, removed: Node): boolean {
  if (!(removed instanceof Element)) return true;
  const kind = kindOf(removed);
  return childrenOf(parent).some((child) => kindOf(child) === kind);
}

function kindOf(element: Element): string {
  return `${localNameOf(element)}.${attributeOf(element, 'class')}`;
}
