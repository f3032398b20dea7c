import type { ListenerUse } from '../contract.ts';
import { boundsOf, elementCountOf, isConnected, localNameOf, textContentOf } from '../native.ts';
import { hasRef } from '../refs.ts';

const usesByElement = new WeakMap<Element, ListenerUse>();

/**
 * Notes elements that the page's scripts listen to, as the browser told it. Returns whether this changes a snapshot:
 * elements that had a ref already stay as they are.
 */
export function noteListened(uses: readonly ListenerUse[], elements: readonly unknown[]): boolean {
  let isNews = false;
  elements.forEach((element, index) => {
    const use = uses[index];
    if (!(element instanceof Element) || use === undefined) return;
    usesByElement.set(element, use);
    isNews ||= isConnected(element) && !hasRef(element);
  });
  return isNews;
}

/** Whether the page itself lets things be dropped on an element, such as files. */
export function listensForDrops(element: Element): boolean {
  return usesByElement.get(element) === 'drop' && !PAGE_TAGS.has(localNameOf(element));
}

const PAGE_TAGS: ReadonlySet<string> = new Set(['body', 'html']);
/** A part of the page with more elements than this, or larger than this share of the viewport, listens for what is in it. */
const MOST_ELEMENTS = 40;
const LARGEST_SHARE = 0.25;

/**
 * Whether a click on an element itself is listened for. A page, a list or a board that listens does so for what it holds: which part of
 * it a click means cannot be told from the listener.
 */
export function listensForItself(element: Element): boolean {
  const use = usesByElement.get(element);
  if ((use !== 'click' && use !== 'press') || PAGE_TAGS.has(localNameOf(element))) return false;
  const count = elementCountOf(element);
  const isEmpty = count === 0 && (textContentOf(element) ?? '').trim() === '';
  // Lists and boards hear a press to drag what they hold, also while they hold nothing.
  if (use === 'press') return count === 0 && (!isEmpty || isDrawing(element));
  if (isEmpty) return true;
  if (count > MOST_ELEMENTS) return false;
  const { width, height } = boundsOf(element);
  return width * height <= innerWidth * innerHeight * LARGEST_SHARE;
}

function isDrawing(element: Element): boolean {
  return element instanceof HTMLCanvasElement || element instanceof SVGElement;
}
