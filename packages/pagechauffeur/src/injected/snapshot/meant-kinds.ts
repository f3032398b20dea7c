import { firstChildOf, nextSiblingOf } from '../native.ts';

/** An element that the walk is at. */
interface Visited {
  readonly element: Element;
  /** The computed `display`. */
  display(): string;
}

/** Things that have no ref by themselves: the words by which people name them, and their roles. */
const KINDS: readonly (readonly [words: string, roles: readonly string[]])[] = [
  ['avatar|icon|illustration|image|logo|photo|picture|thumbnail', ['img']],
  ['heading|headline|title', ['heading']],
  ['cell', ['cell', 'columnheader', 'gridcell', 'rowheader']],
  ['row', ['row']],
  ['bullet|entry|item|list item', ['listitem']],
  ['line|paragraph|sentence|text|word', ['paragraph', 'generic']],
];
/** Right before the thing, and not in a place: "click Add in the row" means no row. */
const POINTING =
  '\\b(?:click|tap|press|select|hover|highlight|point|mark|touch|scroll)\\w*(?:\\s+(?!(?:at|for|from|in|of|to|with)\\b)[\\w-]+){0,3}?\\s+';
/** "the text field" is no text. */
const NOT_CONTROL = '(?!\\s+(?:area|box|button|editor|field|input|link|menu|tab)\\b)';

/** Kinds of elements that an instruction points to, such as "click the picture of the red mug". They have refs because it does. */
export class MeantKinds {
  readonly #roles: ReadonlySet<string>;

  constructor(instruction: string) {
    const meant = KINDS.filter(([words]) =>
      new RegExp(`${POINTING}(?:${words})s?\\b${NOT_CONTROL}`, 'i').test(instruction),
    );
    this.#roles = new Set(meant.flatMap(([, roles]) => roles));
  }

  /** Whether the instruction may mean an element. */
  has(visit: Visited, role: string): boolean {
    if (!this.#roles.has(role)) return false;
    return role !== 'generic' || (hasOwnText(visit.element) && !visit.display().startsWith('inline'));
  }
}

/** Whether words stand in an element itself, not only in those below it. */
export function hasOwnText(element: Element): boolean {
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node))
    if (node instanceof Text && node.data.trim() !== '') return true;
  return false;
}
