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

/** What is less high than this, in CSS pixels, leaves no gap that a person would notice: two lines. */
const LEAST_GAP = 48;
/** Parts around an element that are watched. */
const WATCHED_PARTS = 60;

/**
 * Sees whether an action has made room in the page for what is not there yet: content around its element was taken out and nothing
 * put in its place, or something says that it is loading. Views that are loaded in parts come like that, even when there is nothing
 * left to load: React puts 300 ms between two states of one.
 */
export class GapObserver {
  /** What lies around the element, and how high it was. */
  readonly #heights = new Map<Node, number>();
  readonly #emptied = new Set<Element>();
  readonly #signs = new Set<Element>();

  constructor(target: Element | null) {
    let node = target && composedParent(target);
    for (; node && this.#heights.size < WATCHED_PARTS; node = composedParent(node))
      this.#heights.set(node, boundsOf(node).height);
  }

  /** Takes note of an element that was added with all that is in it. */
  noteAdded(added: Element): void {
    if (matches(added, LOADING)) this.#signs.add(added);
    for (const sign of queryAll(added, LOADING)) this.#signs.add(sign);
  }

  /** Takes note of a mutation. */
  note({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): void {
    if (!(target instanceof Element)) return;
    if (type === 'attributes' && attributeName === 'aria-busy') this.#signs.add(target);
    if (type !== 'childList' || !this.#heights.has(target)) return;
    if ([...addedNodes].some(hasText)) {
      this.#heights.delete(target);
      this.#emptied.delete(target);
    } else if ([...removedNodes].some((node) => hasText(node) && !hasAlikeIn(target, node))) this.#emptied.add(target);
  }

  /** Whether something is missing now. */
  isOpen(): boolean {
    return [...this.#signs].some(isLoadingSign) || [...this.#emptied].some((part) => this.#isGap(part));
  }

  /** What said since the watch began that something is loading. */
  get signs(): readonly Element[] {
    return [...this.#signs];
  }

  // What lay over the page took no room in it; room may be kept for what is to come.
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

/** Of a list an item may be gone for good. */
function hasAlikeIn(parent: Element, removed: Node): boolean {
  if (!(removed instanceof Element)) return true;
  const kind = kindOf(removed);
  return childrenOf(parent).some((child) => kindOf(child) === kind);
}

function kindOf(element: Element): string {
  return `${localNameOf(element)}.${attributeOf(element, 'class')}`;
}
