import { hasAttribute } from '../native.ts';

/**
 * Display by tag, for tags that the browser's style sheet styles the same whatever their attributes and that cannot host a shadow root.
 * `''` if the display varies.
 */
const displayByTag: ReadonlyMap<string, string> = new Map([
  ...tagsOf(
    'inline',
    'a abbr b bdi bdo big br cite code del dfn em i ins kbd label mark nobr s samp small strike strong sub sup time tt u var wbr',
  ),
  ...tagsOf('block', 'address center dd dl dt figcaption figure hgroup menu ol pre search ul'),
  ...tagsOf('table-cell', 'td th'),
  ['button', 'inline-block'],
  ['input', ''],
  ['li', 'list-item'],
  ['table', 'table'],
  ['tbody', 'table-row-group'],
  ['tfoot', 'table-footer-group'],
  ['thead', 'table-header-group'],
  ['tr', 'table-row'],
]);

const tagsWithOwnCursor: ReadonlySet<string> = new Set(['button', 'input', 'label']);

/** Tables in quirks mode do not inherit color; `small`, `sub` and `sup` have a smaller font. */
const tagsWithOwnInk: ReadonlySet<string> = new Set(['mark', 'small', 'sub', 'sup', 'table']);
const tagsWithOwnPaper: ReadonlySet<string> = new Set(['tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);

/** Display values that do not change the display of child elements. */
const ordinaryDisplays: ReadonlySet<string> = new Set(['flow-root', ...displayByTag.values()]);

/** True if the browser's style sheet neither hides, positions nor clips elements with this tag. */
export function isPlainTag(tag: string): boolean {
  return displayByTag.has(tag);
}

/** Returns the browser's default display of a plain tag; `''` if it varies. */
export function plainDisplay(tag: string): string {
  return displayByTag.get(tag) ?? '';
}

/** True if children of a box with this display keep their own display. */
export function keepsDisplayOfChildren(display: string): boolean {
  return ordinaryDisplays.has(display);
}

/** True if the browser gives elements of this plain tag a cursor other than a pointer. */
export function hasOwnCursor(tag: string): boolean {
  return tagsWithOwnCursor.has(tag);
}

/** True if an element of a plain tag may have a font or background that comes neither from its parent nor from a page rule. */
export function mayHaveOwnInk(element: Element, tag: string): boolean {
  return tagsWithOwnInk.has(tag) || (tagsWithOwnPaper.has(tag) && hasAttribute(element, 'bgcolor'));
}

function tagsOf(display: string, tags: string): [tag: string, display: string][] {
  return tags.split(' ').map((tag) => [tag, display]);
}
