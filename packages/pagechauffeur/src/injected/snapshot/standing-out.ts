import {
  attributeOf,
  checkVisibility,
  childCountOf,
  localNameOf,
  matches,
  nextElementOf,
  parentElementOf,
  previousElementOf,
  queryAll,
} from '../native.ts';
import type { WireProperties } from '../contract.ts';
import { withState } from './scrolled.ts';

/** Roles of things that stand beside others of their kind, of which some may stand out: messages, files, tabs, tools. */
const ITEM_ROLES: ReadonlySet<string> = new Set(
  'article button generic gridcell link listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem'.split(
    ' ',
  ),
);

/** What classes say of an item, by the word that they end with. A button that is "active" is pressed. */
const STATE_BY_WORD: Readonly<Record<string, string>> = {
  selected: 'selected',
  pressed: 'pressed',
  unread: 'unread',
  active: 'current',
  current: 'current',
};
const STATE_CLASS =
  /(?:^|\s)(?!\S*\b(?:not|no|non|un)[-_])(?:\S*[-_])?(selected|pressed|unread|active|current)(?:[-_](?:cell|file|item|line|message|node|page|row|tab))?(?=\s|$)/i;
/** States that say themselves what a class could say. */
const TOLD_STATES: ReadonlySet<string> = new Set(['selected', 'pressed', 'current', 'checked', 'unchecked', 'mixed']);
/** How far up wrappers that hold one thing each are looked at. */
const MOST_WRAPPERS = 3;

/** A text is bold from this weight on; 500 is used for whole pages. */
const BOLD = 600;
/** Texts that are the heading of what stands around them say nothing of the item among others. */
const HEADINGS = 'h1, h2, h3, h4, h5, h6, th, [role="heading"], [role="columnheader"], [role="rowheader"]';
/** Of controls bold letters say nothing; of these they say which message is unread and which file is the current one. */
const BOLD_ROLES: ReadonlySet<string> = new Set('article generic listitem option row tab treeitem'.split(' '));
/** Reading the style of each takes time, and no screen shows more messages. */
const MOST_ITEMS = 100;
/** So many texts of an item tell whether it is bold. */
const MOST_TEXTS = 20;

/** The properties of an item, with the state that its classes or its bold letters tell where others of its kind lack it. */
export function withItemState(element: Element, role: string, properties: WireProperties | 0): WireProperties | 0 {
  if (!ITEM_ROLES.has(role)) return properties;
  const states = properties === 0 ? [] : (properties.states ?? []);
  if (states.some((state) => TOLD_STATES.has(state))) return properties;
  const state = stateByClass(element, role) ?? (BOLD_ROLES.has(role) && isBoldAmongOthers(element) ? 'bold' : null);
  return withState(properties, state);
}

// A button may fill wrappers of which one has the class.
function stateByClass(element: Element, role: string): string | null {
  let item: Element | null = element;
  for (let count = 0; item && count <= MOST_WRAPPERS; count += 1) {
    const classes = attributeOf(item, 'class');
    const [token = '', word = ''] = (classes && STATE_CLASS.exec(classes)) || [];
    const state = STATE_BY_WORD[word.toLowerCase()];
    if (state !== undefined && standsOut(item, token.trim()))
      return role === 'button' && state !== 'unread' ? 'pressed' : state;
    item = isAlone(item) ? parentElementOf(item) : null;
  }
  return null;
}

// Many pages call everything active that can be used.
function standsOut(item: Element, token: string): boolean {
  const selector = `.${CSS.escape(token)}`;
  return neighboursOf(placeOf(item)).some(
    (other) => !matches(other, selector) && queryAll(other, selector).length === 0,
  );
}

function isBoldAmongOthers(element: Element): boolean {
  const place = placeOf(element);
  const list = parentElementOf(place);
  if (!list || childCountOf(list) > MOST_ITEMS || matches(place, 'td')) return false;
  const neighbours = neighboursOf(place);
  return neighbours.length > 0 && isBold(place) === true && neighbours.some((other) => isBold(other) === false);
}

/** Whether the first text of an item is bold, and most others are; undefined when it has none that could tell. */
function isBold(item: Element): boolean | undefined {
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  let [bold, all] = [0, 0];
  for (let node = walker.nextNode(); node && all < MOST_TEXTS; node = walker.nextNode()) {
    const holder = parentElementOf(node);
    if (!(node instanceof Text) || node.data.trim() === '' || !holder || !checkVisibility(holder)) continue;
    all += 1;
    const isPlain = Number(getComputedStyle(holder).fontWeight) < BOLD;
    if (isPlain && bold === 0) return false;
    if (isPlain) continue;
    if (Element.prototype.closest.call(holder, HEADINGS)) return undefined;
    bold += 1;
  }
  return all === 0 ? undefined : bold > all / 2;
}

/** The outermost element that holds nothing but an item. */
function placeOf(item: Element): Element {
  let outermost = item;
  for (let count = 0; count < MOST_WRAPPERS && isAlone(outermost); count += 1)
    outermost = parentElementOf(outermost) ?? outermost;
  return outermost;
}

/** The elements of the same tag right before and after one. */
function neighboursOf(place: Element): Element[] {
  return [previousElementOf(place), nextElementOf(place)].filter(
    (other): other is Element => other !== null && localNameOf(other) === localNameOf(place),
  );
}

function isAlone(element: Element): boolean {
  return previousElementOf(element) === null && nextElementOf(element) === null;
}
