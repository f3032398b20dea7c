import { addressOf, type Line } from '../page/line.ts';
import { doingVerb } from '../rank/account.ts';
import { similarity } from '../text/concepts.ts';
import { isStopWord } from '../text/word-classes.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import { leftOutBy } from './words-ignored.ts';
import { callOf, type Plan, type Situation } from './situation.ts';

const SAME_MEANING = 0.9;
const PLACE = /.*\s(?:in|into|to|onto|from)\s+(?<place>.+)$/i;

/**
 * Finds a link to the page where the clause can be done: for "return order 7", the link "Your orders". The link's name may contain only
 * words of the clause. Follows one link per clause. Returns null if there is no such link.
 */
export function planWay(situation: Situation): Plan | null {
  const { clause, deeds, earlier } = situation;
  if (deeds.length > 0 || !WAYFARING.has(clause.asked.kind) || leftOutBy(clause.words).length > 0) return null;
  const before = PLACE.exec(earlier.at(-1)?.clause.words ?? '')?.groups?.['place'] ?? '';
  const link = linkTo(situation, objectOf(clause.words)) ?? linkTo(situation, before);
  return link ? callOf(situation, 'click', { ref: link.node.ref }, situation.part) : null;
}

/** The object of a clause, without the place or the owner after a preposition. */
function objectOf(words: string): string {
  return words.replace(/^\S+/, '').replace(/\s(?:in|into|on|onto|of|from|to|for|with|under|at|by)\s.*$/i, '');
}

const WAYFARING: ReadonlySet<string> = new Set(['act', 'download', 'read']);

/** The link whose whole name is in these words. A link named by a verb does something and is skipped. */
function linkTo({ index, page }: Situation, words: string): Line | null {
  const said = stemsOf(words);
  const isSaid = (stem: string): boolean => said.some((other) => similarity(other, stem) >= SAME_MEANING);
  const links = index.elements.filter((line) => {
    const name = wordsOf(line.node.name).filter(({ text }) => !isStopWord(text) && !/^\d/.test(text));
    const isWay = line.node.role === 'link' && isElsewhere(line, page.url) && doingVerb(line.node) === undefined;
    // If all words of the link are in the page title, it leads to the current page.
    const isHere = name.every(({ stem }) => index.titleWords.has(stem));
    return isWay && name.length > 0 && !isHere && name.every(({ stem }) => isSaid(stem));
  });
  const [first] = links;
  return first && links.every((line) => addressOf(line) === addressOf(first)) ? first : null;
}

function isElsewhere(line: Line, here: string): boolean {
  const address = addressOf(line);
  return address !== undefined && address.replace(/#.*$/, '') !== here.replace(/#.*$/, '');
}
