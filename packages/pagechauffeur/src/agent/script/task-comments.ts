import { splitClauses } from '../../model/offline/agent/split-clauses.ts';
import { isSameWord, wordsIn } from '../../policy/words.ts';

/** Words that say nothing of which element is meant. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the to of in on at for with and or it its this that into as is be by from click press tap open go button link field box ' +
    'checkbox text textbox page list row'
  ).split(' '),
);

/** What leads to the last name of a path or an address: folders may be called anything. */
const FOLDERS = /(?<!\S)(?:[a-z][a-z\d+.-]*:|~|\.{1,2})?[\\/](?:\S*[\\/])?(?=[^\s\\/])/gi;

/** What a step is about, in words. */
interface StepWords {
  /** What is done, to what, and with what. */
  readonly own: string;
  /** What stands around the element that it is done to. */
  readonly around: string;
}

/** What a step says itself counts more than what stands around it. */
const OWN_WEIGHT = 3;

/** The parts of a task, each to stand before the first step that it speaks of. */
export class TaskComments {
  readonly #parts: readonly string[];
  /** How many of them were told. */
  #told = 0;

  constructor(instruction: string) {
    this.#parts = splitClauses(instruction).map((part) => part.replaceAll(/\s+/g, ' '));
  }

  /** The parts that belong before a step, and were not yet told; a task begins with its first. */
  before(step: StepWords): readonly string[] {
    const [own, around] = [significantWords(step.own), significantWords(step.around)];
    const current = Math.max(0, this.#told - 1);
    const scores = this.#parts
      .slice(current)
      .map((part) => OWN_WEIGHT * sharedWords(part, own) + sharedWords(part, around));
    const best = Math.max(...scores);
    return this.#takeUpTo(best < OWN_WEIGHT ? current : current + scores.indexOf(best));
  }

  /** What has not been told. */
  rest(): readonly string[] {
    return this.#takeUpTo(this.#parts.length - 1);
  }

  #takeUpTo(last: number): readonly string[] {
    const taken = this.#parts.slice(this.#told, last + 1);
    this.#told = Math.max(this.#told, last + 1);
    return taken.map((part) => `// ${part}`);
  }
}

function significantWords(text: string): readonly string[] {
  return wordsIn(text.replaceAll(FOLDERS, '')).filter((word) => !LITTLE_WORDS.has(word));
}

/** The verb that a part begins with counts twice. */
function sharedWords(part: string, words: readonly string[]): number {
  const said = wordsIn(part.replaceAll(FOLDERS, ''));
  const [verb = ''] = said;
  const shared = new Set(words.filter((word) => said.some((other) => isSameWord(word, other))));
  return shared.size + (words.some((word) => isSameWord(word, verb)) ? 1 : 0);
}
