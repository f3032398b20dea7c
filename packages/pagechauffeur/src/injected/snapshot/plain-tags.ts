import { hasAttribute } from '../native.ts';

/**
 * Tags of which the browser's own style sheet makes the same whatever their attributes, and that no shadow root can
 * hang on, with their display; `''` where that depends.
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

/** In old documents tables take their colour from further up; some letters are smaller than those around them. */
const tagsWithOwnInk: ReadonlySet<string> = new Set(['mark', 'small', 'sub', 'sup', 'table']);
const tagsWithOwnPaper: ReadonlySet<string> = new Set(['tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);

/** Displays of boxes that leave the display of their children alone. */
const ordinaryDisplays: ReadonlySet<string> = new Set(['flow-root', ...displayByTag.values()]);

/** Whether the browser's own style sheet neither hides elements of this tag nor places them, nor clips the text in them. */
export function isPlainTag(tag: string): boolean {
  return displayByTag.has(tag);
}

/** The display that the browser's own style sheet gives to elements of a plain tag; `''` when it depends. */
export function plainDisplay(tag: string): string {
  return displayByTag.get(tag) ?? '';
}

/** Whether children of a box of this display keep the display that they would have anywhere. */
export function keepsDisplayOfChildren(display: string): boolean {
  return ordinaryDisplays.has(display);
}

/** Whether elements of a plain tag have a cursor of their own that is no hand. */
export function hasOwnCursor(tag: string): boolean {
  return tagsWithOwnCursor.has(tag);
}

/** Whether an element of a plain tag may have letters or a background in a colour that neither its parent nor a rule of the page gives it. */
export function mayHaveOwnInk(element: Element, tag: string): boolean {
  return tagsWithOwnInk.has(tag) || (tagsWithOwnPaper.has(tag) && hasAttribute(element, 'bgcolor'));
}

function tagsOf(display: string, tags: string): [tag: string, display: string][] {
  return tags.split(' ').map((tag) => [tag, display]);
}
