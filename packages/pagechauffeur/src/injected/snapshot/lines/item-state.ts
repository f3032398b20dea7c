import { memoised } from '../../memo.ts';
import {
  attributeOf,
  checkVisibility,
  childCountOf,
  clientHeightOf,
  firstChildOf,
  localNameOf,
  matches,
  nextElementOf,
  nextSiblingOf,
  parentElementOf,
  previousElementOf,
  queryAll,
  scrollHeightOf,
  scrollTopOf,
} from '../../native.ts';
import { dependOn, measured } from '../../dependencies.ts';
import { dataStateOf } from '../../aria/states.ts';
import type { WireProperties } from '../../contract.ts';
import { scrollingElement } from '../../native-document.ts';
import type { Visit } from '../visit.ts';

/** Items of a list in which some may be highlighted: messages, files, tabs, tools. */
const ITEM_ROLES: ReadonlySet<string> = new Set(
  'article button generic gridcell link listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem'.split(
    ' ',
  ),
);

/** The states that words in a class express. */
const STATE_BY_WORD: Readonly<Record<string, string>> = {
  selected: 'selected',
  pressed: 'pressed',
  unread: 'unread',
  active: 'current',
  current: 'current',
};
/** What a word means for a role that has a state of its own. */
const STATE_BY_ROLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  button: { selected: 'pressed', current: 'pressed' },
  radio: { selected: 'checked', pressed: 'checked' },
  tab: { pressed: 'selected' },
};
const STATE_CLASS =
  /(?:^|\s)(?!\S*\b(?:not|no|non|un)[-_])(?:\S*[-_])?(selected|pressed|unread|active|current)(?:[-_](?:cell|file|item|line|message|node|page|row|tab))?[-_]*(?=\s|$)/i;
/** States that make a class redundant. */
const REPORTED_STATES: ReadonlySet<string> = new Set([
  'selected',
  'pressed',
  'current',
  'checked',
  'unchecked',
  'mixed',
]);
/** Maximum wrappers with a single child to check around an item. */
const MAX_WRAPPERS = 3;

/** Minimum weight of bold text. Some pages use 500 for all text. */
const BOLD = 600;
/** A bold heading does not highlight the item that contains it. */
const HEADINGS = 'h1, h2, h3, h4, h5, h6, th, [role="heading"], [role="columnheader"], [role="rowheader"]';
/** Roles in which bold text highlights an unread message or the current file. Bold controls have no such meaning. */
const BOLD_ROLES: ReadonlySet<string> = new Set('article generic listitem option row tab treeitem'.split(' '));
/** Longer lists are skipped, because reading styles takes time. Message lists show fewer items at a time. */
const MAX_ITEMS = 100;
/** Maximum text nodes to check per item. */
const MAX_TEXTS = 20;

/** Adds the state that a class or bold text expresses, unless all neighbors are highlighted in the same way. */
export function withItemState(visit: Visit, role: string, properties: WireProperties | 0): WireProperties | 0 {
  const { element, isMarked } = visit;
  if (role === 'columnheader') return withState(properties, sortedState(element, properties));
  if (!ITEM_ROLES.has(role)) return properties;
  const states = properties === 0 ? [] : (properties.states ?? []);
  if (states.some((state) => REPORTED_STATES.has(state))) return properties;
  const state =
    (isMarked ? stateByData(element) : null) ??
    stateByClass(element, role) ??
    (BOLD_ROLES.has(role) && isBoldAmongOthers(element) ? 'bold' : null);
  return withState(properties, state);
}

/** Returns how a class such as `sorted ascending` or `sorting_desc` says that the table is sorted. */
function sortedState(header: Element, properties: WireProperties | 0): string | null {
  if (properties !== 0 && properties.states?.some((state) => state.startsWith('sorted '))) return null;
  const authored = attributeOf(header, 'class') ?? '';
  if (!/sort/i.test(authored)) return null;
  const classes = authored.replace(/([a-z])([A-Z])/g, '$1-$2');
  const [direction, ...others] = new Set(Array.from(classes.matchAll(SORTED), ([, word = '']) => word.toLowerCase()));
  if (direction === undefined || others.length > 0) return null;
  return `sorted ${direction === 'desc' ? 'descending' : 'ascending'}`;
}

/** Matches a direction, but not `sortable-asc`, which says what a click would do. */
const SORTED = /(?<![a-z])(?<!(?:sortable|sort-by|can|not?)[-_])(asc|desc)(?:ending)?(?![a-z])/gi;

const STATE_BY_DATA: Readonly<Record<string, string>> = { active: 'current', selected: 'selected' };

/** Returns the state that an attribute such as `data-selected` expresses, unless all neighbors have it. */
function stateByData(element: Element): string | null {
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    if (!name.startsWith('data-')) continue;
    const state = STATE_BY_DATA[dataStateOf(name, attributeOf(element, name) ?? '') ?? ''];
    if (state === undefined) continue;
    const selector = `[${name}]:not([${name}="false"])`;
    const wrapper = wrapperOf(element, isAloneInItem);
    const isShared = neighboursOf(wrapper).every(
      (other) => matches(other, selector) || queryAll(other, selector).length > 0,
    );
    if (!isShared) return state;
  }
  return null;
}

// The class may be on a wrapper.
function stateByClass(element: Element, role: string): string | null {
  let item: Element | null = element;
  for (let count = 0; item && count <= MAX_WRAPPERS; count += 1) {
    const classes = attributeOf(item, 'class');
    const [token = '', word = ''] = (classes && STATE_CLASS.exec(classes)) || [];
    const state = STATE_BY_WORD[word.toLowerCase()];
    if (state !== undefined && differsFromSiblings(item, token.trim())) return STATE_BY_ROLE[role]?.[state] ?? state;
    item = isAloneInItem(item) && !isBesideText(item) ? parentElementOf(item) : null;
  }
  return null;
}

// Many pages add "active" to everything that is enabled, so at least one neighbor must lack the class.
function differsFromSiblings(item: Element, token: string): boolean {
  const selector = `.${CSS.escape(token)}`;
  return neighboursOf(wrapperOf(item, isAloneInItem)).some(
    (other) => !matches(other, selector) && queryAll(other, selector).length === 0,
  );
}

function isBoldAmongOthers(element: Element): boolean {
  const wrapper = wrapperOf(element);
  const list = parentElementOf(wrapper);
  if (!list || measured(list, isLongList) || matches(wrapper, 'td')) return false;
  const neighbours = neighboursOf(wrapper);
  return neighbours.length > 0 && isBold(wrapper) === true && neighbours.some((other) => isBold(other) === false);
}

// Counting takes as long as the list, and each item asks.
const isLongList = memoised((list: Element): boolean => childCountOf(list) > MAX_ITEMS);

/**
 * True if the first text node and more than half of all are bold; `undefined` if there is no text or a bold heading.
 */
function isBold(item: Element): boolean | undefined {
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  let [bold, all] = [0, 0];
  for (let node = walker.nextNode(); node && all < MAX_TEXTS; node = walker.nextNode()) {
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

/** Returns the outermost wrapper that contains only the item. */
function wrapperOf(item: Element, isOnly: (element: Element) => boolean = isAlone): Element {
  let outermost = item;
  for (let count = 0; count < MAX_WRAPPERS && isOnly(outermost); count += 1)
    outermost = parentElementOf(outermost) ?? outermost;
  return outermost;
}

/** Returns the siblings directly before and after, if they have the same tag. */
function neighboursOf(wrapper: Element): Element[] {
  const neighbours = [previousElementOf(wrapper), nextElementOf(wrapper)].filter(
    (other): other is Element => other !== null && localNameOf(other) === localNameOf(wrapper),
  );
  for (const neighbour of neighbours) dependOn(neighbour);
  return neighbours;
}

function isAlone(element: Element): boolean {
  return previousElementOf(element) === null && nextElementOf(element) === null;
}

/** True also for the label of an item that contains a submenu. */
function isAloneInItem(element: Element): boolean {
  const next = nextElementOf(element);
  if (next === null || !matches(next, SUBMENU)) return isAlone(element);
  return previousElementOf(element) === null && nextElementOf(next) === null;
}

/** True for an icon beside the text of an item. */
function isBesideText(element: Element): boolean {
  const parent = parentElementOf(element);
  for (let node = parent && firstChildOf(parent); node; node = nextSiblingOf(node))
    if (node instanceof Text && node.data.trim() !== '') return true;
  return false;
}

const SUBMENU = 'ul, ol, menu, [role="group"], [role="menu"]';

/** Tags whose line has the whole text as its value, whatever the scroll position. */
const VALUE_TAGS: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);

/** Returns the vertical scroll position, such as `scrolled 40%`; `null` at the top or if nothing scrolls. */
export function scrolledState(visit: Visit): string | null {
  if (visit.isInPlace() || VALUE_TAGS.has(visit.tag)) return null;
  const share = measured(visit.element, scrolledShare);
  return share === 0 || !/auto|scroll/.test(visit.style.overflowY) ? null : `scrolled ${share}%`;
}

/** Returns the vertical scroll position in percent, rounded; 0 only at the top. */
function scrolledShare(element: Element): number {
  const top = scrollTopOf(element);
  if (top <= 0 || element === scrollingElement()) return 0;
  const distance = scrollHeightOf(element) - clientHeightOf(element);
  return distance <= 0 ? 0 : Math.min(100, Math.max(1, Math.round((100 * top) / distance)));
}

export function withState(properties: WireProperties | 0, state: string | null): WireProperties | 0 {
  if (state === null) return properties;
  if (properties === 0) return { states: [state] };
  return { ...properties, states: [...(properties.states ?? []), state] };
}
