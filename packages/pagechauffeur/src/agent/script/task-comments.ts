import { splitClauses } from '../../offline/agent/split-clauses.ts';
import { isSameWord, wordsIn } from '../../policy/words.ts';

/** Words that do not distinguish elements. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the to of in on at for with and or it its this that into as is be by from click press tap open go button link field box ' +
    'checkbox text textbox page list row'
  ).split(' '),
);

/** Directories before the last name of a path or URL. Their names carry no meaning. */
const FOLDERS = /(?<!\S)(?:[a-z][a-z\d+.-]*:|~|\.{1,2})?[\\/](?:\S*[\\/])?(?=[^\s\\/])/gi;

/** Words about a step. */
interface StepWords {
  /** The action, its element and arguments. */
  readonly own: string;
  /** Text around the element. */
  readonly around: string;
}

/** Weight of a step's own words compared to words around its element. */
const OWN_WEIGHT = 3;

/** The parts of a task as comments, each before the first step that it describes. */
export class TaskComments {
  readonly #parts: readonly string[];
  /** Number of parts that were written. */
  #written = 0;

  constructor(instruction: string) {
    this.#parts = splitClauses(instruction).map((part) => part.replaceAll(/\s+/g, ' '));
  }

  /** Parts to write before a step. The first step always gets the first part. */
  before(step: StepWords): readonly string[] {
    const [own, around] = [significantWords(step.own), significantWords(step.around)];
    const current = Math.max(0, this.#written - 1);
    const scores = this.#parts
      .slice(current)
      .map((part) => OWN_WEIGHT * sharedWords(part, own) + sharedWords(part, around));
    const best = Math.max(...scores);
    return this.#takeUpTo(best < OWN_WEIGHT ? current : current + scores.indexOf(best));
  }

  /** Parts that were not written. */
  rest(): readonly string[] {
    return this.#takeUpTo(this.#parts.length - 1);
  }

  #takeUpTo(last: number): readonly string[] {
    const taken = this.#parts.slice(this.#written, last + 1);
    this.#written = Math.max(this.#written, last + 1);
    return taken.map((part) => `// ${part}`);
  }
}

function significantWords(text: string): readonly string[] {
  return wordsIn(text.replaceAll(FOLDERS, '')).filter((word) => !LITTLE_WORDS.has(word));
}

/** The verb at the start of a part counts twice. */
function sharedWords(part: string, words: readonly string[]): number {
  const said = wordsIn(part.replaceAll(FOLDERS, ''));
  const [verb = ''] = said;
  const shared = new Set(words.filter((word) => said.some((other) => isSameWord(word, other))));
  return shared.size + (words.some((word) => isSameWord(word, verb)) ? 1 : 0);
}
