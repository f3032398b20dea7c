import { firstChildOf, nextSiblingOf } from '../native.ts';

/** The element that the walk visits. */
interface Visited {
  readonly element: Element;
  /** The computed `display`. */
  display(): string;
}

/** Elements that get a ref only if the instruction mentions them: the words for them, and their roles. */
const KINDS: readonly (readonly [words: string, roles: readonly string[]])[] = [
  ['avatar|icon|illustration|image|logo|photo|picture|thumbnail', ['img']],
  ['heading|headline|title', ['heading']],
  ['cell', ['cell', 'columnheader', 'gridcell', 'rowheader']],
  ['row', ['row']],
  ['bullet|entry|item|list item', ['listitem']],
  ['line|paragraph|sentence|text|word', ['paragraph', 'generic']],
];
/** Directly before the word, without a preposition: "click Add in the row" does not refer to the row. */
const POINTING =
  '\\b(?:click|tap|press|select|hover|highlight|point|mark|touch|scroll)\\w*(?:\\s+(?!(?:at|for|from|in|of|to|with)\\b)[\\w-]+){0,3}?\\s+';
/** Excludes "the text field", which is not a text. */
const NOT_CONTROL = '(?!\\s+(?:area|box|button|editor|field|input|link|menu|tab)\\b)';

/** The kinds of elements that an instruction refers to, as in "click the picture of the red mug". These get refs. */
export class MeantKinds {
  readonly #roles: ReadonlySet<string>;

  constructor(instruction: string) {
    const meant = KINDS.filter(([words]) =>
      new RegExp(`${POINTING}(?:${words})s?\\b${NOT_CONTROL}`, 'i').test(instruction),
    );
    this.#roles = new Set(meant.flatMap(([, roles]) => roles));
  }

  /** True if the instruction may refer to the element. */
  has(visit: Visited, role: string): boolean {
    if (!this.#roles.has(role)) return false;
    return role !== 'generic' || (hasOwnText(visit.element) && !visit.display().startsWith('inline'));
  }
}

/** True if the element has text of its own, not only in descendants. */
export function hasOwnText(element: Element): boolean {
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node))
    if (node instanceof Text && node.data.trim() !== '') return true;
  return false;
}
