import { foldSpace } from '../aria/spoken-text.ts';
import { attributeOf, hasAttribute, localNameOf, queryAll } from '../native.ts';

/** Maximum words of a hint, and maximum elements of a control to search for one. */
const MOST_WORDS = 4;
const MOST_PARTS = 12;
/** Longer titles do not help to identify a button. */
const TITLE_LENGTH = 120;

/**
 * Guesses the purpose of a control that shows only an image, an icon or nothing: `trash` for `<i class="fa fa-trash">`. Developers do not
 * write these names for users, so this is a guess; `''` if there is none.
 */
export function hintOf(element: Element): string {
  const parts = [element, ...queryAll(element, '*').slice(0, MOST_PARTS)];
  for (const read of SOURCES) {
    for (const part of parts) {
      const words = telling(read(part));
      if (words !== '') return words;
    }
  }
  return '';
}

/** Returns a title or label inside a control, such as that of an icon. */
export function titleInside(element: Element): string {
  for (const part of queryAll(element, '[title], [aria-label]:not([role])').slice(0, MOST_PARTS)) {
    const title = foldSpace(attributeOf(part, 'title') || attributeOf(part, 'aria-label') || '');
    if (title !== '') return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
  }
  return '';
}

/** Where developers name images and buttons, most telling first. */
const SOURCES: readonly ((part: Element) => string)[] = [
  glyphName,
  (part) => attributeOf(part, 'data-icon') ?? '',
  (part) => (localNameOf(part) === 'use' ? symbolName(part) : ''),
  (part) =>
    localNameOf(part) === 'img' || localNameOf(part) === 'input' ? fileName(attributeOf(part, 'src') ?? '') : '',
  (part) => fileName(/url\("(.*?)"\)/.exec(getComputedStyle(part).backgroundImage)?.[1] ?? ''),
  ...['data-action', 'data-command', 'data-testid', 'name', 'id', 'class'].map(
    (name) => (part: Element) => attributeOf(part, name) ?? '',
  ),
];

/** Classes of icon fonts, such as `fa-trash`, `bi-trash`, `icon-trash` or `mdi-trash-can`. */
const GLYPH_CLASS = /(?:^|\s)(?:fa|bi|mdi|ti|ri|pi|glyphicon|octicon|anticon|icon|(?:[a-z]+-)?icons?)-+([a-z][\w-]*)/i;

function glyphName(part: Element): string {
  return hasAttribute(part, 'class') ? (GLYPH_CLASS.exec(attributeOf(part, 'class') ?? '')?.[1] ?? '') : '';
}

function symbolName(use: Element): string {
  const address = attributeOf(use, 'href') ?? attributeOf(use, 'xlink:href') ?? '';
  return address.slice(address.indexOf('#') + 1);
}

function fileName(address: string): string {
  if (address.startsWith('data:')) return '';
  return /([^/?#]+?)(?:\.\w+)?(?:[?#].*)?$/.exec(address)?.[1] ?? '';
}

/** Words about structure or style that say nothing about the purpose. */
const IDLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a active ant anchor area block body box btn button cell class click clickable col component container content control css ' +
    'default div element fa fab fal far fas flex font glyph glyphicon group hover icon icons id image img inline inner input item js ' +
    'label large lg link list main md medium mdi node normal outer panel part primary row secondary shape shown sm small span style ' +
    'svg text the to tool ui view visible widget wrap wrapper xs'
  ).split(' '),
);

/** Returns the words of a name that say something about the purpose, in order. Skips words with digits, which are often generated. */
function telling(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_\-#./:]+/)
    .filter((word) => /^[a-z]{2,}$/.test(word) && /[aeiouy]/.test(word) && !IDLE_WORDS.has(word));
  return [...new Set(words)].slice(0, MOST_WORDS).join(' ');
}
