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
import { isListenedTo, reactsThroughContainer } from './listened.ts';
import { hasOwnText } from './requested-kinds.ts';
import { isHand, notedRulesIn } from '../../styles/noted-rules.ts';
import { colorOf } from '../visibility/painting/color.ts';
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
export function mayHoldParts(role: string, isItem: boolean): boolean {
  return isItem || ITEM_ROLES.has(role) || role === 'treeitem';
}

function canBeExpanded(element: Element): boolean {
  return statesOf(element).some((state) => state === 'expanded' || state === 'collapsed');
}

/**
 * True for an icon or symbol in an item with other text. In a tree item, only its checkbox and the first other icon
 * count, because that one usually expands the item.
 */
export function isPartOf(item: Element, visit: Visit, itemRole: string): boolean {
  if (hasOwnCursor(item, visit)) return true;
  if (!isIcon(visit)) return false;
  if (itemRole !== 'treeitem') return (textContentOf(item) ?? '').trim() !== textOf(visit);
  if (isCheckbox(visit)) return true;
  const known = toggleOf(item);
  if (!known.isExpandable) return false;
  known.toggle ??= visit.element;
  return known.toggle === visit.element;
}

/** True for the whole content of an item, such as the icon of a star, unless it listens itself. A click on the item hits it. */
export function isFaceOfItem(item: Element, element: Element): boolean {
  if (parentElementOf(element) !== item || childrenOf(item).length > 1 || isListenedTo(element)) return false;
  if (hasOwnText(item) || firstElementOf(element) !== null) return false;
  return measured(element, isInMiddle);
}

function isInMiddle(element: Element): boolean {
  const item = parentElementOf(element);
  if (!item) return false;
  const [inner, outer] = [boundsOf(element), boundsOf(item)];
  const [x, y] = [(outer.left + outer.right) / 2, (outer.top + outer.bottom) / 2];
  return inner.left <= x && x < inner.right && inner.top <= y && y < inner.bottom;
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

const toggleOf = memoised((item: Element): { readonly isExpandable: boolean; toggle: Element | null } => ({
  isExpandable: canBeExpanded(item),
  toggle: null,
}));

function isIcon(visit: Visit): boolean {
  const { element, tag } = visit;
  if (tag !== 'svg' && firstElementOf(element) !== null) return false;
  const text = textOf(visit);
  if (text.length > MAX_SYMBOLS || /[\p{L}\p{N}]/u.test(text)) return false;
  if (!measured(element, hasIconSize)) return false;
  return text !== '' || isDrawn(visit) || isEmptyCheckbox(visit);
}

function isCheckbox(visit: Visit): boolean {
  return CHECKBOX_CLASS.test(attributeOf(visit.element, 'class') ?? '') || isEmptyCheckbox(visit);
}

const CHECKBOX_CLASS = /(?:^|[\s_-])(?:checkbox|check|chk)(?=[\s_-]|$)/i;
/** Minimum and maximum side of a checkbox that a page draws with a border, in CSS pixels. */
const CHECKBOX_SIDES = { least: 10, most: 28 };
/** Minimum value of each color channel of an unchecked box. Other boxes are status dots and color samples. */
const LIGHT = 230;

/** True for an empty square with a border, as pages draw unchecked boxes in lists and trees. */
function isEmptyCheckbox({ element, style }: Visit): boolean {
  if (BORDERS.some((border) => Number.parseFloat(style[border]) === 0)) return false;
  const [red, green, blue, alpha] = colorOf(style.backgroundColor);
  return (alpha === 0 || Math.min(red, green, blue) >= LIGHT) && measured(element, isSmallSquare);
}

const BORDERS = ['borderTopWidth', 'borderRightWidth', 'borderBottomWidth', 'borderLeftWidth'] as const;

function isSmallSquare(element: Element): boolean {
  const { width, height } = boundsOf(element);
  const { least, most } = CHECKBOX_SIDES;
  return Math.abs(width - height) <= 1 && least <= width && width <= most;
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
  return generatesSymbol(element, '::before') || generatesSymbol(element, '::after');
}

/** True if a style sheet adds a symbol or a painted box. A generated space is only an indent, as in a tree. */
function generatesSymbol(element: Element, position: '::before' | '::after'): boolean {
  const text = generatedText(element, position, 'text')?.text;
  return text !== undefined && (text === '' || text.trim() !== '');
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
