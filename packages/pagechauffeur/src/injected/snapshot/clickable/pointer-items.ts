import { hasHandler } from './listened.ts';
import { memoised } from '../../memo.ts';
import { attributeOf, childrenOf, localNameOf, parentElementOf, queryCount, textContentOf } from '../../native.ts';
import { hasOwnText } from './requested-kinds.ts';

/**
 * True if an element with a pointer cursor contains click targets of one kind, such as options, rating stars or the
 * cells of a header. Each of them is a click target, even if the container has the listener.
 */
export const holdsItems: (element: Element) => boolean = memoised((element: Element) => {
  const children = childrenOf(element);
  if (children.length === 0 || hasHandler(element)) return false;
  return areItems(children) || holdsTableParts(element, children) || holdsList(children);
});

const CELL_TAGS: ReadonlySet<string> = new Set(['td', 'th']);

function areItems(children: readonly Element[]): boolean {
  const [first, ...others] = children;
  if (!first || others.length === 0) return false;
  const tag = localNameOf(first);
  if (CELL_TAGS.has(tag) || others.some((item) => localNameOf(item) !== tag)) return false;
  if (tag === 'li') return true;
  const kind = kindOf(first);
  return (kind !== '' && others.every((item) => kindOf(item) === kind)) || differInData(children);
}

/** True if each element has its own value of a data attribute, such as the stars of a rating. */
function differInData(items: readonly Element[]): boolean {
  const [first] = items;
  const names = first ? Element.prototype.getAttributeNames.call(first) : [];
  return names.some((name) => {
    if (!VALUE_ATTRIBUTE.test(name)) return false;
    const values = items.map((item) => attributeOf(item, name) ?? '');
    return !values.includes('') && new Set(values).size === values.length;
  });
}

/** Matches attributes for the value of a choice. Others, such as `data-testid`, may differ between parts of one item. */
const VALUE_ATTRIBUTE = /^data-(?:\w+-)*(?:color|date|day|idx|index|key|number|option|rate|rating|score|value)$/;

/** Matches classes for a state or a place, which one of several items has. */
const VARIANT =
  /^(?:\S*[-_])?(?:active|checked|current|disabled|even|first|focus(?:ed)?|highlight(?:ed)?|hover|last|odd|on|open|selected)$/i;
const SELECTED = /(?:^|[\s_-])(?:active|checked|current|highlighted|on|selected)(?=\s|$)/i;

/** Returns the classes of an item without those that express its state or place. */
function kindOf(item: Element): string {
  const classes = (attributeOf(item, 'class') ?? '').trim();
  if (classes === '') return '';
  const all = classes.split(/\s+/);
  const kinds = all.filter((word) => !VARIANT.test(word));
  const [first = ''] = kinds;
  const own = kinds.filter((word) => word === first || !(word.startsWith(`${first}-`) || word.startsWith(`${first}_`)));
  return own.length > 0 ? own.join(' ') : classes;
}

/** Maximum wrappers between the element with the cursor and its items. */
const MAX_WRAPPERS = 3;

/** True if a wrapper inside has items of which one is selected, or items beside a field, as in a dropdown. */
function holdsList(children: readonly Element[]): boolean {
  const hasField = children.some((child) => queryCount(child, 'input') > 0);
  return children.some((child) => holdsOptions(child, hasField));
}

function holdsOptions(wrapper: Element, isBesideField: boolean): boolean {
  let list = wrapper;
  for (let level = 0; level < MAX_WRAPPERS; level += 1) {
    const items = childrenOf(list);
    const [only] = items;
    if (only && items.length === 1) list = only;
    else if (!areItems(items) || hasHandler(list) || !items.every(hasWords)) return false;
    else return isBesideField || items.some((item) => isSelected(item) !== isSelected(items[0] ?? item));
  }
  return false;
}

function isSelected(item: Element): boolean {
  return SELECTED.test(attributeOf(item, 'class') ?? '');
}

function hasWords(element: Element): boolean {
  return /[\p{L}\p{N}]/u.test(textContentOf(element) ?? '');
}

/**
 * True for a table with several rows of text, for a header with several cells, and for a cell in the header that
 * contains several texts, such as the month and the year of a calendar.
 */
function holdsTableParts(element: Element, children: readonly Element[]): boolean {
  switch (localNameOf(element)) {
    case 'table':
      return children.some((part) => localNameOf(part) === 'thead' || holdsRows(childrenOf(part)));
    case 'tbody':
      return holdsRows(children);
    case 'thead':
      return children.some((row) => childrenOf(row).length > 1);
    case 'tr':
      return children.length > 1 && (isInHeader(element) || children.every((cell) => localNameOf(cell) === 'th'));
    case 'td':
      return children.length > 1 && isInHeader(parentElementOf(element)) && hasSeveralTexts(element, children);
    default:
      return false;
  }
}

function holdsRows(rows: readonly Element[]): boolean {
  return rows.filter((row) => localNameOf(row) === 'tr' && hasWords(row)).length > 1;
}

function isInHeader(row: Element | null): boolean {
  const parent = row && parentElementOf(row);
  return parent !== null && localNameOf(parent) === 'thead';
}

function hasSeveralTexts(cell: Element, children: readonly Element[]): boolean {
  return !hasOwnText(cell) && children.every(hasWords);
}
