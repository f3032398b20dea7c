import { composedParent } from '../../tree/composed-tree.ts';
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
} from '../../native.ts';
import { isLoadingIndicator, LOADING } from '../settling/loading.ts';

/** Minimum height of a gap in CSS pixels: two lines of text. */
const MIN_GAP = 48;
const MAX_ANCESTORS = 60;

/**
 * Detects a view that is still loading after an action: content around the target was removed and not replaced, or a
 * loading indicator has appeared.
 */
export class GapObserver {
  /** Heights of the target's ancestors before the action, in CSS pixels. */
  readonly #heights = new Map<Node, number>();
  readonly #emptied = new Set<Element>();
  readonly #indicators = new Set<Element>();

  constructor(target: Element | null) {
    let node = target && composedParent(target);
    for (; node && this.#heights.size < MAX_ANCESTORS; node = composedParent(node))
      this.#heights.set(node, boundsOf(node).height);
  }

  noteAdded(added: Element): void {
    if (matches(added, LOADING)) this.#indicators.add(added);
    for (const indicator of queryAll(added, LOADING)) this.#indicators.add(indicator);
  }

  note({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): void {
    if (!(target instanceof Element)) return;
    if (type === 'attributes' && attributeName === 'aria-busy') this.#indicators.add(target);
    if (type !== 'childList' || !this.#heights.has(target)) return;
    if ([...addedNodes].some(hasText)) {
      this.#heights.delete(target);
      this.#emptied.delete(target);
    } else if ([...removedNodes].some((node) => hasText(node) && !hasAlikeIn(target, node))) this.#emptied.add(target);
  }

  isOpen(): boolean {
    return [...this.#indicators].some(isLoadingIndicator) || [...this.#emptied].some((part) => this.#isGap(part));
  }

  get indicators(): readonly Element[] {
    return [...this.#indicators];
  }

  // The removal of an overlay leaves no gap. A container that waits for content may keep its height.
  #isGap(part: Element): boolean {
    if (!isConnected(part)) return false;
    const { height } = boundsOf(part);
    if ((this.#heights.get(part) ?? 0) - height >= MIN_GAP) return true;
    return height >= MIN_GAP && !hasText(part) && !childrenOf(part).some((child) => checkVisibility(child));
  }
}

function hasText(node: Node): boolean {
  return (textContentOf(node) ?? '').trim() !== '';
}

/** If an element of the same kind remains, a list item was probably removed for good. */
function hasAlikeIn(parent: Element, removed: Node): boolean {
  if (!(removed instanceof Element)) return true;
  const kind = kindOf(removed);
  return childrenOf(parent).some((child) => kindOf(child) === kind);
}

function kindOf(element: Element): string {
  return `${localNameOf(element)}.${attributeOf(element, 'class')}`;
}
