import { composedParent, shadowRootOf } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import {
  boundsOf,
  checkVisibility,
  childrenOf,
  elementCountOf,
  isConnected,
  localNameOf,
  queryAll,
  renderedTextOf,
} from '../native.ts';
import { isVisible } from '../visibility.ts';
import { isBeyondScrolling } from './geometry.ts';
import { changesWhatIsShown, endsByItself } from './stability.ts';

/**
 * Maximum number of elements to check near the target. Style sheets reveal elements close to the one that is hovered,
 * focused or checked.
 */
const LOOKED_AT = 2000;
/** Maximum number of elements to measure near the target, which is slower. */
const MEASURED = 300;
/** Elements that render no text of the page. */
const SKIPPED_TAGS: ReadonlySet<string> = new Set(
  'script style head link meta noscript template select datalist svg canvas iframe frame object embed audio video'.split(
    ' ',
  ),
);

/**
 * The elements that are hidden before an action. A style sheet alone may reveal them: by `:hover`, `:focus-within`,
 * `:checked`, `:target` or `:has()`. That causes no mutation, so they are checked again after the action.
 */
export class HiddenParts {
  readonly #unseen: Element[] = [];
  readonly #boxless: Element[] = [];
  /** The element whose hidden descendants are all known; null if the search reached its limit. */
  readonly #known: Element | null;

  constructor(target: Element) {
    const measured = regionAround(target, MEASURED);
    let count = 0;
    const waiting: { element: Element; isMeasured: boolean }[] = [
      { element: regionAround(target, LOOKED_AT), isMeasured: false },
    ];
    for (let next = waiting.pop(); next && count < LOOKED_AT; next = waiting.pop(), count += 1) {
      const { element } = next;
      const isMeasured = next.isMeasured || element === measured;
      if (SKIPPED_TAGS.has(localNameOf(element)) || this.#note(element, isMeasured)) continue;
      const children = [...childrenOf(element), ...childrenOf(shadowRootOf(element) ?? NOTHING)];
      for (const child of children.toReversed()) waiting.push({ element: child, isMeasured });
    }
    this.#known = waiting.length === 0 ? measured : null;
  }

  /** True if a visible element was visible before the action; false if unknown. */
  wasShown(element: Element): boolean {
    const chain = around(element);
    const hidden = new Set([...this.#unseen, ...this.#boxless]);
    return this.#known !== null && chain.includes(this.#known) && !chain.some((node) => hidden.has(node));
  }

  /**
   * Returns the outermost revealed elements with text or controls. Excludes those that the page or an infinite
   * animation reveals by itself.
   */
  shown(background: ReadonlySet<Node>): Element[] {
    const shown = [...this.#unseen.filter(isVisible), ...this.#boxless.filter((part) => !isBoxless(part))];
    const found = new Set(shown.filter((part) => isConnected(part) && hasContent(part)));
    return [...found].filter(
      (part) => !around(part).some((node) => (node !== part && found.has(node)) || isOfItself(node, background)),
    );
  }

  /** Records the element if it is hidden. Returns true if all its content is hidden, too. */
  #note(element: Element, isMeasured: boolean): boolean {
    if (checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) {
      if (!isMeasured || !isBoxless(element)) return false;
      this.#boxless.push(element);
      return true;
    }
    if (getComputedStyle(element).display === 'contents') return false;
    this.#unseen.push(element);
    // Descendants of an element with `visibility: hidden` may be visible.
    return !checkVisibility(element, { opacityProperty: true });
  }
}

const NOTHING: ParentNode = document.createDocumentFragment();

/** Returns the largest ancestor of an element, or the element itself, with at most `most` descendants. */
function regionAround(target: Element, most: number): Element {
  let region = target;
  for (let node = composedParent(target); node; node = composedParent(node)) {
    if (elementCountOf(node) > most) return region;
    region = node;
  }
  return region;
}

/** True if a rendered element shows nothing: it is collapsed, scaled to zero, or outside the scrollable area. */
function isBoxless(element: Element): boolean {
  const { x, y, width, height } = boundsOf(element);
  if (width > 0 && height > 0) return isBeyondScrolling({ x, y, width, height });
  const { overflowX, overflowY, transform, scale } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible' || transform !== 'none' || scale !== 'none';
}

function hasContent(element: Element): boolean {
  return [element, ...queryAll(element, '*')].some(isFocusable) || renderedTextOf(element).trim() !== '';
}

function around(element: Element): Element[] {
  const nodes: Element[] = [];
  for (let node: Element | null = element; node; node = composedParent(node)) nodes.push(node);
  return nodes;
}

function isOfItself(element: Element, background: ReadonlySet<Node>): boolean {
  if (background.has(element)) return true;
  const animations = Element.prototype.getAnimations.call(element);
  return animations.some((animation) => !endsByItself(animation) && changesWhatIsShown(animation));
}
