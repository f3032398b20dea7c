import { flatParent } from '../composed-tree.ts';
import type { DelegatedElements, ListenerUse } from '../contract.ts';
import {
  attributeOf,
  boundsOf,
  childrenOf,
  elementCountOf,
  isConnected,
  localNameOf,
  queryAll,
  textContentOf,
} from '../native.ts';
import { hasRef } from '../refs.ts';

const usesByElement = new WeakMap<Element, ListenerUse>();
const CLICKED: ReadonlySet<ListenerUse | undefined> = new Set(['click', 'press and click'] as const);

/**
 * Stores the elements with event listeners that the browser reported. Returns true if the next snapshot will differ; elements that already
 * have a ref do not change it.
 */
export function noteListeners(
  uses: readonly ListenerUse[],
  delegated: DelegatedElements,
  ...elements: readonly unknown[]
): boolean {
  let isNews = false;
  const note = (element: Element, use: ListenerUse): void => {
    usesByElement.set(element, use);
    isNews ||= isConnected(element) && !hasRef(element);
  };
  for (const element of delegatedElements(delegated)) note(element, 'click');
  elements.forEach((element, index) => {
    const use = uses[index];
    if (element instanceof Element && use !== undefined) note(element, use);
  });
  return isNews;
}

// The page may have changed since the indexes were read.
function delegatedElements({ elementCount, indexes }: DelegatedElements): Element[] {
  if (indexes.length === 0 || elementCountOf(document) !== elementCount) return [];
  const all = Document.prototype.getElementsByTagName.call(document, '*');
  return indexes.flatMap((index) => all[index] ?? []);
}

/** True if the page is known to listen for clicks or presses on the element. */
export function listensToPointer(element: Element): boolean {
  const use = usesByElement.get(element);
  return CLICKED.has(use) || use === 'press';
}

/** True if the page is known to listen for presses on the element or on one around it, apart from the page as a whole. */
export function takesPress(element: Element): boolean {
  for (let around: Element | null = element; around; around = flatParent(around)) {
    const use = usesByElement.get(around);
    if (use !== undefined && use.startsWith('press') && !PAGE_TAGS.has(localNameOf(around))) return true;
  }
  return false;
}

/** True if the page accepts drops on the element itself, for example of files. */
export function listensForDrops(element: Element): boolean {
  return usesByElement.get(element) === 'drop' && !PAGE_TAGS.has(localNameOf(element));
}

const PAGE_TAGS: ReadonlySet<string> = new Set(['body', 'html']);
/** A click listener on an element with more elements, or on a larger share of the viewport, handles clicks for its content. */
const MOST_ELEMENTS = 40;
const LARGEST_SHARE = 0.25;

/**
 * True if the element itself is the click target. A listener on the page, a list or a board handles clicks for its items, and does not tell
 * which of them are clickable.
 */
export function listensForItself(element: Element): boolean {
  const use = usesByElement.get(element);
  if (!listensToPointer(element) || PAGE_TAGS.has(localNameOf(element))) return false;
  const count = elementCountOf(element);
  const isEmpty = count === 0 && (textContentOf(element) ?? '').trim() === '';
  // Lists and boards listen for presses to drag their items, even while they are empty.
  if (use === 'press') return count === 0 ? !isEmpty || isDrawing(element) : isRail(element);
  if (isEmpty) return true;
  if (count > MOST_ELEMENTS || listensForItems(element)) return false;
  return !isLarge(element);
}

/**
 * True if the element listens for its items, such as a sortable list for presses or a list of suggestions for clicks. The items are its
 * children, all of one kind.
 */
export function listensForItems(element: Element): boolean {
  if (!listensToPointer(element) || PAGE_TAGS.has(localNameOf(element))) return false;
  const [first, ...others] = childrenOf(element);
  if (!first || others.length === 0) return false;
  const [tag, kind] = [localNameOf(first), kindOf(first)];
  if (LAYOUT_TAGS.has(tag) || !others.every((item) => localNameOf(item) === tag)) return false;
  if (tag === 'li') return true;
  return (
    others.every((item) => kindOf(item) === kind) &&
    (usesByElement.get(element) === 'press' || (kind !== '' && !isLarge(element)))
  );
}

/** Tags of text, of tables and of the parts of a page. */
const LAYOUT_TAGS: ReadonlySet<string> = new Set(
  'article aside br footer form header main nav p section table tbody td tfoot th thead tr'.split(' '),
);

// The first class names the kind, later ones the state.
function kindOf(item: Element): string {
  return (attributeOf(item, 'class') ?? '').trim().split(/\s+/, 1)[0] ?? '';
}

function isLarge(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width * height > innerWidth * innerHeight * LARGEST_SHARE;
}

/** Thumbs of sliders. Those without a role have a place in the rail. */
const THUMBS =
  '[role="slider"], input[type="range" i], [tabindex]:is([style*="left:"], [style*="right:"], [style*="top:"], [style*="bottom:"])';

/** True for the rail of a slider: it only has a thumb that can be moved along it, and the thumb's text. */
export function isRail(element: Element): boolean {
  const thumbs = queryAll(element, THUMBS);
  return thumbs.length > 0 && wordsOf(element) === thumbs.map(wordsOf).join('');
}

function wordsOf(element: Element): string {
  return (textContentOf(element) ?? '').replace(/\s+/g, '');
}

function isDrawing(element: Element): boolean {
  return element instanceof HTMLCanvasElement || element instanceof SVGElement;
}
