import { attributeOf, localNameOf } from '../../native.ts';

/** Maximum words in a hint. */
const MAX_WORDS = 4;

/** Words about structure or style, which describe no purpose. */
const IDLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a active anchor ant area base block body box btn button cell class click clickable col component ' +
    'container content control css default disabled div element enabled fa fab fal far fas flex font glyph ' +
    'glyphicon group hover icon icons id image img inline inner input item js key label large lg link list ' +
    'main md mdi medium name node normal outer panel part primary root row secondary shape shown ' +
    'size slot sm small span style svg text the title to tool ui value view visible widget wrap wrapper xs'
  ).split(' '),
);

/** Returns up to `MAX_WORDS` words that may describe a purpose. Skips words with digits, which are often generated. */
export function descriptiveWords(name: string): string {
  if (name === '') return '';
  return joined(wordsOf(name).filter((word) => isDescriptiveWord(word) || isDirection(word, name)));
}

/** Matches the abbreviation of a library at the start of a name, as in `el-rate`. English words are no abbreviation. */
const NAMESPACE =
  /(?<!\S)(?!(?:a[dmnst]|b[ey]|do|go|hi|i[dfnt]|m[ey]|no|o[fknr]|so|t[ov]|up|us|we)[-_])[a-z]{2}[-_]+(?=[a-z])/g;

function wordsOf(name: string): string[] {
  return name
    .replace(NAMESPACE, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_\-#./:]+/);
}

function isDescriptiveWord(word: string): boolean {
  return /^[a-z]{2,}$/.test(word) && /[aeiouy]/.test(word) && !IDLE_WORDS.has(word);
}

/** True for the direction of a handle, as in `resize-nw`. */
function isDirection(word: string, name: string): boolean {
  return /^(?:[ns][ew]?|[ew])$/.test(word) && /resiz|handle|grip|corner/i.test(name);
}

function joined(words: readonly string[]): string {
  return [...new Set(words)].slice(0, MAX_WORDS).join(' ');
}

/** Matches classes of icon fonts, such as `fa-trash`, `bi-trash`, `icon-trash` or `mdi-trash-can`, but not `SvgIcon-small`. */
const GLYPH_CLASS =
  /^(?:fa|bi|mdi|ti|ri|pi|wxi|zmdi|lni|uil|ion|[a-z]*icons?|[a-z]+-icons?|[A-Z]\w*-Icons?|Icons?)-+([a-zA-Z\d][\w-]*)$/;

/** Words for the style of an icon, as in `fa-solid fa-trash`. */
const ICON_STYLES: ReadonlySet<string> = new Set(
  'brands duotone fill filled fixed fw light outline outlined pulse regular rounded sharp solid spin thin'.split(' '),
);

/** Returns the words of the class that chooses a glyph, such as `trash` for `bi bi-trash3` or `icon-trash`. */
export function glyphWords(icon: Element): string {
  const classes = attributeOf(icon, 'class') ?? '';
  if (!classes.includes('-')) return '';
  const prefixes = prefixesOf(classes, icon);
  for (const name of classes.split(/\s+/)) {
    const glyph = GLYPH_CLASS.exec(name)?.[1] ?? withoutPrefix(name, prefixes);
    if (glyph === name || ICON_STYLES.has(glyph.toLowerCase())) continue;
    const words = wordsOfGlyph(glyph);
    if (words !== '') return words;
  }
  return '';
}

/** Returns the words of all classes. Leaves out the prefix of an icon font. */
export function classWords(element: Element): string {
  const classes = attributeOf(element, 'class') ?? '';
  const prefixes = classes.includes('-') ? prefixesOf(classes, element) : [];
  if (prefixes.length === 0) return descriptiveWords(classes);
  const others = classes.split(/\s+/).filter((name) => !prefixes.includes(name));
  return descriptiveWords(others.map((name) => withoutPrefix(name, prefixes)).join(' '));
}

/** Returns classes that start another class, too, as in `bi bi-trash`. */
function prefixesOf(classes: string, icon: Element): readonly string[] {
  const isDrawing = localNameOf(icon) === 'svg';
  const names = classes.split(/\s+/);
  const candidates = names.filter((name) => (isDrawing ? name !== '' : ABBREVIATION.test(name)));
  if (candidates.length === 0) return candidates;
  const beginnings = beginningsOf(names);
  return candidates.filter((name) => beginnings.has(name));
}

/** Returns what is before each hyphen of the names. */
function beginningsOf(names: readonly string[]): ReadonlySet<string> {
  const beginnings = new Set<string>();
  for (const name of names)
    for (
      let hyphen = name.indexOf('-');
      hyphen >= 0 && hyphen <= MAX_PREFIX_LENGTH;
      hyphen = name.indexOf('-', hyphen + 1)
    )
      beginnings.add(name.slice(0, hyphen));
  return beginnings;
}

/** Maximum characters of a class that other classes begin with. */
const MAX_PREFIX_LENGTH = 40;

/** Matches a class such as `bi` or `bx`. A longer one may be a word, as in `arrow arrow-left`. */
const ABBREVIATION = /^(?:[a-z]{2}|[b-df-hj-np-tv-xz]{3,5})$/;

function withoutPrefix(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find((one) => name.startsWith(`${one}-`));
  return prefix === undefined ? name : name.slice(prefix.length).replace(/^-+/, '');
}

/** The size of an icon, as in `fa-2x`. */
const ICON_SIZE = /^\d+x$/;
/** Names of glyphs for the "×" of a close button. */
const CLOSING: ReadonlySet<string> = new Set(['times', 'x', 'xmark']);

/**
 * Leaves out the number of a variant, as in `trash3` or `trash-2`. Keeps a number that the glyph shows, as in `123` or
 * `numeric-1-box`.
 */
function wordsOfGlyph(glyph: string): string {
  if (ICON_SIZE.test(glyph)) return '';
  const parts = wordsOf(glyph).filter((part) => part !== '');
  if (parts.length === 1 && /^(?:[a-wyz]|\d{1,3})$/.test(glyph)) return glyph;
  const words = parts.flatMap((part, index) => {
    if (index === 0 && CLOSING.has(part)) return 'close';
    const isShown = /^[a-z]\d$/.test(part) || (/^\d{1,2}$/.test(part) && index < parts.length - 1);
    const word = isShown ? part : part.replace(/(?<=[a-z]{2})\d{1,2}$/, '');
    return isShown || isDescriptiveWord(word) ? word : [];
  });
  return joined(words);
}
