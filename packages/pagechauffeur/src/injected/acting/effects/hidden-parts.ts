import { composedParent, shadowRootOf } from '../../tree/composed-tree.ts';
import { isFocusable } from '../../element/controls.ts';
import {
  boundsOf,
  checkVisibility,
  childrenOf,
  elementCountOf,
  isConnected,
  localNameOf,
  queryAll,
  renderedTextOf,
} from '../../native.ts';
import { isVisible } from '../../element/visibility.ts';
import { isBeyondScrolling } from '../point/geometry.ts';
import { changesWhatIsShown, endsByItself } from '../settling/stability.ts';

/**
 * Maximum number of elements to check near the target. Style sheets reveal elements close to the hovered, focused or
 * checked one.
 */
const MAX_CHECKED = 2000;
/** Maximum number of elements to measure near the target, which is slower than checking. */
const MAX_MEASURED = 300;
/** Elements that are not searched, because their content is not text of the page. */
const SKIPPED_TAGS: ReadonlySet<string> = new Set(
  'script style head link meta noscript template select datalist svg canvas iframe frame object embed audio video'.split(
    ' ',
  ),
);

/**
 * Remembers which elements are hidden before an action, and finds those that a style sheet revealed: by `:hover`,
 * `:focus-within`, `:checked`, `:target` or `:has()`. Such a change causes no mutation.
 */
export class HiddenParts {
  readonly #unseen: Element[] = [];
  readonly #boxless: Element[] = [];
  /** Root of the measured region; null if the search reached its limit. */
  readonly #known: Element | null;

  constructor(target: Element) {
    const measured = closestRegion(target, MAX_MEASURED);
    let count = 0;
    const waiting: { element: Element; isMeasured: boolean }[] = [
      { element: closestRegion(target, MAX_CHECKED), isMeasured: false },
    ];
    for (let next = waiting.pop(); next && count < MAX_CHECKED; next = waiting.pop(), count += 1) {
      const { element } = next;
      const isMeasured = next.isMeasured || element === measured;
      if (SKIPPED_TAGS.has(localNameOf(element)) || this.#note(element, isMeasured)) continue;
      const children = [...childrenOf(element), ...childrenOf(shadowRootOf(element) ?? NO_CHILDREN)];
      for (const child of children.toReversed()) waiting.push({ element: child, isMeasured });
    }
    this.#known = waiting.length === 0 ? measured : null;
  }

  /** False if the element was hidden or was not checked before the action. */
  wasShown(element: Element): boolean {
    const chain = selfAndAncestors(element);
    const hidden = new Set([...this.#unseen, ...this.#boxless]);
    return this.#known !== null && chain.includes(this.#known) && !chain.some((node) => hidden.has(node));
  }

  /**
   * Returns the outermost revealed elements with text or controls. Excludes those that an infinite animation or a
   * script of the page reveals without the action.
   */
  shown(background: ReadonlySet<Node>): Element[] {
    const shown = [...this.#unseen.filter(isVisible), ...this.#boxless.filter((part) => !isBoxless(part))];
    const found = new Set(shown.filter((part) => isConnected(part) && hasContent(part)));
    return [...found].filter(
      (part) =>
        !selfAndAncestors(part).some(
          (node) => (node !== part && found.has(node)) || isRevealedByPage(node, background),
        ),
    );
  }

  /** Returns true if the whole subtree is hidden and need not be searched. */
  #note(element: Element, isMeasured: boolean): boolean {
    if (checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) {
      if (!isMeasured || !isBoxless(element)) return false;
      this.#boxless.push(element);
      return true;
    }
    if (getComputedStyle(element).display === 'contents') return false;
    this.#unseen.push(element);
    // With `visibility: hidden`, descendants can still be visible.
    return !checkVisibility(element, { opacityProperty: true });
  }
}

const NO_CHILDREN: ParentNode = document.createDocumentFragment();

/** Returns the largest ancestor with at most `most` descendants, or the target itself. */
function closestRegion(target: Element, most: number): Element {
  let region = target;
  for (let node = composedParent(target); node; node = composedParent(node)) {
    if (elementCountOf(node) > most) return region;
    region = node;
  }
  return region;
}

/** True for a rendered element that clipping or a transform makes empty, or that no scrolling can reach. */
function isBoxless(element: Element): boolean {
  const { x, y, width, height } = boundsOf(element);
  if (width > 0 && height > 0) return isBeyondScrolling({ x, y, width, height });
  const { overflowX, overflowY, transform, scale } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible' || transform !== 'none' || scale !== 'none';
}

function hasContent(element: Element): boolean {
  return [element, ...queryAll(element, '*')].some(isFocusable) || renderedTextOf(element).trim() !== '';
}

function selfAndAncestors(element: Element): Element[] {
  const nodes: Element[] = [];
  for (let node: Element | null = element; node; node = composedParent(node)) nodes.push(node);
  return nodes;
}

function isRevealedByPage(element: Element, background: ReadonlySet<Node>): boolean {
  if (background.has(element)) return true;
  const animations = Element.prototype.getAnimations.call(element);
  return animations.some((animation) => !endsByItself(animation) && changesWhatIsShown(animation));
}
