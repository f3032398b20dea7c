import type { Phrase } from '../grammar/phrase.ts';
import { type Line, closest } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { takesText } from '../page/roles.ts';
import { isStopWord } from '../text/word-classes.ts';
import type { Account } from './account.ts';

interface Found {
  readonly line: Line;
  readonly account: Account;
}

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);
/** Maximum number of words in a field label. Longer text is prose. */
const LONGEST_LABEL = 3;
/** Minimum number of words after the title in a card's name. */
const MIN_DESCRIPTION = 4;

/**
 * Returns other elements that the phrase may mean: fields with these words in their name or label ("User name" and
 * "Real name" for "the name"), or cards with these words as their title.
 */
export function likeNamed(page: PageIndex, phrase: Phrase, found: Found): readonly Line[] {
  const said = phrase.words
    .filter(({ sort, weight }) => weight > 0 && sort !== 'verb' && sort !== 'kind')
    .map(({ text }) => text);
  const hasLocation = phrase.words.some(({ isMain, weight }) => !isMain && weight > 0);
  if (said.length === 0 || hasLocation || phrase.ordinal || found.account.tier > 1) return [];
  const { line, account } = found;
  const dialog = closest(line, DIALOGS);
  const isAlike = takesText(line.node) ? isFieldCalled : isCardTitled;
  return page.elements.filter(
    (other) =>
      other !== line &&
      (dialog === null || closest(other, DIALOGS) === dialog) &&
      (!account.isOfRole || takesText(line.node) || other.node.role === line.node.role) &&
      isAlike(other, said, account.tier === 0),
  );
}

/** True if the name, placeholder or label contains the words. With `isExact`, it must contain no others. */
function isFieldCalled({ node, label }: Line, said: readonly string[], isExact: boolean): boolean {
  if (!takesText(node)) return false;
  const before = plainWords(label?.node.name ?? '');
  const texts = [
    plainWords(node.name),
    plainWords(node.placeholder ?? ''),
    before.length > LONGEST_LABEL ? [] : before,
  ];
  return texts.some(
    (words) => said.every((word) => words.includes(word)) && (!isExact || words.every((word) => said.includes(word))),
  );
}

/**
 * True if a card's name starts with the words as a title: "Getting started Set up your workspace and invite your team".
 */
function isCardTitled({ node }: Line, said: readonly string[], isExact: boolean): boolean {
  const words = node.name.split(/\s+/);
  const rest = words.slice(said.length);
  const isTitle = said.every((word, index) => words[index]?.toLowerCase() === word);
  return isExact && isTitle && rest.length >= MIN_DESCRIPTION && /^\p{Lu}/u.test(rest[0] ?? '');
}

/** Does not join compounds, so that "User name" contains "name". */
function plainWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !isStopWord(word));
}
