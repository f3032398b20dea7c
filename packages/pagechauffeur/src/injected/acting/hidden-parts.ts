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

/** Elements around the target that are looked at. What a style sheet shows on hover, focus or check is near it. */
const LOOKED_AT = 2000;
/** Elements around the target whose boxes are looked at too, which takes longer. */
const MEASURED = 300;
/** What shows nothing, shows only what the browser draws, or holds parts that are no text. */
const SKIPPED_TAGS: ReadonlySet<string> = new Set(
  'script style head link meta noscript template select datalist svg canvas iframe frame object embed audio video'.split(
    ' ',
  ),
);

/**
 * The parts of the page that cannot be seen before an action. A style sheet alone may show them: by `:hover`, `:focus-within`,
 * `:checked`, `:target` or `:has()`. No mutation tells of that, so they are looked at again afterwards.
 */
export class HiddenParts {
  readonly #unseen: Element[] = [];
  readonly #boxless: Element[] = [];
  /** Where nothing that was hidden escaped notice. */
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

  /** Whether an element that can be seen now could be seen before, too; false where that is not known. */
  wasShown(element: Element): boolean {
    const chain = around(element);
    const hidden = new Set([...this.#unseen, ...this.#boxless]);
    return this.#known !== null && chain.includes(this.#known) && !chain.some((node) => hidden.has(node));
  }

  /** The outermost parts with text or controls that can be seen now; not those that a change of the page's own shows, or an endless animation. */
  shown(background: ReadonlySet<Node>): Element[] {
    const shown = [...this.#unseen.filter(isVisible), ...this.#boxless.filter((part) => !isBoxless(part))];
    const found = new Set(shown.filter((part) => isConnected(part) && hasContent(part)));
    return [...found].filter(
      (part) => !around(part).some((node) => (node !== part && found.has(node)) || isOfItself(node, background)),
    );
  }

  /** Notes the element if it is hidden; true if nothing in it can be seen either. */
  #note(element: Element, isMeasured: boolean): boolean {
    if (checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) {
      if (!isMeasured || !isBoxless(element)) return false;
      this.#boxless.push(element);
      return true;
    }
    if (getComputedStyle(element).display === 'contents') return false;
    this.#unseen.push(element);
    // What is in an element that is not `visible` may be.
    return !checkVisibility(element, { opacityProperty: true });
  }
}

const NOTHING: ParentNode = document.createDocumentFragment();

/** The largest part of the page around an element that has at most so many elements. */
function regionAround(target: Element, most: number): Element {
  let region = target;
  for (let node = composedParent(target); node; node = composedParent(node)) {
    if (elementCountOf(node) > most) return region;
    region = node;
  }
  return region;
}

/** Whether nothing of a rendered element shows: it is folded to nothing, scaled to nothing, or lies where no scrolling leads. */
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
