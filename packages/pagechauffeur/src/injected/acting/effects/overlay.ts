import { composedParent } from '../../tree/composed-tree.ts';
import { isFocusable } from '../../element/controls.ts';
import {
  attributeOf,
  boundsOf,
  childrenOf,
  isConnected,
  localNameOf,
  parentElementOf,
  queryAll,
} from '../../native.ts';
import { elementsAtPoint, treeScopeOf } from '../../native-document.ts';
import { isVisible } from '../../element/visibility.ts';
import { insideViewport, pointAt } from '../point/geometry.ts';

/** Points to test inside the element, as fractions of its width and height. */
const SAMPLE_POINTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
];

/**
 * True if an element that appeared looks like a menu or panel: positioned over other content, with a control in it.
 * `part` is the outermost element that appeared with it. Positioned views, rows and widgets that cover only their
 * container do not count.
 */
export function isOverlay(element: Element, part: Element): boolean {
  if (!isConnected(element) || !isVisible(element) || !isOutOfFlow(element)) return false;
  if (![element, ...queryAll(element, '*')].some(isFocusable)) return false;
  if (part !== element) return !isWithin(element, part);
  const parent = composedParent(element);
  if (parent === null || coversOthers(element)) return true;
  const isTopLevel = ['body', 'html'].includes(localNameOf(parent));
  return isTopLevel || !isWithin(element, parent) || !isPlacedContent(element, parent);
}

function isOutOfFlow(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'absolute';
}

/** Half of the element is enough: the close button of a card may extend beyond its corner. */
function isWithin(element: Element, container: Element): boolean {
  const [inner, outer] = [boundsOf(element), boundsOf(container)];
  const across = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const down = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return across >= 0 && down >= 0 && across * down * 2 >= inner.width * inner.height;
}

/** Checks a few points of the element. Its ancestors do not count as covered content. */
function coversOthers(element: Element): boolean {
  const box = insideViewport(boundsOf(element));
  const scope = treeScopeOf(element);
  if (box === null || scope === null) return false;
  return SAMPLE_POINTS.some(([across, down]) => {
    const { x, y } = pointAt(box, across, down);
    const beneath = elementsAtPoint(scope, x, y).find((other) => !isInside(other, element));
    return beneath !== undefined && !isInside(element, beneath);
  });
}

function isInside(element: Element, container: Element): boolean {
  for (let node: Element | null = element; node; node = composedParent(node)) if (node === container) return true;
  return false;
}

/** True if the container positions all its other children, or one with the same tag. */
function isPlacedContent(element: Element, container: Element): boolean {
  const siblings = childrenOf(container).filter((child) => child !== element);
  const tag = localNameOf(element);
  return siblings.every(isOutOfFlow) || siblings.some((child) => localNameOf(child) === tag && isOutOfFlow(child));
}

const MAX_DESCENDANTS = 300;
/** Class names that show or hide an element end with one of these words. */
const SHOWING =
  /(?:^|[-_])(?:open|opened|opening|show|shown|showing|showed|active|visible|expanded|displayed|enter|in|on|block|flex)$/i;
const HIDING =
  /(?:^|[-_])(?:hidden|hide|hiding|closed|closing|close|collapsed?|invisible|inactive|none|leave|out|off)$/i;
const HIDDEN_STYLE = /(?:display:\s*none|visibility:\s*hidden|opacity:\s*0(?:[;\s]|$)|scale\(0)/i;
const HIDDEN_STATES: ReadonlySet<string | null> = new Set(['closed', 'false', 'hidden', 'collapsed']);
const STATE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'data-state',
  'data-open',
  'data-show',
  'data-visible',
  'data-expanded',
  'open',
]);

/** Returns the overlay that an attribute change revealed, for example through a class or `style`. */
export function revealedBy(element: Element, before: ReadonlyMap<string, string | null>): Element | null {
  if (['html', 'body'].includes(localNameOf(element)) || !shows(element, before)) return null;
  return overlayIn([element]) ?? null;
}

/** Returns the first overlay in elements that became visible during the action. */
export function overlayIn(parts: readonly Element[]): Element | undefined {
  for (const part of parts)
    for (const element of [part, ...queryAll(part, '*').slice(0, MAX_DESCENDANTS)])
      if (isOverlay(element, part)) return element;
  return undefined;
}

function shows(element: Element, before: ReadonlyMap<string, string | null>): boolean {
  for (const [name, old] of before) {
    const now = attributeOf(element, name);
    if (name === 'hidden' && old !== null && now === null) return true;
    if (name === 'style' && HIDDEN_STYLE.test(old ?? '') && !HIDDEN_STYLE.test(now ?? '')) return true;
    if (name === 'class' && hasShowingClass(old ?? '', now ?? '')) return true;
    if (name === 'style' && old === null && now !== null && /display:\s*(?!none)\w/.test(now)) return true;
    if (
      STATE_ATTRIBUTES.has(name) &&
      (old === null || HIDDEN_STATES.has(old)) &&
      now !== null &&
      !HIDDEN_STATES.has(now)
    )
      return true;
  }
  return false;
}

function hasShowingClass(old: string, now: string): boolean {
  const [before, after] = [new Set(old.split(/\s+/)), new Set(now.split(/\s+/))];
  return (
    [...after].some((word) => !before.has(word) && SHOWING.test(word)) ||
    [...before].some((word) => !after.has(word) && HIDING.test(word))
  );
}

const MAX_REMOVED = 200;

/** Remembers removed elements. A new element of the same kind in the same parent is new content, not a popup. */
export class Replaced {
  readonly #removedByParent = new Map<Node, Element[]>();
  #count = 0;

  note({ target, removedNodes }: MutationRecord): void {
    for (const node of removedNodes) {
      if (!(node instanceof Element) || this.#count >= MAX_REMOVED) continue;
      this.#count += 1;
      const known = this.#removedByParent.get(target);
      if (known) known.push(node);
      else this.#removedByParent.set(target, [node]);
    }
  }

  /** True if an element of the same kind in the same parent was removed, or hidden by an attribute change. */
  isReplacedBy(element: Element, changed: ReadonlySet<Element>): boolean {
    const parent = parentElementOf(element);
    if (parent === null) return false;
    const removed = this.#removedByParent.get(parent) ?? [];
    if (removed.some((other) => isSameKind(other, element))) return true;
    return childrenOf(parent).some((other) => changed.has(other) && isSameKind(other, element) && !isVisible(other));
  }
}

/** True for the same tag and a common class. Two elements without classes match, too. */
function isSameKind(one: Element, other: Element): boolean {
  if (localNameOf(one) !== localNameOf(other)) return false;
  const [classes, otherClasses] = [classesOf(one), classesOf(other)];
  if (classes.length === 0 || otherClasses.length === 0) return classes.length === otherClasses.length;
  return classes.some((name) => otherClasses.includes(name));
}

function classesOf(element: Element): string[] {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}
