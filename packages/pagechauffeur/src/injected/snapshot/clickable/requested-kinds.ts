import { firstChildOf, nextSiblingOf } from '../../native.ts';

interface Visited {
  readonly element: Element;
  display(): string;
}

/** Words for elements that get a ref only if the instruction mentions them, with the roles of such elements. */
const KINDS: readonly (readonly [words: string, roles: readonly string[]])[] = [
  ['avatar|icon|illustration|image|logo|photo|picture|thumbnail', ['img']],
  ['heading|headline|title', ['heading']],
  ['cell', ['cell', 'columnheader', 'gridcell', 'rowheader']],
  ['row', ['row']],
  ['bullet|entry|item|list item', ['listitem']],
  ['line|paragraph|sentence|text|word', ['paragraph', 'generic']],
];
/**
 * A verb and up to three words before the noun, without a preposition: "click Add in the row" does not refer to the
 * row.
 */
const POINTING =
  '\\b(?:click|tap|press|select|hover|highlight|point|mark|touch|scroll)\\w*(?:\\s+(?!(?:at|for|from|in|of|to|with)\\b)[\\w-]+){0,3}?\\s+';
/** Excludes compounds: "the text field" is a field, not text. */
const NOT_CONTROL = '(?!\\s+(?:area|box|button|editor|field|input|link|menu|tab)\\b)';

/** Kinds of elements that the instruction mentions, as in "click the picture of the red mug". Such elements get refs. */
export class RequestedKinds {
  readonly roles: ReadonlySet<string>;

  constructor(instruction: string) {
    const requested = KINDS.filter(([words]) =>
      new RegExp(`${POINTING}(?:${words})s?\\b${NOT_CONTROL}`, 'i').test(instruction),
    );
    this.roles = new Set(requested.flatMap(([, roles]) => roles));
  }

  has(visit: Visited, role: string): boolean {
    if (!this.roles.has(role)) return false;
    return role !== 'generic' || (hasOwnText(visit.element) && !visit.display().startsWith('inline'));
  }
}

/** Ignores text in child elements. */
export function hasOwnText(element: Element): boolean {
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node))
    if (node instanceof Text && node.data.trim() !== '') return true;
  return false;
}
