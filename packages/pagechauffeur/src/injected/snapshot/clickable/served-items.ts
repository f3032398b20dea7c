import type { ListenerUse } from '../../cdp-facts.ts';
import { measured } from '../../dependencies.ts';
import { mayHaveGeneratedText, generatedText } from '../../aria/generated-text.ts';
import { isFocusable } from '../../element/controls.ts';
import { interactiveRoles } from '../../aria/role-names.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  childrenOf,
  contains,
  elementCountOf,
  hasAttribute,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  queryCount,
  queryFirst,
  textContentOf,
} from '../../native.ts';
import { roleOf } from '../../aria/role.ts';
import { colorOf } from '../visibility/painting/color.ts';
import { isDivider } from './dividers.ts';
import { lineNumbers } from './editor-lines.ts';
import { hasOwnText } from './requested-kinds.ts';
import { foldSpace } from '../../aria/text-builder.ts';
import { headedRows } from './headed-rows.ts';
import { isLabelledParent, kindOf, kindSelector } from './nested-items.ts';

/** An element whose listener may be for its descendants. */
interface Listening {
  readonly element: Element;
  readonly use: ListenerUse;
  /** Contains the items: the listening element, or a wrapper inside with all of its content. */
  readonly holder: Element;
  readonly isListening: (element: Element) => boolean;
}

/**
 * Maximum number of wrappers between a listener and its items, such as the track of a carousel or the spacer of a
 * virtual list.
 */
const MAX_WRAPPERS = 3;
/** Maximum descendants to search for blank boxes, and maximum clickable cells in a table. */
const MAX_SEARCHED = 600;
/** Fraction of the viewport. A larger container may be a section of the page that listens for other reasons. */
const LARGEST_SHARE = 0.25;
/** Maximum fraction of the viewport for an item in a large container, and for a blank box. */
const LARGEST_ITEM_SHARE = 0.125;
/** With a larger fraction of empty cells, as in boards and seat plans, cells are clickable instead of rows. */
const MIN_EMPTY_SHARE = 0.25;
/** Text, tables and page sections, which are not items. */
const LAYOUT_TAGS: ReadonlySet<string> = new Set(
  'article aside br footer form header main nav p section table tbody td tfoot th thead tr'.split(' '),
);
/** Selectors of elements that handle clicks without a listener on a container. */
const ACTIVE_CONTROLS =
  'a[href], button, input, select, textarea, summary, label, [contenteditable], [onclick], [role="button"], [role="link"]';
const CONTROLS = `${ACTIVE_CONTROLS}, [tabindex]`;
const FIELDS = 'input, select, textarea, button, [contenteditable]';

/**
 * Rules that find the items of a listener, most specific first. `RULES_FOR_LISTS` does not apply to focusable elements.
 */
const RULES: readonly ((listening: Listening) => readonly Element[])[] = [
  gridCells,
  tableParts,
  namedShapes,
  ({ element }) => lineNumbers(element),
  tablesOfBoxes,
  blanksAndItems,
  placedBoxes,
];
const RULES_FOR_LISTS: typeof RULES = [leaves, symbols];

/** Returns the descendants that the listener is probably for; `null` if it may be for the element itself. */
export function servedItems({ element, use, isListening }: Omit<Listening, 'holder'>): readonly Element[] | null {
  const listening = { element, use, isListening, holder: holderIn(element, isListening) };
  for (const rule of isFocusable(element) ? RULES : [...RULES, ...RULES_FOR_LISTS]) {
    const items = rule(listening).filter(isShown);
    if (items.length > 0) return items.filter((item) => !isDivider(item) && !isPanel(item) && !isBar(item, items));
  }
  return null;
}

/** True for the line under the current one of several tabs with text. */
function isBar(item: Element, [first]: readonly Element[]): boolean {
  return (
    elementCountOf(item) === 0 && textOf(item) === '' && first !== undefined && textOf(first) !== '' && isLine(item)
  );
}

/** True for an item that only holds content: the panel of a tab, or a part of an accordion with its own control. */
function isPanel(item: Element): boolean {
  return roleOf(item) === 'tabpanel' || measured(item, isHeadedByControl);
}

const DISCLOSURES = ':is(a, button, [role="button"])[aria-expanded]';
/** Minimum fraction of an item's width. A toggle in front of a label is smaller. */
const HEADER_SHARE = 0.8;

/** True if a control that expands the item is as wide as the item, and its text comes first. */
function isHeadedByControl(item: Element): boolean {
  const control = queryFirst(item, DISCLOSURES);
  if (control === null || !textOf(item).startsWith(textOf(control))) return false;
  return boundsOf(control).width >= boundsOf(item).width * HEADER_SHARE;
}

// A closed popup in the container does not say what the listener is for.
function isShown(item: Element): boolean {
  return checkVisibility(item, { visibilityProperty: true });
}

function holderIn(element: Element, isListening: (other: Element) => boolean): Element {
  let holder = element;
  for (let count = 0; count < MAX_WRAPPERS && !hasOwnText(holder); count += 1) {
    const [only, ...others] = childrenOf(holder).filter((child) => elementCountOf(child) > 0 || textOf(child) !== '');
    if (!only || others.length > 0 || isListening(only) || isItemAlone(only)) return holder;
    holder = only;
  }
  return holder;
}

/** True for the only item of a list, or the root of a tree. */
function isItemAlone(element: Element): boolean {
  const tag = localNameOf(element);
  return tag === 'li' || (!LIST_TAGS.has(tag) && kindOf(element) !== '' && isParentItem(element));
}

const LIST_TAGS: ReadonlySet<string> = new Set(['menu', 'ol', 'ul']);

function isParentItem(element: Element): boolean {
  return isLabelledParent(element, kindSelector(element));
}

/** Finds the cells of a grid, such as the days of a calendar. Skips focusable cells, as in a data grid. */
function gridCells({ element }: Listening): readonly Element[] {
  if (closestOf(element, '[role="grid"]') === null || roleOf(element) === 'row') return [];
  return queryAll(element, '[role="gridcell"]:not([tabindex])');
}

/** Finds the header cells of a header. In a table without controls, finds rows or cells. */
function tableParts({ element, use, holder }: Listening): readonly Element[] {
  const tag = localNameOf(element);
  if (tag === 'thead' || (tag === 'tr' && queryCount(element, 'td') === 0)) return queryAll(element, 'th');
  if (!(TABLE_TAGS.has(tag) || isTableOfItems(holder)) || queryCount(element, CONTROLS) > 0) return [];
  const cells = queryAll(element, 'td');
  const rows = queryAll(element, 'tr:has(> td)');
  const areTargets = use === 'double click' || (hasFreeCells(cells) && !areRecords(rows));
  if (areTargets && cells.length <= MAX_SEARCHED) return cells;
  return rows.some(isFilledRow) ? rows.filter(isFilledRow) : rows;
}

const TABLE_TAGS: ReadonlySet<string> = new Set(['table', 'tbody']);

/** True if the content of a wrapper is a table. Tables in its cells show that it only arranges them. */
function isTableOfItems(holder: Element): boolean {
  return TABLE_TAGS.has(localNameOf(holder)) && queryCount(holder, 'table') === 0;
}

function hasFreeCells(cells: readonly Element[]): boolean {
  return cells.filter((cell) => textOf(cell) === '').length > cells.length * MIN_EMPTY_SHARE;
}

function isFilledRow(row: Element): boolean {
  return textOf(row) !== '';
}

/** Minimum cells with text, and none without, that count as records even if all texts are short. */
const MIN_RECORD_CELLS = 8;

/** True for rows of text in a grid that adds spacers: cells are empty in whole columns or rows, or hardly ever. */
function areRecords(rows: readonly Element[]): boolean {
  const filled = rows.filter(isFilledRow).map((row) => childrenOf(row).map(textOf));
  const columns = filled[0]?.flatMap((_, column) => (filled.some((texts) => texts[column] !== '') ? column : [])) ?? [];
  if (filled.length < 2 || columns.length < 2) return false;
  const texts = filled.flatMap((cells) => columns.map((column) => cells[column] ?? ''));
  const emptyCount = texts.filter((text) => text === '').length;
  if (emptyCount === 0 && texts.length >= MIN_RECORD_CELLS) return true;
  return texts.some((text) => text.length > SYMBOL_LENGTH) && emptyCount <= texts.length * MIN_EMPTY_SHARE;
}

/** Finds the header cells and the rows of a table of plain boxes. In a large one, a listener may be for other parts. */
function tablesOfBoxes({ element, holder, isListening }: Listening): readonly Element[] {
  const table = headedRows(holder);
  if (!table) return [];
  const titles = table.titles.filter((title) => !isListening(title) && queryCount(title, CONTROLS) === 0);
  const isList = queryCount(element, CONTROLS) === 0;
  if (isLarger(element, LARGEST_SHARE) && !isList) return table.isSortable ? titles : [];
  return [...titles, ...table.rows];
}

/** Finds SVG shapes that the author named, such as the regions of a map. */
function namedShapes({ element, holder }: Listening): readonly Element[] {
  const drawing = [element, holder].find((one) => one instanceof SVGElement);
  if (!drawing) return [];
  const named = queryAll(drawing, SHAPES).filter(
    (shape) => isNamedShape(shape) && closestOf(shape, UNDRAWN) === null && takesPointer(shape),
  );
  const outer = new Set<Element | null>(named.map(parentElementOf));
  const innermost = named.filter((shape) => !outer.has(shape));
  return innermost.length > 1 ? innermost : [];
}

/** Finds children of one kind and blank boxes. A child with blank boxes and hardly any text is not an item. */
function blanksAndItems(listening: Listening): readonly Element[] {
  const found = blanksIn(listening);
  const blanks = found.length < MIN_BLANKS && isFocusable(listening.element) ? [] : found;
  const holders = new Set<Element | null>(blanks.map(parentElementOf));
  const items = itemsOfOneKind(listening).filter((item) => !holders.has(item) || textOf(item).length > SYMBOL_LENGTH);
  // The rows of a timeline only hold its events.
  const placed = items.some(mayHoldPlaced) ? placedBoxes(listening) : [];
  if (placed.length > 0 && items.every((item) => isLane(item, placed))) return [...placed, ...blanks];
  return [...items, ...blanks];
}

/** Minimum blank boxes in a focusable element. Fewer are usually the knob or the dots of one control. */
const MIN_BLANKS = 4;

/** Finds children of one kind, and those of the same kind inside them, as in a tree. */
function itemsOfOneKind({ element, use, holder }: Listening): readonly Element[] {
  const children = childrenOf(holder);
  const [first, ...others] = children;
  if (!first || (others.length === 0 && !isItemAlone(first))) return [];
  const [tag, kind] = [localNameOf(first), kindOf(first)];
  if (LAYOUT_TAGS.has(tag) || !others.every((item) => localNameOf(item) === tag)) return [];
  if (tag === 'li') return withNestedItems(children, holder);
  if (children.every(isLine)) return [];
  if (children.every(isRowOfSwatches)) return children.flatMap((row) => queryAll(row, FOCUSABLE_CELLS));
  if (!others.every((item) => kindOf(item) === kind) || isIconWithArrow(children)) return [];
  if (use === 'press' && holder === element) return withNestedItems(children, holder);
  if (kind === '') return [];
  const items = withNestedItems(children, holder);
  return !isLarger(element, LARGEST_SHARE) || isListOnly(element, items) ? items : [];
}

function withNestedItems(items: readonly Element[], holder: Element): readonly Element[] {
  const selector = nestedSelector(items);
  const count = queryCount(holder, selector);
  if (count <= items.length || count > MAX_SEARCHED) return items;
  const parents = items.filter((item) => isLabelledParent(item, selector));
  return [...items, ...parents.flatMap((item) => queryAll(item, selector))];
}

/** List items with different classes differ in their states, so that items inside may have yet another class. */
function nestedSelector([first, ...others]: readonly Element[]): string {
  const selector = first ? kindSelector(first) : 'li';
  const isOneKind = others.length > 0 && others.every((item) => matches(item, selector));
  return isOneKind || !first || localNameOf(first) !== 'li' ? selector : 'li';
}

/** True for the icon and the arrow of a button that opens a menu. */
function isIconWithArrow(children: readonly Element[]): boolean {
  const [icon, arrow, ...others] = children;
  if (!icon || !arrow || others.length > 0 || [icon, arrow].some((child) => textOf(child) !== '')) return false;
  return (
    queryCount(arrow, ARROW_DOWN) + Number(matches(arrow, ARROW_DOWN)) > 0 &&
    queryCount(icon, '[class*="-up"]') === 0 &&
    !matches(icon, '[class*="-up"]')
  );
}

const ARROW_DOWN = ['arrow', 'caret', 'chevron', 'angle'].map((name) => `[class*="${name}-down"]`).join();

function mayHoldPlaced(item: Element): boolean {
  return elementCountOf(item) > 0 && queryCount(item, PLACED) > 0;
}

/** True for an unpainted wrapper without text beside the placed boxes inside it. */
function isLane(item: Element, placed: readonly Element[]): boolean {
  if (placed.includes(item) || isFilled(getComputedStyle(item))) return false;
  const inside = placed.filter((box) => contains(item, box));
  return textOf(item).replace(/\s+/g, '') === inside.map(textOf).join('').replace(/\s+/g, '');
}

/** Finds positioned boxes of one class with text, such as the events of a timeline or the nodes of a diagram. */
function placedBoxes({ element, isListening }: Listening): readonly Element[] {
  const placed = queryAll(element, PLACED_STYLE).filter((box) => matches(box, PLACED) || isCustomTag(box));
  if (placed.length > MAX_SEARCHED) return [];
  const byKind = new Map<string, Element[]>();
  for (const box of placed) {
    const kind = isCustomTag(box) ? localNameOf(box) : kindOf(box);
    const isItem = kind !== '' && textOf(box) !== '' && !isListening(box) && !isInControl(box, element);
    if (!isItem || queryCount(box, FOCUSABLE_CELLS) > 0 || queryAll(box, PLACED_INSIDE).some(isAbsolute)) continue;
    const key = `${localNameOf(box)} ${kind}`;
    append(byKind, key, box);
  }
  return [...byKind.values()]
    .filter(({ length }) => length > 1)
    .flat()
    .filter((box) => measured(box, isPlacedBox));
}

function append<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

/** Inline styles with which scripts place boxes. */
const PLACED_STYLE = ':is([style*="left:"], [style*="top:"], [style*="translate"])';
const PLACED = `:is(div, span, li)${PLACED_STYLE}`;
const PLACED_INSIDE = `${PLACED}[class]`;

/** True for a tag that the page made up, such as `mind-node`. It says more than a class about the kind. */
function isCustomTag(element: Element): boolean {
  return (
    element instanceof HTMLUnknownElement || (element instanceof HTMLElement && localNameOf(element).includes('-'))
  );
}

function isPlacedBox(element: Element): boolean {
  return isAbsolute(element) && isPaintedBox(element);
}

function isAbsolute(element: Element): boolean {
  return getComputedStyle(element).position === 'absolute';
}

/** True for a row without text in which each cell can be focused, as in a palette. Only its cells react. */
function isRowOfSwatches(row: Element): boolean {
  return roleOf(row) === 'row' && textOf(row) === '' && queryCount(row, FOCUSABLE_CELLS) > 1;
}

const FOCUSABLE_CELLS = '[role="gridcell"][tabindex]';

/** True for a thin empty box, such as one of the three lines of a menu button. */
function isLine(element: Element): boolean {
  return elementCountOf(element) === 0 && textOf(element) === '' && measured(element, isBelowMinSide);
}

function isBelowMinSide(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return Math.min(width, height) < MIN_SIDE;
}

/** True if a large container has at least three items, all small or with items inside, and no controls that the listener may be for. */
function isListOnly(element: Element, items: readonly Element[]): boolean {
  return (
    items.length > 2 &&
    queryCount(element, CONTROLS) === 0 &&
    items.every((item) => !isLarger(item, LARGEST_ITEM_SHARE) || isParentItem(item))
  );
}

/**
 * Finds small empty boxes with a background, border or `::before`, such as seats, keys and swatches: at least two of a
 * kind with the same parent.
 */
function blanksIn({ element, isListening }: Listening): readonly Element[] {
  if (elementCountOf(element) > MAX_SEARCHED || interactiveRoles.has(roleOf(element))) return [];
  if (isLarger(element, LARGEST_SHARE * 2)) return [];
  const groups = new Map<Element, Map<string, Element[]>>();
  for (const blank of queryAll(element, BLANKS)) {
    const parent = parentElementOf(blank);
    if (!parent || isInControl(blank, element)) continue;
    if (isListening(blank) || (parent !== element && isListening(parent))) continue;
    const byKind = groups.get(parent) ?? new Map<string, Element[]>();
    groups.set(parent, byKind);
    const kind = `${localNameOf(blank)} ${kindOf(blank)}`;
    append(byKind, kind, blank);
  }
  const alike = [...groups.values()].flatMap((byKind) => [...byKind.values()].filter(({ length }) => length > 1));
  return alike.flat().filter(isPaintedBox);
}

/**
 * True for a control inside the listening element, and for its parts. An element that only takes the focus for its
 * content, such as a dialog or a scroll area, is no control.
 */
function isInControl(element: Element, listening: Element): boolean {
  let control = closestOf(element, CONTROLS);
  while (control !== null && control !== listening && contains(listening, control)) {
    if (matches(control, ACTIVE_CONTROLS) || !isFocusableContainer(control)) return true;
    const parent = parentElementOf(control);
    control = parent && closestOf(parent, CONTROLS);
  }
  return false;
}

// Cards and cells that can be focused have siblings that can be, too.
function isFocusableContainer(element: Element): boolean {
  if (elementCountOf(element) === 0 || interactiveRoles.has(roleOf(element))) return false;
  const parent = parentElementOf(element);
  return parent === null || childrenOf(parent).every((child) => child === element || !hasAttribute(child, 'tabindex'));
}

function closestOf(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

const BLANKS = ['div', 'span', 'i', 'b', 'u', 'em', 'li'].map((tag) => `${tag}:empty`).join();
/** In CSS pixels. Smaller boxes are lines and dots. */
const MIN_SIDE = 10;

function isPaintedBox(element: Element): boolean {
  if (measured(element, isBelowMinSide) || isLarger(element, LARGEST_ITEM_SHARE)) return false;
  const style = getComputedStyle(element);
  return (
    isFilled(style) ||
    Number.parseFloat(style.borderTopWidth) > 0 ||
    (mayHaveGeneratedText(element) && generatedText(element, '::before', 'text') !== null)
  );
}

function isFilled({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  return colorOf(backgroundColor)[3] > 0 || backgroundImage !== 'none';
}

/**
 * Finds items of one class with at most two descendants: at least three next to blank or very short elements, such as
 * the days of a month, or two next to fields, such as tags in an input.
 */
function leaves({ element, holder }: Listening): readonly Element[] {
  if (hasOwnText(holder) || isLarger(element, LARGEST_SHARE)) return [];
  const byKind = new Map<string, Element[]>();
  const others: Element[] = [];
  for (const child of childrenOf(holder)) {
    const [tag, kind] = [localNameOf(child), kindOf(child)];
    const isLeaf = kind !== '' && !LAYOUT_TAGS.has(tag) && !matches(child, FIELDS) && elementCountOf(child) <= 2;
    if (!isLeaf || textOf(child) === '') others.push(child);
    else append(byKind, `${tag} ${kind}`, child);
  }
  const [items = [], ...rest] = [...byKind.values()].toSorted((one, other) => other.length - one.length);
  const besides = [...others, ...rest.flat()];
  const isList = besides.every((other) => matches(other, FIELDS) || isBlankOrSymbol(other));
  const least = others.some((other) => matches(other, FIELDS)) ? 2 : 3;
  return isList && items.length >= least ? items : [];
}

function isBlankOrSymbol(element: Element): boolean {
  return textOf(element).length <= SYMBOL_LENGTH && elementCountOf(element) <= 2 && !matches(element, HEADINGS);
}

const HEADINGS = 'h1, h2, h3, h4, h5, h6';
/** Maximum characters of a symbol such as "★", "😀" or "7". */
const SYMBOL_LENGTH = 3;

/** Finds at least three symbols, icons or images with the same tag, such as stars, emoji or keys. */
function symbols({ element, holder }: Listening): readonly Element[] {
  const children = childrenOf(holder);
  const [first] = children;
  if (!first || children.length < 3 || hasOwnText(holder) || isLarger(element, LARGEST_SHARE)) return [];
  const tag = localNameOf(first);
  const isSymbol = (child: Element): boolean =>
    localNameOf(child) === tag && !matches(child, CONTROLS) && isSymbolOrImage(child, tag);
  return !LAYOUT_TAGS.has(tag) && children.every(isSymbol) ? children : [];
}

function isSymbolOrImage(element: Element, tag: string): boolean {
  if (tag === 'svg' || tag === 'img') return true;
  const text = textOf(element);
  return text !== '' && text.length <= SYMBOL_LENGTH && elementCountOf(element) === 0;
}

function textOf(element: Element): string {
  return (textContentOf(element) ?? '').trim();
}

function isLarger(element: Element, share: number): boolean {
  return measured(element, exceedsShare, share);
}

function exceedsShare(element: Element, share: number): boolean {
  const { width, height } = boundsOf(element);
  return width * height > innerWidth * innerHeight * share;
}

/** Selectors of SVG shapes that users may click. */
export const SHAPES = 'circle, ellipse, g, line, path, polygon, polyline, rect, use';
/** Selectors of SVG elements whose content is not rendered in place. */
const UNDRAWN = 'clipPath, defs, marker, mask, pattern, symbol';

/** True if the author names the shape with a title, a label, an id or a data attribute. */
function isNamedShape(shape: Element): boolean {
  return (
    shapeTitle(shape) !== '' ||
    Element.prototype.getAttributeNames
      .call(shape)
      .some((name) => (name === 'id' || name === 'aria-label' || name.startsWith('data-')) && attributeOf(shape, name))
  );
}

/** False if a click goes through the shape to what is under it, as with `pointer-events: none`. */
function takesPointer(shape: Element): boolean {
  if (getComputedStyle(shape).pointerEvents !== 'none') return true;
  return queryAll(shape, SHAPES).some((inner) => getComputedStyle(inner).pointerEvents !== 'none');
}

/** Returns the text of the shape's `title` element, which browsers show as a tooltip. */
function shapeTitle(shape: Element): string {
  const title = childrenOf(shape).find((child) => localNameOf(child) === 'title');
  return title ? foldSpace(textContentOf(title) ?? '') : '';
}
