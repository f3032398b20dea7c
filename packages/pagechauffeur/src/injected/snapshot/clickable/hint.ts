import { generatedText, mayHaveGeneratedText } from '../../aria/generated-text.ts';
import { foldSpace } from '../../aria/text-builder.ts';
import { dependOn } from '../../dependencies.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { isFocusable } from '../../element/controls.ts';
import { memoised } from '../../memo.ts';
import { classWords, descriptiveWords, glyphWords } from './hint-words.ts';
import { isCoordinate } from '../../aria/states.ts';
import { colorOf } from '../visibility/painting/color.ts';
import { isListenedTo } from './listened.ts';
import { kindOf } from './nested-items.ts';
import { hasOwnText } from './requested-kinds.ts';
import {
  attributeOf,
  checkVisibility,
  childrenOf,
  elementCountOf,
  hasAttribute,
  liveChildrenOf,
  localNameOf,
  parentElementOf,
  queryAll,
  textContentOf,
} from '../../native.ts';

/** Maximum descendants to search for a hint. */
const MAX_PARTS = 12;
/** Number of ancestors to search for a hint. */
const MAX_AROUND = 2;
const TITLE_LENGTH = 120;

/**
 * Guesses the purpose of a control from names in its markup, such as `trash` for `<i class="fa fa-trash">`, or from a
 * symbol such as "×". Returns `''` if there are none.
 */
export function hintOf(element: Element): string {
  const text = authoredText(element);
  const value = ownValues(element, text) || (text === '' ? '' : placeAndColor(element, text));
  return joined(text, value) || symbolMeaning(element);
}

/** Minimum unnamed controls in a row that are told apart by their positions, such as the dots of a carousel. */
const MIN_DOTS = 3;

/** Returns the position of an empty control among such controls; `''` if there are few. */
export function placeOfDot(element: Element): string {
  const place = placeAmongOthers(element, '');
  return Number(place.split(' ').at(-1)) >= MIN_DOTS ? place : '';
}

/** Returns a hint from the closest ancestors, such as `stars 2 of 5` for a star in a list of stars. */
export function ancestorHint(element: Element): string {
  const hint = wordsAround(element);
  return hint === '' ? '' : joined(hint, placeAndColor(element, ''));
}

function wordsAround(element: Element): string {
  let ancestor = flatParent(element);
  for (let count = 0; ancestor && count < MAX_AROUND; count += 1) {
    const text = idWords(ancestor) || descriptiveWords(attributeOf(ancestor, 'class') ?? '');
    if (text !== '') return text;
    ancestor = flatParent(ancestor);
  }
  return '';
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function authoredText(element: Element): string {
  const parts = [element, ...queryAll(element, '*').slice(0, MAX_PARTS)];
  for (const read of SOURCES) {
    for (const part of parts) {
      const words = read(part);
      if (words !== '') return words;
    }
  }
  return '';
}

/**
 * Returns the values of `data-` attributes that distinguish the element from similar siblings, such as `A1` for
 * `<i class="seat" data-seat="A1">`. At least one is unique. Puts the attribute names first if there are no other `words`.
 */
function ownValues(element: Element, words: string): string {
  const parent = parentElementOf(element);
  if (!parent) return '';
  const found: { readonly text: string; readonly isUnique: boolean }[] = [];
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    const value = name.startsWith('data-') && !READ_DATA.has(name) ? (attributeOf(element, name) ?? '') : '';
    const isNumber = words === '' && NUMBER.test(value);
    if (!(isNumber || isDescriptive(value)) || words.split(' ').includes(value.toLowerCase())) continue;
    dependOn(parent);
    const { count, byKind } = valuesIn(parent, name);
    const sharing = (byKind.get(`${kindOf(element)} ${value}`) ?? 1) - 1;
    const isCell = isNumber && isCoordinate(name);
    if (count === 1 || (sharing === count - 1 && !isCell)) continue;
    const label = words === '' ? labelOfValue(name, isNumber) : '';
    found.push({ text: joined(label, value), isUnique: sharing === 0 });
  }
  const shown = found.slice(0, MAX_VALUES);
  return shown.some(({ isUnique }) => isUnique) ? joined(...new Set(shown.map(({ text }) => text))) : '';
}

interface SiblingValues {
  /** Number of children that have the attribute. */
  readonly count: number;
  /** Number of children by kind and value. */
  readonly byKind: ReadonlyMap<string, number>;
}

function valuesIn(parent: Element, name: string): SiblingValues {
  const known = valuesByName(parent);
  let values = known.get(name);
  if (!values) {
    const others = childrenOf(parent).filter((child) => hasAttribute(child, name));
    const byKind = new Map<string, number>();
    for (const other of others) {
      const key = `${kindOf(other)} ${attributeOf(other, name) ?? ''}`;
      byKind.set(key, (byKind.get(key) ?? 0) + 1);
    }
    known.set(name, (values = { count: others.length, byKind }));
  }
  return values;
}

// Every child asks for the values of all.
const valuesByName = memoised((_parent: Element) => new Map<string, SiblingValues>());

/** A number means nothing without a name, so even a name such as `x` is shown. */
function labelOfValue(name: string, isNumber: boolean): string {
  const own = name.slice('data-'.length);
  return descriptiveWords(own) || (isNumber ? own : '');
}

const MAX_VALUES = 2;

function placeAndColor(element: Element, words: string): string {
  return joined(placeAmongOthers(element, words), swatchColor(element));
}

/** Returns the background color of an empty element in a palette, such as `#ff0000`; `''` if it is no swatch. */
function swatchColor(element: Element): string {
  const parent = parentElementOf(element);
  if (!parent || !palettesOf(parent).has(kindOf(element)) || elementCountOf(element) > 0) return '';
  dependOn(parent);
  return hexColor(element);
}

/** Returns the kinds of children whose background colors mostly differ, unlike those of stars and seats. */
const palettesOf = memoised((parent: Element): ReadonlySet<string> => {
  const children = childrenOf(parent);
  const colorsByKind = new Map<string, string[]>();
  for (const child of children.length > MOST_SWATCHES ? [] : children) {
    const color = elementCountOf(child) > 0 || hasText(child) ? '' : hexColor(child);
    if (color !== '') colorsByKind.set(kindOf(child), [...(colorsByKind.get(kindOf(child)) ?? []), color]);
  }
  const palettes = Array.from(colorsByKind).filter(([, colors]) => isPalette(colors));
  return new Set(palettes.map(([kind]) => kind));
});

const MOST_SWATCHES = 200;
/** Two buttons side by side often differ in their color. */
const MIN_COLORS = 3;

function isPalette(colors: readonly string[]): boolean {
  const { size } = new Set(colors);
  return size >= MIN_COLORS && size > colors.length / 2;
}

/** Returns the opaque background color, such as `#ff0000`; `''` for images and translucent colors. */
function hexColor(element: Element): string {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  const [red, green, blue, alpha] = colorOf(backgroundColor);
  if (alpha < 1 || backgroundImage !== 'none') return '';
  return `#${[red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the position of a star or step, such as `3 of 5`, among siblings with the same words; `''` if there are none. */
function placeAmongOthers(element: Element, words: string): string {
  const parent = parentElementOf(element);
  if (!parent || liveChildrenOf(parent).length > MOST_PLACES) return '';
  const alike = childrenOf(parent).filter((other) => other === element || isAlike(other, element, words));
  dependOn(parent);
  if (alike.length > 1) return placeIn(alike, element);
  return childrenOf(parent).length > 1 || hasText(parent) ? '' : placeOfWrapper(parent, element, words);
}

/** Returns the position of the only element in a wrapper among such wrappers, such as the dots of a carousel in a list. */
function placeOfWrapper(wrapper: Element, element: Element, words: string): string {
  const list = parentElementOf(wrapper);
  if (!list || liveChildrenOf(list).length > MOST_PLACES) return '';
  const wrappers = childrenOf(list).filter((other) => {
    const [only, ...others] = childrenOf(other);
    if (!only || others.length > 0 || localNameOf(other) !== localNameOf(wrapper)) return false;
    return only === element || isAlike(only, element, words);
  });
  dependOn(list);
  return wrappers.length > 1 ? placeIn(wrappers, wrapper) : '';
}

function isAlike(other: Element, element: Element, words: string): boolean {
  if (!isSameKind(other, element) || hasText(other) || authoredText(other) !== words) return false;
  return checkVisibility(other, { visibilityProperty: true });
}

function placeIn(alike: readonly Element[], element: Element): string {
  return `${alike.indexOf(element) + 1} of ${alike.length}`;
}

function isSameKind(one: Element, other: Element): boolean {
  return localNameOf(one) === localNameOf(other) && lastingKindOf(one) === lastingKindOf(other);
}

/** Returns the kind, unless the only class is a state that moves from one item to the next. */
function lastingKindOf(element: Element): string {
  const kind = kindOf(element);
  return STATE_CLASS.test(kind) ? '' : kind;
}

const STATE_CLASS = /^(?:is-)?(?:active|current|on|selected)$/i;

const MOST_PLACES = 20;

function hasText(element: Element): boolean {
  return /[\p{L}\p{N}]/u.test(textContentOf(element) ?? '');
}

const READ_DATA: ReadonlySet<string> = new Set(['data-action', 'data-command', 'data-icon', 'data-testid']);
/** Attributes with the text of a tooltip that a script shows. */
const TOOLTIPS = ['data-tooltip', 'data-title', 'data-original-title', 'data-bs-original-title', 'data-tip'];
/** In characters. Longer values, and those with long numbers, are usually URLs or generated keys. */
const LONGEST_VALUE = 24;

/** A position, as in `data-slide="2"`. */
const NUMBER = /^\d{1,3}$/;

export function isDescriptive(value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  if (/^\d{4}-\d\d/.test(value) || COLOR.test(value)) return true;
  return /\p{L}/u.test(value) && !GENERATED.test(value);
}

/**
 * Matches long numbers, symbols that no text has between letters, and words that mix letters and digits repeatedly, as in
 * `r0b11`.
 */
const GENERATED = /\d{3}|[\da-f]{8}|[{}[\]/\\<>|^`~;=]|%[\da-f]{2}|[?!][a-z]|(?:[a-z]+\d+){2,}|(?:\d+[a-z]+){2,}/i;

/** A color of a palette. */
const COLOR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

const SYMBOLS: readonly (readonly [symbol: RegExp, meaning: string])[] = [
  [/[×✕✖✗✘╳⨯]/u, 'close or remove'],
  [/[★☆⭐]/u, 'star'],
  [/[♥♡❤]/u, 'like'],
  [/[☰≡]/u, 'menu'],
  [/[⋮⋯]/u, 'more'],
  [/[✎✏🖉]/u, 'edit'],
  [/[🗑]/u, 'delete'],
  [/[⚙]/u, 'settings'],
  [/[🔍🔎⌕]/u, 'search'],
  [/[▶►]/u, 'play'],
];

function symbolMeaning(element: Element): string {
  const drawn = mayHaveGeneratedText(element)
    ? [generatedText(element, '::before', 'text'), generatedText(element, '::after', 'text')].map(
        (generated) => generated?.text ?? '',
      )
    : [];
  const text = [textContentOf(element) ?? '', ...drawn].join('');
  return SYMBOLS.find(([symbol]) => symbol.test(text))?.[1] ?? '';
}

/** Returns the tooltip of a control, of a part that is no other control, or of a wrapper that contains no other control. */
export function tooltipOf(element: Element): string {
  const own = tooltipIn(element, TOOLTIPS);
  if (own !== '') return own;
  // What a part of a container with other content says is not about the container.
  if (elementCountOf(element) > MAX_PARTS || hasText(element)) return '';
  for (const part of queryAll(element, '[title], [aria-label]:not([role])')) {
    if (isInOtherControl(part, element)) continue;
    const title = foldSpace(attributeOf(part, 'title') || attributeOf(part, 'aria-label') || '');
    if (title !== '') return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
  }
  return tooltipAround(element);
}

function tooltipIn(element: Element, attributes: readonly string[]): string {
  for (const name of attributes) {
    const tooltip = foldSpace(attributeOf(element, name) ?? '');
    if (tooltip !== '' && tooltip.length <= TITLE_LENGTH) return tooltip;
  }
  return '';
}

/** Returns the tooltip of a wrapper whose other content is hidden, or a popup of the control. */
function tooltipAround(element: Element): string {
  let inner = element;
  for (let count = 0; count < MAX_TOOLTIP_WRAPPERS; count += 1) {
    const wrapper = parentElementOf(inner);
    if (!wrapper || isFocusable(wrapper) || isListenedTo(wrapper)) return '';
    const siblings = liveChildrenOf(wrapper);
    if (siblings.length > MAX_TOOLTIP_SIBLINGS || hasOwnText(wrapper)) return '';
    dependOn(wrapper);
    if (!Array.from(siblings).every((sibling) => sibling === inner || isNoOtherControl(sibling))) return '';
    const tooltip = tooltipIn(wrapper, [...TOOLTIPS, 'title']);
    if (tooltip !== '') return tooltip;
    inner = wrapper;
  }
  return '';
}

const MAX_TOOLTIP_WRAPPERS = 3;
const MAX_TOOLTIP_SIBLINGS = 4;

function isNoOtherControl(sibling: Element): boolean {
  if (!checkVisibility(sibling, { visibilityProperty: true })) return true;
  const { position } = getComputedStyle(sibling);
  if (position === 'absolute' || position === 'fixed') return true;
  if (hasText(sibling) || elementCountOf(sibling) > MAX_PARTS) return false;
  return [sibling, ...queryAll(sibling, '*')].every((part) => !isFocusable(part) && !isListenedTo(part));
}

function isInOtherControl(part: Element, control: Element): boolean {
  for (let node: Element | null = part; node && node !== control; node = flatParent(node))
    if (isFocusable(node) || isListenedTo(node)) return true;
  return false;
}

/** Read the words of names that developers give icons and buttons, best source first. */
const SOURCES: readonly ((part: Element) => string)[] = [
  glyphWords,
  iconWords,
  (part) => (localNameOf(part) === 'use' ? descriptiveWords(symbolName(part)) : ''),
  (part) =>
    localNameOf(part) === 'img' || localNameOf(part) === 'input'
      ? descriptiveWords(fileName(attributeOf(part, 'src') ?? ''))
      : '',
  (part) => (showsSprite(part) ? '' : backgroundWords(part)),
  ...['data-action', 'data-command', 'data-testid', 'name'].map(
    (name) => (part: Element) => descriptiveWords(attributeOf(part, name) ?? ''),
  ),
  idWords,
  (part) => descriptiveWords(attributeOf(part, 'part') ?? ''),
  classWords,
  backgroundWords,
];

/** Attributes that choose a glyph, as in `data-icon="mdi:home"` or `uk-icon="icon: plus; ratio: 2"`. */
const ICON_ATTRIBUTES = ['data-icon', 'data-feather', 'data-lucide', 'icon', 'svgicon', 'uk-icon'];

function iconWords(part: Element): string {
  for (const name of ICON_ATTRIBUTES) {
    const value = attributeOf(part, name);
    const words = value ? descriptiveWords(value.replace(/;.*/, '')) : '';
    if (words !== '') return words;
  }
  return '';
}

/** Matches ids that frameworks generate, such as `react-aria-:r1:`, `radix-«r2»` or `mui-_r_3_`. */
const GENERATED_ID = /[:«]r[\da-z]+[:»]|_r_[\da-z]+_/i;

function idWords(part: Element): string {
  const id = attributeOf(part, 'id');
  return !id || GENERATED_ID.test(id) ? '' : descriptiveWords(id);
}

function backgroundWords(part: Element): string {
  return descriptiveWords(backgroundFile(part));
}

function backgroundFile(part: Element): string {
  return fileName(/url\("(.*?)"\)/.exec(getComputedStyle(part).backgroundImage)?.[1] ?? '');
}

/** True if the background is one of several images in a file, whose name then says little. */
function showsSprite(part: Element): boolean {
  const { backgroundImage, backgroundPosition } = getComputedStyle(part);
  if (backgroundImage === 'none') return false;
  return /-\d/.test(backgroundPosition) || SPRITE.test(backgroundFile(part));
}

const SPRITE = /sprite|(?:icon|button|image|glyph|symbol)s(?![a-z])|[_-]set(?![a-z])/i;

function symbolName(use: Element): string {
  const address = attributeOf(use, 'href') ?? attributeOf(use, 'xlink:href') ?? '';
  return address.slice(address.indexOf('#') + 1);
}

function fileName(address: string): string {
  if (address.startsWith('data:')) return '';
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.\w+$/, '');
}

/**
 * Returns words for an element without text, such as a trash can, from its id or class, and what distinguishes it from
 * similar siblings, such as the time of a slot in a calendar.
 */
export function authorNameOf(element: Element): string {
  const [id, classes] = [attributeOf(element, 'id') ?? '', attributeOf(element, 'class') ?? ''];
  const words = descriptiveWords(id) || descriptiveWords(classes) || (id || classes).trim();
  return joined(words, ownValues(element, words));
}
