import { flatParent } from '../../tree/composed-tree.ts';
import { dependOn, measured, reportChange } from '../../dependencies.ts';
import type { DelegatedElements, ListenerUse } from '../../cdp-facts.ts';
import {
  boundsOf,
  childrenOf,
  elementCountOf,
  hasAttribute,
  isConnected,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  renderedTextOf,
  textContentOf,
} from '../../native.ts';
import { memoised } from '../../memo.ts';
import { hasRef } from '../../refs.ts';
import { styleOf } from '../../styles/computed-style.ts';
import { isHand } from '../../styles/noted-rules.ts';
import { areaOf, intersectionOf } from '../visibility/boxes/sides.ts';
import { isEmptyDivider } from './dividers.ts';
import { hasOwnText } from './requested-kinds.ts';
import { servedItems } from './served-items.ts';

/** Listeners of the elements themselves. */
const ownUses = new WeakMap<Element, ListenerUse>();
/** Elements with click handlers that a framework delegates. */
const delegatedClicks = new WeakSet<Element>();

function useOf(element: Element): ListenerUse | undefined {
  return ownUses.get(element) ?? (delegatedClicks.has(element) ? 'click' : undefined);
}

const CLICKED: ReadonlySet<ListenerUse | undefined> = new Set(['click', 'press and click', 'double click'] as const);

/**
 * Stores elements with event listeners that CDP reported. Returns true if one of them is connected and has no ref, so
 * the next snapshot may differ.
 */
export function noteListeners(
  uses: readonly ListenerUse[],
  delegated: DelegatedElements,
  ...elements: readonly unknown[]
): boolean {
  let hasNewUse = false;
  const note = (element: Element, store: () => void): void => {
    const before = useOf(element);
    store();
    if (useOf(element) === before) return;
    reportChange(element);
    hasNewUse ||= isConnected(element) && !hasRef(element);
  };
  elements.forEach((element, index) => {
    const use = uses[index];
    if (element instanceof Element && use !== undefined) note(element, () => ownUses.set(element, use));
  });
  for (const element of delegatedElements(delegated)) note(element, () => delegatedClicks.add(element));
  return hasNewUse;
}

/** Call for elements whose event listeners were removed. */
export function forgetListeners(...elements: readonly unknown[]): void {
  for (const element of elements) if (element instanceof Element && ownUses.delete(element)) reportChange(element);
}

// If the number of elements changed, the indexes are invalid.
function delegatedElements({ elementCount, indexes }: DelegatedElements): Element[] {
  if (indexes.length === 0 || elementCountOf(document) !== elementCount) return [];
  const all = Document.prototype.getElementsByTagName.call(document, '*');
  return indexes.flatMap((index) => all[index] ?? []);
}

/** True if the page is known to listen for clicks, presses or drops on the element. */
export function isListenedTo(element: Element): boolean {
  return useOf(element) !== undefined;
}

/** True if the page is known to listen for clicks or presses on the element. */
export function listensToPointer(element: Element): boolean {
  const use = useOf(element);
  return CLICKED.has(use) || use === 'press';
}

/** True if the page is known to listen for presses on the element or an ancestor inside the body. */
export function takesPress(element: Element): boolean {
  for (let ancestor: Element | null = element; ancestor; ancestor = flatParent(ancestor)) {
    const use = useOf(ancestor);
    if (use !== undefined && use.startsWith('press') && !PAGE_TAGS.has(localNameOf(ancestor))) return true;
  }
  return false;
}

/** True if an element without its own listener reacts through that of a container, such as the root of a tree. */
export function reactsThroughContainer(element: Element): boolean {
  if (isListenedTo(element)) return false;
  for (let node = flatParent(element); node && !PAGE_TAGS.has(localNameOf(node)); node = flatParent(node))
    if (listensToPointer(node) && !listensForItself(node)) return true;
  return false;
}

/** True if the page is known to listen for drops on the element, for example of files. */
export function listensForDrops(element: Element): boolean {
  return useOf(element) === 'drop' && !PAGE_TAGS.has(localNameOf(element));
}

const PAGE_TAGS: ReadonlySet<string> = new Set(['body', 'html']);
/** With more descendants, or a larger fraction of the viewport, the listener is assumed to be for descendants. */
const MAX_ELEMENTS = 40;
const LARGEST_SHARE = 0.25;

/**
 * True if the listener seems to be for the element itself. A listener on the page, a list or a board is usually for the
 * items.
 */
export function listensForItself(element: Element): boolean {
  const use = useOf(element);
  if (!listensToPointer(element) || PAGE_TAGS.has(localNameOf(element))) return false;
  if (use === 'click' && isEmptyDivider(element) && isBesideListening(element)) return false;
  if (isFilledByDrawing(element) && itemsServedBy(element) === null) return true;
  const count = elementCountOf(element);
  const isEmpty = count === 0 && compactText(element) === '';
  // Lists and boards listen for presses to drag their items, even while they are empty.
  if (use === 'press') return isRail(element) || (itemsServedBy(element) === null && takesPressItself(element));
  if (isEmpty) return true;
  return count <= MAX_ELEMENTS && itemsServedBy(element) === null && !isLarge(element) && !holdsOnlyControls(element);
}

const CONTROLS = [
  'a[href], button, summary',
  ...['button', 'link', 'menuitem', 'option', 'radio', 'tab', 'treeitem'].map((role) => `[role="${role}"]`),
].join();

/** True for a toolbar, a list of tabs or the like: each child is a control, by its tag, its role or only its cursor. */
function holdsOnlyControls(element: Element): boolean {
  const children = childrenOf(element);
  if (children.length < 2 || hasOwnText(element) || isHand(styleOf(element).cursor)) return false;
  return children.every((child) => matches(child, CONTROLS) || isHand(styleOf(child).cursor));
}

/** True for a sibling of elements that listen, too. Some menus add the same listener to all children. */
function isBesideListening(element: Element): boolean {
  const parent = parentElementOf(element);
  if (parent) dependOn(parent);
  return parent !== null && childrenOf(parent).some((sibling) => sibling !== element && listensToPointer(sibling));
}

function takesPressItself(element: Element): boolean {
  if (compactText(element) !== '') return elementCountOf(element) === 0 || isPlacedTile(element);
  if (element instanceof HTMLCanvasElement || element instanceof SVGElement) return true;
  return isHandle(element) || isPressedSurface(element);
}

/** True for one of several placed boxes that users drag, such as the tiles of a dashboard. Their parents may be placed. */
function isPlacedTile(element: Element): boolean {
  if (elementCountOf(element) > MAX_ELEMENTS || isLarge(element)) return false;
  const parent = parentElementOf(element);
  const box = [element, parent].find((one) => one !== null && getComputedStyle(one).position === 'absolute');
  const board = box && parentElementOf(box);
  if (!board) return false;
  dependOn(board);
  return listeningBoxesIn(board).some((other) => other !== box);
}

// Asked about a board for each element in its tiles.
const listeningBoxesIn = memoised((board: Element): readonly Element[] =>
  childrenOf(board).filter((box) => [box, ...childrenOf(box)].some(listensToPointer)),
);

/**
 * Returns the elements that a listener on the element is for, such as the items of a sortable list. `null` if that is
 * the element itself, or unknown.
 */
export function itemsServedBy(element: Element): ReadonlySet<Element> | null {
  return isListenedTo(element) ? knownItemsServedBy(element) : null;
}

const knownItemsServedBy = memoised((element: Element): ReadonlySet<Element> | null => {
  const use = useOf(element);
  if (use === undefined || !listensToPointer(element) || PAGE_TAGS.has(localNameOf(element))) return null;
  const items = servedItems({ element, use, isListening: listensToPointer });
  return items && new Set(items);
});

function isLarge(element: Element): boolean {
  return measured(element, exceedsShare);
}

function exceedsShare(element: Element): boolean {
  return areaOf(boundsOf(element)) > innerWidth * innerHeight * LARGEST_SHARE;
}

/** Maximum descendants of a handle, and its maximum size on the shorter side in CSS pixels unless it is positioned. */
const HANDLE = { elements: 5, width: 16 };

/** True for a small box that users may drag, such as a splitter between two panes or the knob of a color picker. */
function isHandle(element: Element): boolean {
  if (elementCountOf(element) > HANDLE.elements || isLarge(element)) return false;
  if (measured(element, isThin)) return true;
  const { position } = getComputedStyle(element);
  return position === 'absolute' || position === 'fixed';
}

/** Maximum descendants of a surface such as a color wheel, and the maximum size of its knob in CSS pixels. */
const SURFACE = { elements: 12, knob: 40 };

/**
 * True for a painted box without text in which users press a point, such as a color wheel or the track of a slider: it
 * has a gradient, or a small positioned knob. An empty list has neither.
 */
export function isPressedSurface(element: Element): boolean {
  if (!isPressedOnly(element) || elementCountOf(element) > SURFACE.elements || isLarge(element)) return false;
  if (compactText(element) !== '' || measured(element, isThin)) return false;
  return hasGradient(element) || queryAll(element, '*').some(isKnob);
}

function isPressedOnly(element: Element): boolean {
  return useOf(element) === 'press' && element instanceof HTMLElement && !PAGE_TAGS.has(localNameOf(element));
}

function hasGradient(element: Element): boolean {
  return getComputedStyle(element).backgroundImage.includes('gradient(');
}

function isKnob(element: Element): boolean {
  return getComputedStyle(element).position === 'absolute' && measured(element, hasKnobSize);
}

function hasKnobSize(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return Math.min(width, height) > 0 && Math.max(width, height) <= SURFACE.knob;
}

function isThin(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return Math.min(width, height) <= HANDLE.width;
}

/** Selectors of slider thumbs. A thumb without a role has an inline position in the rail. */
const THUMBS =
  '[role="slider"], input[type="range" i], [tabindex]:is([style*="left:"], [style*="right:"], [style*="top:"], [style*="bottom:"])';

/** True for the rail of a slider or scroll bar: it contains thumbs, and no text outside them. */
export function isRail(element: Element): boolean {
  const thumbs = queryAll(element, THUMBS);
  if (thumbs.length === 0) return compactText(element) === '' && childrenOf(element).some(isPressedHandle);
  return compactText(element) === thumbs.map(compactText).join('');
}

function isPressedHandle(element: Element): boolean {
  return useOf(element)?.startsWith('press') === true && isHandle(element);
}

function compactText(element: Element): string {
  return (textContentOf(element) ?? '').replace(/\s+/g, '');
}

/** With less of its area under a drawing, a container may have other content. */
const DRAWING_SHARE = 0.9;
/** Maximum characters beside a drawing, not counting controls and spaces: the attribution of a map, for example. */
const MAX_DRAWING_TEXT = 60;

/**
 * True for the container of a graph, map or chart that libraries draw on a canvas or as SVG, where the container listens,
 * and for a layer over such a drawing.
 */
export function isFilledByDrawing(element: Element): boolean {
  return listensToPointer(element) && drawingsAround(element).length > 0 && measured(element, showsDrawing);
}

// Asked about a container for each element in it.
const drawingsAround = memoised((element: Element): readonly Element[] => {
  const inside = queryAll(element, 'canvas, svg');
  const parent = inside.length > 0 ? null : flatParent(element);
  return parent ? drawingsAmongChildren(parent) : inside;
});

const drawingsAmongChildren = memoised((parent: Element): readonly Element[] =>
  childrenOf(parent).filter((child) => child instanceof HTMLCanvasElement || child instanceof SVGSVGElement),
);

function showsDrawing(element: Element): boolean {
  const box = boundsOf(element);
  const isFilled = drawingsAround(element).some((drawing) => {
    const shared = intersectionOf(boundsOf(drawing), box);
    return shared.right > shared.left && areaOf(shared) >= areaOf(box) * DRAWING_SHARE;
  });
  if (!isFilled) return false;
  const parts = queryAll(element, PARTS_OF_DRAWING).reduce((sum, part) => sum + visibleLength(part), 0);
  return visibleLength(element) - parts <= MAX_DRAWING_TEXT;
}

const PARTS_OF_DRAWING = 'a[href], button, svg';

function visibleLength(element: Element): number {
  return renderedTextOf(element).replace(/\s+/g, '').length;
}

const handlerAttributes = [
  'onclick',
  'onmousedown',
  'onmouseup',
  'onpointerdown',
  'onpointerup',
  'ondblclick',
] as const;

/** True if the element has a mouse handler attribute such as `onclick`. */
export function hasHandler(element: Element): boolean {
  for (const name of handlerAttributes) if (hasAttribute(element, name)) return true;
  return false;
}
