import { generatedText, mayHaveGeneratedText } from '../../aria/generated-text.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { styleOf } from '../../styles/computed-style.ts';
import { measured } from '../../dependencies.ts';
import { isFocusable } from '../../element/controls.ts';
import { isCoordinate, statesOf } from '../../aria/states.ts';
import { memoised } from '../../memo.ts';
import {
  attributeOf,
  boundsOf,
  childrenOf,
  firstElementOf,
  hasAttribute,
  parentElementOf,
  queryAll,
  textContentOf,
} from '../../native.ts';
import { elementsInDocument } from '../../tree/document-queries.ts';
import { reactsThroughContainer } from './listened.ts';
import { isHand, notedRulesIn } from '../../styles/noted-rules.ts';
import type { Visit } from '../visit.ts';

/** In CSS pixels. Smaller elements are dots or lines, larger ones are images. */
const ICON_SIDES = { least: 4, most: 48 };
/** Maximum characters of a symbol such as "×" or "⋮⋮". */
const MAX_SYMBOLS = 3;

/** Roles of items in which an icon may have its own click handler. */
const ITEM_ROLES: ReadonlySet<string> = new Set('cell gridcell listitem row'.split(' '));

/**
 * True if icons in this actionable element may have their own click handlers. `isItem`: the listener of an ancestor is
 * for this element, or it can be dragged.
 */
export function mayHoldParts(element: Element, role: string, isItem: boolean): boolean {
  return isItem || ITEM_ROLES.has(role) || (role === 'treeitem' && canBeExpanded(element));
}

function canBeExpanded(element: Element): boolean {
  return statesOf(element).some((state) => state === 'expanded' || state === 'collapsed');
}

/**
 * True for an icon or symbol in an item with other text. In a tree item, only the first counts, because it usually
 * expands the item.
 */
export function isPartOf(item: Element, visit: Visit, itemRole: string): boolean {
  if (hasOwnCursor(item, visit)) return true;
  if (!isIcon(visit)) return false;
  if (itemRole !== 'treeitem') return (textContentOf(item) ?? '').trim() !== textOf(visit);
  const known = toggleOf(item);
  known.toggle ??= visit.element;
  return known.toggle === visit.element;
}

/**
 * True for a cell without focusable elements if the middle cell of the clickable row is focusable. A click on the row
 * would then hit the middle cell instead.
 */
export function isFreeCell(row: Element, cell: Element): boolean {
  return parentElementOf(cell) === row && measured(row, isMiddleTaken) && !holdsFocusable(cell);
}

const isMiddleTaken = memoised((row: Element): boolean => {
  const { left, width } = boundsOf(row);
  const middle = left + width / 2;
  const inMiddle = childrenOf(row).find((cell) => {
    const bounds = boundsOf(cell);
    return bounds.left <= middle && middle < bounds.right;
  });
  return inMiddle !== undefined && isFocusable(inMiddle);
});

function holdsFocusable(cell: Element): boolean {
  return isFocusable(cell) || queryAll(cell, '*').some(isFocusable);
}

/** True for an anchor that is only an icon, such as the cross of a dialog in its clickable header. */
export function isIconAnchor(visit: Visit): boolean {
  const { element, tag } = visit;
  if (tag !== 'a' || hasAttribute(element, 'href') || !visit.isPointer() || textOf(visit) !== '') return false;
  return attributeOf(element, 'class') !== null && measured(element, hasIconSize);
}

/** True for a row that the page can select, if a listener of a container may be for it. */
export function isSelectableRow({ element, isMarked }: Visit): boolean {
  return (
    isMarked &&
    attributeOf(element, 'role') === 'row' &&
    hasAttribute(element, 'aria-selected') &&
    reactsThroughContainer(element)
  );
}

/** True for a cell with its coordinates, as in a spreadsheet, whose script then handles each cell. */
export function isGridCell({ element, tag, coordinates }: Visit): boolean {
  const row = tag === 'td' && coordinates > 0 ? parentElementOf(element) : null;
  return row !== null && hasCoordinates(row);
}

const hasCoordinates = memoised((row: Element): boolean =>
  childrenOf(row).some((cell) => Element.prototype.getAttributeNames.call(cell).filter(isCoordinate).length > 1),
);

/** True for a small element with a cursor that its item lacks, such as a port of a node in a diagram. */
function hasOwnCursor(item: Element, { element, style: { cursor } }: Visit): boolean {
  if (!(cursor === 'crosshair' || cursor === 'cell' || isHand(cursor)) || cursor === styleOf(item).cursor) return false;
  const parent = flatParent(element);
  return parent !== null && cursor !== styleOf(parent).cursor && measured(element, hasIconSize);
}

const toggleOf = memoised((_item: Element): { toggle: Element | null } => ({ toggle: null }));

function isIcon(visit: Visit): boolean {
  const { element, tag } = visit;
  if (tag !== 'svg' && firstElementOf(element) !== null) return false;
  const text = textOf(visit);
  if (text.length > MAX_SYMBOLS || /[\p{L}\p{N}]/u.test(text)) return false;
  if (!measured(element, hasIconSize)) return false;
  return text !== '' || isDrawn(visit);
}

function hasIconSize(element: Element): boolean {
  const { width, height } = boundsOf(element);
  const { least, most } = ICON_SIDES;
  return Math.min(width, height) >= least && Math.max(width, height) <= most;
}

// Text in an SVG, such as its title, is part of the drawing.
function textOf({ element, tag }: Visit): string {
  return tag === 'svg' ? '' : (textContentOf(element) ?? '').trim();
}

function isDrawn({ element, tag, style }: Visit): boolean {
  if (tag === 'svg' || tag === 'img') return true;
  if (style.backgroundImage !== 'none' || style.maskImage !== 'none') return true;
  if (!mayHaveGeneratedText(element)) return false;
  return generatedText(element, '::before', 'text') !== null || generatedText(element, '::after', 'text') !== null;
}

/** True if a style sheet shows the element or one of its ancestors on hover. */
export function isRevealedByHover(element: Element): boolean {
  const revealed = revealedByHover(document);
  for (let node: Element | null = element; node && revealed.size > 0; node = flatParent(node))
    if (revealed.has(node)) return true;
  return false;
}

/** Returns the elements that get the cursor of a control on hover; `null` if there are none. */
export const elementsWithHoverCursor: (root: Document) => ReadonlySet<Element> | null = memoised((root: Document) => {
  const elements = notedRulesIn(root).pointed.flatMap(elementsInDocument);
  return elements.length > 0 ? new Set(elements) : null;
});

/** True if the element gets a cursor on hover that suggests a drag. */
export function isDraggedOnHover(element: Element): boolean {
  return draggedOnHover(document).has(element);
}

const draggedOnHover: (root: Document) => ReadonlySet<Element> = memoised(
  (root: Document) => new Set(notedRulesIn(root).dragged.flatMap(elementsInDocument)),
);

const revealedByHover: (root: Document) => ReadonlySet<Element> = memoised(
  (root: Document) => new Set(notedRulesIn(root).revealed.flatMap(elementsInDocument)),
);
