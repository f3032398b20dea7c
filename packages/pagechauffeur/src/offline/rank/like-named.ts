import type { Phrase } from '../grammar/phrase.ts';
import { type Line, closest } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { takesText } from '../page/roles.ts';
import { isStopWord } from '../text/word-classes.ts';
import type { Account } from './account.ts';

/** What was found for a phrase. */
interface Found {
  readonly line: Line;
  readonly account: Account;
}

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);
/** A longer text before a field does not name it. */
const LONGEST_LABEL = 3;
/** Of a card's name so many words at least come after its title. */
const LEAST_DESCRIPTION = 4;

/**
 * Elements that a person calls by the same words as the one that was found, though they are named otherwise: a field after a text with these
 * words, "User name" beside "Real name" for "the name", a card that has them for its title.
 */
export function likeNamed(page: PageIndex, phrase: Phrase, found: Found): readonly Line[] {
  const said = phrase.words
    .filter(({ sort, weight }) => weight > 0 && sort !== 'verb' && sort !== 'kind')
    .map(({ text }) => text);
  const isPlaced = phrase.words.some(({ isMain, weight }) => !isMain && weight > 0);
  if (said.length === 0 || isPlaced || phrase.ordinal || found.account.tier > 1) return [];
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

/** Whether one of the texts at a field has the words; where another field is named in full, only one that consists of them counts. */
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

/** "Getting started Set up your workspace and invite your team": the name of a card begins with its title. */
function isCardTitled({ node }: Line, said: readonly string[], isExact: boolean): boolean {
  const words = node.name.split(/\s+/);
  const rest = words.slice(said.length);
  const isTitle = said.every((word, index) => words[index]?.toLowerCase() === word);
  return isExact && isTitle && rest.length >= LEAST_DESCRIPTION && /^\p{Lu}/u.test(rest[0] ?? '');
}

/** Words as they are written: "User name" has the word "name". */
function plainWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !isStopWord(word));
}
