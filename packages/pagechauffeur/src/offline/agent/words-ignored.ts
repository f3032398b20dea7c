import { LIKELY_NAMES, placeholderOf, placeholdersIn } from '../../util/placeholders.ts';
import { MaskedText, withoutHidden } from '../grammar/masked-text.ts';
import { findOrdinal, spellOrdinals } from '../grammar/ordinal.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import type { Line } from '../page/line.ts';
import { similarity } from '../text/concepts.ts';
import { isActionVerb, isAlsoNoun, isStopWord } from '../text/word-classes.ts';
import { wordsOf, type Word } from '../text/words.ts';
import type { Situation } from './situation.ts';

/** How surely a word must stand on an element or around it. */
export const BORNE_OUT = 0.3;
/** Words that choose by comparing, which nobody does unless the page itself says them. */
const RANKS =
  /^(?:newest|latest|oldest|earliest|soonest|largest|smallest|biggest|best|worst|longest|shortest|fastest|slowest|highest|lowest|cheapest|nearest|closest|heaviest|lightest)$/;
const COUNTS = /^(?:couple|pair|dozen|two|three|four|five|six|seven|eight|nine|ten|\d+)$/;

/**
 * What an instruction says in so many words, and a step takes no notice of: names, numbers, values of variables, and what something is
 * to become. Of several clauses each is taken at its word, for nobody looks at what came of it before the next.
 */
export function wordsIgnored(situation: Situation, action: ProposedAction, words: string): readonly string[] {
  const { ref, method, arguments: args } = action;
  const given = args.join(' ');
  const known = new Set(situation.variables.map(({ name }) => name));
  const placeholders = placeholdersIn(words, { has: (name) => known.has(name) || LIKELY_NAMES.has(name) })
    .map(placeholderOf)
    .filter((placeholder) => !given.includes(placeholder));
  const line = situation.index.elements.find(({ node }) => node.ref === ref);
  const excluding = line ? exclusionsIn(words, `${line.node.name} ${given}`) : [];
  if (!line || excluding.length > 0 || (method !== 'click' && method !== 'doubleClick'))
    return [...placeholders, ...excluding];
  if (line.node.role === 'link' && CHANGING.test(words))
    return [...placeholders, JSON.stringify(words.split(' ', 1)[0])];
  if (LOOKING.test(words) && doesSomethingElse(line, words))
    return [...placeholders, JSON.stringify(words.split(' ', 1)[0])];
  const names = namesIn(words).filter(({ stem }) => situation.ranker.ownOrAround(stem, line) < BORNE_OUT);
  return [...placeholders, ...[...names, ...goalMissing(line, words)].map(({ text }) => JSON.stringify(text))];
}

/** What is left out is not weighed: "all but the tray" is neither all nor the tray. */
const EXCLUDING =
  /\b(?:not|except(?:ing)?|excluding|without|but|other than|apart from|instead of|rather than|neither|unlike)\b|n['’]t\b/gi;
const AVOIDING = /^(?:please )?(?:do not|don['’]?t|never)\b/i;

/** By what words an instruction leaves something out. */
export function leftOutBy(words: string): readonly string[] {
  return withoutHidden(new MaskedText(words.replace(AVOIDING, '')).text).match(EXCLUDING) ?? [];
}

/** Words that leave something out, and that neither the element nor what it is given has. */
function exclusionsIn(words: string, given: string): readonly string[] {
  return leftOutBy(words)
    .filter((word) => !given.toLowerCase().includes(word.toLowerCase()))
    .map((word) => JSON.stringify(word));
}

/** What changes something is not done by following a link that only bears a name. */
const CHANGING = /^(?:put|move|copy|set|bring|make|turn)\b/i;

/** What is only to be looked at is not done by a control that does something to it. */
const LOOKING = /^(?:open|view|show|see|display|visit|read|look at|go to)\b/i;

/** Whether a control is named by a verb that an instruction says in no way: "Buy again" for "open the last order". */
function doesSomethingElse({ node: { name } }: Line, words: string): boolean {
  const [verb] = wordsOf(name);
  if (!verb || !isActionVerb(verb.stem)) return false;
  const said = wordsOf(words).map(({ stem }) => stem);
  return !said.some((stem) => stem === verb.stem || (!isAlsoNoun(stem) && similarity(stem, verb.stem) > 0));
}

/** Names and numbers; not where in a row something stands. */
function namesIn(words: string): readonly Word[] {
  const plain = withoutHidden(new MaskedText(words).text);
  const ordinal = findOrdinal(plain)?.word;
  return wordsOf(spellOrdinals(plain).replace(/^\S+/, '')).filter(
    ({ text, isCapitalized }) =>
      text !== ordinal && ((isCapitalized && !isStopWord(text)) || COUNTS.test(text) || RANKS.test(text)),
  );
}

const BECOMING = /^(?:rename|change|replace|set|update|edit)\b.+\s(?:to|by|with|into)\s+(?<goal>.+)$/i;

/** Of "rename it to About", what is not on the element: a click that gives nothing that name is another thing. */
function goalMissing({ words: own }: Line, words: string): readonly Word[] {
  const goal = BECOMING.exec(words)?.groups?.['goal'] ?? '';
  return wordsOf(goal).filter(({ stem }) => !own.has(stem));
}
