import { LIKELY_NAMES, placeholderOf, placeholdersIn } from '../../util/placeholders.ts';
import { MaskedText, withoutHidden } from '../grammar/masked-text.ts';
import { findOrdinal, spellOrdinals } from '../grammar/ordinal.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import type { Line } from '../page/line.ts';
import { similarity } from '../text/concepts.ts';
import { isActionVerb, isAlsoNoun, isStopWord } from '../text/word-classes.ts';
import { wordsOf, type Word } from '../text/words.ts';
import type { Situation } from './situation.ts';

/** Minimum strength with which a word must occur on or near the element. */
export const MIN_SUPPORT = 0.3;
/** Superlatives. The model compares only prices, so the page must contain the word itself. */
const RANKS =
  /^(?:newest|latest|oldest|earliest|soonest|largest|smallest|biggest|best|worst|longest|shortest|fastest|slowest|highest|lowest|cheapest|nearest|closest|heaviest|lightest)$/;
const COUNTS = /^(?:couple|pair|dozen|two|three|four|five|six|seven|eight|nine|ten|\d+)$/;

/**
 * Returns the words that a step would ignore, such as names, numbers, variables and exclusions. The agent checks each
 * step, because nobody reviews it before it runs.
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
  if (VIEW_VERBS.test(words) && hasOtherPurpose(line, words))
    return [...placeholders, JSON.stringify(words.split(' ', 1)[0])];
  const names = namesIn(words).filter(({ stem }) => situation.ranker.ownOrAround(stem, line) < MIN_SUPPORT);
  return [...placeholders, ...[...names, ...goalMissing(line, words)].map(({ text }) => JSON.stringify(text))];
}

/** Words that exclude something. The model cannot evaluate "all but the tray". */
const EXCLUDING =
  /\b(?:not|except(?:ing)?|excluding|without|but|other than|apart from|instead of|rather than|neither|unlike)\b|n['’]t\b/gi;
const AVOIDING = /^(?:please )?(?:do not|don['’]?t|never)\b/i;

export function leftOutBy(words: string): readonly string[] {
  return withoutHidden(new MaskedText(words.replace(AVOIDING, '')).text).match(EXCLUDING) ?? [];
}

/** Returns excluding words that are not part of the element's name or the arguments. */
function exclusionsIn(words: string, given: string): readonly string[] {
  return leftOutBy(words)
    .filter((word) => !given.toLowerCase().includes(word.toLowerCase()))
    .map((word) => JSON.stringify(word));
}

/** Verbs for changes, which following a link does not make. */
const CHANGING = /^(?:put|move|copy|set|bring|make|turn)\b/i;

/** Verbs that change nothing. A control that changes something is the wrong target. */
const VIEW_VERBS = /^(?:open|view|show|see|display|visit|read|look at|go to)\b/i;

/**
 * True if the control's name starts with an action verb that the instruction lacks, such as "Buy again" for "open the
 * last order".
 */
function hasOtherPurpose({ node: { name } }: Line, words: string): boolean {
  const [verb] = wordsOf(name);
  if (!verb || !isActionVerb(verb.stem)) return false;
  const said = wordsOf(words).map(({ stem }) => stem);
  return !said.some((stem) => stem === verb.stem || (!isAlsoNoun(stem) && similarity(stem, verb.stem) > 0));
}

function namesIn(words: string): readonly Word[] {
  const plain = withoutHidden(new MaskedText(words).text);
  const ordinal = findOrdinal(plain)?.word;
  return wordsOf(spellOrdinals(plain).replace(/^\S+/, '')).filter(
    ({ text, isCapitalized }) =>
      text !== ordinal && ((isCapitalized && !isStopWord(text)) || COUNTS.test(text) || RANKS.test(text)),
  );
}

const BECOMING = /^(?:rename|change|replace|set|update|edit)\b.+\s(?:to|by|with|into)\s+(?<goal>.+)$/i;

/**
 * Returns words of a new value that the element does not contain, such as "About" in "rename it to About". A click
 * cannot enter them.
 */
function goalMissing({ words: own }: Line, words: string): readonly Word[] {
  const goal = BECOMING.exec(words)?.groups?.['goal'] ?? '';
  return wordsOf(goal).filter(({ stem }) => !own.has(stem));
}
