import { replacePlaceholders } from '../../util/placeholders.ts';
import { withoutQuotes } from '../../util/quotes.ts';
import { wordsOf } from '../../replay/instruction-words.ts';
import type { RecordedStep } from './recorded-step.ts';
import type { KnownTexts } from './known-texts.ts';

/**
 * Returns the words that make the steps of a task depend on page content: rankings, comparisons, conditions or
 * quantities, such as "cheapest" or "all". Ignores words in the name of an element, such as "Save all".
 */
export function dependenceOf(
  { instruction, variables }: Pick<KnownTexts, 'instruction' | 'variables'>,
  steps: readonly RecordedStep[],
): string | undefined {
  const own = new Set(steps.flatMap(textsOf).flatMap(wordsOf));
  const instructionText = replacePlaceholders(withoutQuotes(instruction), variables, () => ' ');
  return [...instructionText.matchAll(DEPENDS)]
    .map(([words]) => words.toLowerCase())
    .find((words) => !wordsOf(words).every((word) => own.has(word)));
}

const RANKS =
  'cheap(?:est|er)|(?:most|least) [a-z]+|priciest|dearest|lowest|highest|newest|latest|oldest|earliest|soonest|smallest|largest|biggest|' +
  'nearest|closest|shortest|longest|fastest|slowest|lightest|heaviest|youngest|best|worst|fewest|(?:top|best)-rated|last|bottom(?:most)?|final';
const COMPARES =
  '(?:less|more|fewer|greater|higher|lower|other|later|earlier|older|newer|larger|smaller) than|at (?:least|most)|' +
  '(?:under|over|below|above|before|up to) [^\\p{L}\\s]?\\d[\\d.,]*';
const CONDITIONS = 'if|unless|in case|otherwise|depending on|(?<!wait )until|while|as long as|only when';
const QUANTITIES = 'all|each|every|everything|everyone|any remaining|the rest|remaining|as many';
/** The most common of these words in German, French, Spanish and Italian. */
const COMMON_FOREIGN_WORDS =
  'billigsten?|günstigsten?|teuersten?|neuesten?|ältesten?|letzten?|wenn|falls|alle[ns]?|jede[nrs]?|' +
  'si|tous|toutes|chaque|(?:le|la|les) (?:plus|moins) \\p{L}+|dernière?|todos|todas|cada|(?:el|la|los|las) (?:más|menos) \\p{L}+|último|última|' +
  'tutti|tutte|ogni|(?:il|la|i|le) (?:più|meno) \\p{L}+|ultim[oa]';

const DEPENDS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${[RANKS, COMPARES, CONDITIONS, QUANTITIES, COMMON_FOREIGN_WORDS].join('|')})(?![\\p{L}\\p{N}_-])`,
  'giu',
);

function textsOf({ element }: RecordedStep): readonly string[] {
  if (!element) return [];
  const { name, title, column, sections, row } = element.step.fingerprint;
  return [name, title, column, ...sections, ...row];
}
