import { foldSpace } from '../aria/spoken-text.ts';
import { attributeOf, hasAttribute, localNameOf, queryAll } from '../native.ts';

/** So many words of a hint are told, and so many elements of a control are looked at for one. */
const MOST_WORDS = 4;
const MOST_PARTS = 12;
/** More of a title says nothing to somebody who looks for a button. */
const TITLE_LENGTH = 120;

/**
 * What an author calls a control that shows only a picture, a glyph or nothing: `trash` of `<i class="fa fa-trash">`. People
 * did not write it to be read, so it is a guess; `''` when nothing tells.
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

/** What a person may read about a picture in a control, such as the title of an icon. */
export function titleInside(element: Element): string {
  for (const part of queryAll(element, '[title], [aria-label]:not([role])').slice(0, MOST_PARTS)) {
    const title = foldSpace(attributeOf(part, 'title') || attributeOf(part, 'aria-label') || '');
    if (title !== '') return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
  }
  return '';
}

/** Where names stand that authors give to pictures and buttons, the most telling first. */
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

/** Words that say what a thing is made of, not what it is for. */
const IDLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a active ant anchor area block body box btn button cell class click clickable col component container content control css ' +
    'default div element fa fab fal far fas flex font glyph glyphicon group hover icon icons id image img inline inner input item js ' +
    'label large lg link list main md medium mdi node normal outer panel part primary row secondary shape shown sm small span style ' +
    'svg text the to tool ui view visible widget wrap wrapper xs'
  ).split(' '),
);

/** The words of an author's name that tell something, in their order; those that a machine made have digits in them. */
function telling(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_\-#./:]+/)
    .filter((word) => /^[a-z]{2,}$/.test(word) && /[aeiouy]/.test(word) && !IDLE_WORDS.has(word));
  return [...new Set(words)].slice(0, MOST_WORDS).join(' ');
}
