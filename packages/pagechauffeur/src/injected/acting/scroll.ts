import type { ElementTarget } from '../contract.ts';
import { flatParent } from '../composed-tree.ts';
import { locate, type NotFound } from '../locate.ts';
import { visitElements } from '../composed-walk.ts';
import { clientHeightOf, clientWidthOf, documentElementOf, scrollHeightOf, scrollTopOf } from '../native.ts';
import { scrollingElement } from '../native-document.ts';

/** Scrolls an element, or the page, to a percentage of its height. */
export function scrollTo(target: ElementTarget | null, percent: number): { readonly kind: 'scrolled' } | NotFound {
  if (target === null) {
    scrollToPercent(pageScroller(), percent);
    return { kind: 'scrolled' };
  }
  const located = locate(target);
  if (located.kind === 'missing') return located.answer;
  scrollToPercent(scrollerAround(located.element) ?? pageScroller(), percent);
  return { kind: 'scrolled' };
}

/** The height of what shows a part of the element's surroundings at a time: its nearest scroller, or the viewport. */
export function pageHeightOf(element: Element): number {
  const scroller = scrollerAround(element);
  return scroller && scroller !== scrollingElement() ? clientHeightOf(scroller) : innerHeight;
}

function scrollToPercent(scroller: Element | null, percent: number): void {
  if (!scroller) return;
  const distance = scrollHeightOf(scroller) - clientHeightOf(scroller);
  const top = (distance * Math.min(100, Math.max(0, percent))) / 100;
  Reflect.apply(Element.prototype.scrollTo, scroller, [{ top, behavior: 'instant' }]);
}

/** The nearest part of the page around an element, or itself, that has more than it shows. */
export function scrollerAround(element: Element): Element | null {
  for (let node: Element | null = element; node; node = flatParent(node)) if (canScroll(node)) return node;
  return null;
}

/** Knows how far the part of the page around an element was scrolled. */
export class ScrollWatch {
  readonly #scroller: Element | null;
  readonly #top: number;

  constructor(element: Element) {
    this.#scroller = scrollerAround(element) ?? scrollingElement();
    this.#top = this.#scroller ? scrollTopOf(this.#scroller) : 0;
  }

  /** How far down it is scrolled now, in per cent; undefined if it is where it was. */
  percentIfMoved(): number | undefined {
    const scroller = this.#scroller;
    if (!scroller || Math.abs(scrollTopOf(scroller) - this.#top) < 1) return undefined;
    const distance = scrollHeightOf(scroller) - clientHeightOf(scroller);
    return distance <= 0 ? undefined : Math.min(100, Math.round((100 * scrollTopOf(scroller)) / distance));
  }
}

// Many applications keep the document fixed and scroll a part of it; the largest such part is the page then.
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
