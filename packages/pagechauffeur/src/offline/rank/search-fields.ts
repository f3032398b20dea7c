import { rolesNamed } from '../grammar/kind-words.ts';
import type { Phrase, TargetWord } from '../grammar/phrase.ts';
import { type Line, closest } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { isUnnamedField, takesText } from '../page/roles.ts';
import { isLittleWord, isPlainVerb } from '../text/plain-words.ts';
import { stemsOf } from '../text/words.ts';

const SEARCH: ReadonlySet<string> = new Set(stemsOf('search find lookup query searchbox searchbar'));
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

/**
 * Other search fields that "the search box" may refer to. Empty if the phrase says more than that. In a dialog, only fields of that dialog
 * count.
 */
export function otherSearchFields(page: PageIndex, phrase: Phrase, found: Line): readonly Line[] {
  if (!saysOnlySearch(phrase) || !isSearchField(found)) return [];
  const dialog = closest(found, DIALOGS);
  return page.elements.filter(
    (line) => line !== found && isSearchField(line) && (dialog === null || closest(line, DIALOGS) === dialog),
  );
}

function saysOnlySearch({ words, quoted, ordinal }: Phrase): boolean {
  const isPlain = quoted.length === 0 && !ordinal;
  return isPlain && words.some(isSearchWord) && words.every((word) => isSearchWord(word) || isOfAnyField(word));
}

function isSearchWord({ stem }: TargetWord): boolean {
  return SEARCH.has(stem);
}

function isOfAnyField({ text, stem }: TargetWord): boolean {
  return isLittleWord(text) || isPlainVerb(text) || rolesNamed(stem) !== undefined || WRITING.has(stem);
}

/** Verbs for fields, and nouns for any field. */
const WRITING: ReadonlySet<string> = new Set(
  stemsOf('type enter input write put insert paste fill clear focus bar text form'),
);

function isSearchField({ node, words, label }: Line): boolean {
  if (!takesText(node)) return false;
  const own = label && isUnnamedField(node) ? label.words : words;
  return node.role === 'searchbox' || [...own].some(([stem, strength]) => strength > LEAST_OWN && SEARCH.has(stem));
}

/** Words at or below this strength are the value or the description of a field. */
const LEAST_OWN = 0.85;
