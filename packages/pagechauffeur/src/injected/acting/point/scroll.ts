import type { ElementTarget } from '../../contract.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { locate, type NotFound } from '../../selector/locate.ts';
import { visitElements } from '../../tree/composed-walk.ts';
import { clientHeightOf, clientWidthOf, documentElementOf, scrollHeightOf, scrollTopOf } from '../../native.ts';
import { scrollingElement } from '../../native-document.ts';

/** Scrolls the nearest scroll container of the target, or the page, to `percent` of its scroll range. */
export function scrollTo(target: ElementTarget | null, percent: number): { readonly kind: 'scrolled' } | NotFound {
  if (target === null) {
    scrollToPercent(pageScroller(), percent);
    return { kind: 'scrolled' };
  }
  const located = locate(target);
  if (located.kind === 'missing') return located.answer;
  scrollToPercent(closestScroller(located.element) ?? pageScroller(), percent);
  return { kind: 'scrolled' };
}

/** Returns the height of the nearest scroll container or of the viewport, in CSS pixels. */
export function pageHeightOf(element: Element): number {
  const scroller = closestScroller(element);
  return scroller && scroller !== scrollingElement() ? clientHeightOf(scroller) : innerHeight;
}

function scrollToPercent(scroller: Element | null, percent: number): void {
  if (!scroller) return;
  const distance = scrollHeightOf(scroller) - clientHeightOf(scroller);
  const top = (distance * Math.min(100, Math.max(0, percent))) / 100;
  Reflect.apply(Element.prototype.scrollTo, scroller, [{ top, behavior: 'instant' }]);
}

/** Returns the nearest scrollable element, which may be the element itself. */
export function closestScroller(element: Element): Element | null {
  for (let node: Element | null = element; node; node = flatParent(node)) if (canScroll(node)) return node;
  return null;
}

export class ScrollWatch {
  readonly #scroller: Element | null;
  readonly #top: number;

  constructor(element: Element) {
    this.#scroller = closestScroller(element) ?? scrollingElement();
    this.#top = this.#scroller ? scrollTopOf(this.#scroller) : 0;
  }

  /** Returns the scroll position in percent; `undefined` if it did not change. */
  percentIfMoved(): number | undefined {
    const scroller = this.#scroller;
    if (!scroller || Math.abs(scrollTopOf(scroller) - this.#top) < 1) return undefined;
    const distance = scrollHeightOf(scroller) - clientHeightOf(scroller);
    return distance <= 0 ? undefined : Math.min(100, Math.round((100 * scrollTopOf(scroller)) / distance));
  }
}

// Many applications scroll a container instead of the document. The largest one counts as the page.
function pageScroller(): Element | null {
  const root = scrollingElement() ?? documentElementOf(document);
  if (root && scrollHeightOf(root) > clientHeightOf(root)) return root;
  let largest = root;
  let largestArea = 0;
  visitElements(document, (element) => {
    const area = clientWidthOf(element) * clientHeightOf(element);
    if (area > largestArea && canScroll(element)) {
      largest = element;
      largestArea = area;
    }
  });
  return largest;
}

function canScroll(element: Element): boolean {
  if (scrollHeightOf(element) <= clientHeightOf(element)) return false;
  if (element === scrollingElement()) return true;
  return /^(auto|scroll|overlay)$/.test(getComputedStyle(element).overflowY);
}
