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

/** Smaller gaps, in CSS pixels, are ignored. 48 is the height of two lines of text. */
const LEAST_GAP = 48;
/** Maximum number of ancestors to observe. */
const WATCHED_PARTS = 60;

/**
 * Detects content that is still loading after an action: content near its element was removed and not replaced, or the
 * page shows a loading indicator. Views that load in parts can look like that even when nothing is left to load; for
 * example, React waits 300 ms between two states of a view.
 */
export class GapObserver {
  /** The ancestors of the element with their heights before the action. */
  readonly #heights = new Map<Node, number>();
  readonly #emptied = new Set<Element>();
  readonly #signs = new Set<Element>();

  constructor(target: Element | null) {
    let node = target && composedParent(target);
    for (; node && this.#heights.size < WATCHED_PARTS; node = composedParent(node))
      this.#heights.set(node, boundsOf(node).height);
  }

  /** Records the loading indicators in an added subtree. */
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

  /** True if content is currently missing or loading. */
  isOpen(): boolean {
    return [...this.#signs].some(isLoadingSign) || [...this.#emptied].some((part) => this.#isGap(part));
  }

  /** Loading indicators that appeared since the watch began. */
  get signs(): readonly Element[] {
    return [...this.#signs];
  }

  // The removal of an overlay leaves no gap. A container may keep its height although it is empty and waits for
  // content.
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

/** True if the parent still has a similar child. Then a list item was probably removed for good. */
function hasAlikeIn(parent: Element, removed: Node): boolean {
  if (!(removed instanceof Element)) return true;
  const kind = kindOf(removed);
  return childrenOf(parent).some((child) => kindOf(child) === kind);
}

function kindOf(element: Element): string {
  return `${localNameOf(element)}.${attributeOf(element, 'class')}`;
}
