import { isSameWord, wordsIn } from '../../verb/limits/words.ts';

/** Where the parts of a task's sentences end. */
const PART_END = /(?<=[.!?;])\s+|\n+|,\s+(?:and\s+)?(?:then\s+)?(?=\S+\s)|\s+(?:and\s+)?then\s+/;
/** Words that say nothing of which element is meant. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the to of in on at for with and or it its this that into as is be by from click press tap open go button link field box ' +
    'checkbox text textbox page list row'
  ).split(' '),
);

/** What leads to the last name of a path or an address: folders may be called anything. */
const FOLDERS = /(?<!\S)(?:[a-z][a-z\d+.-]*:|~|\.{1,2})?[\\/](?:\S*[\\/])?(?=[^\s\\/])/gi;

/** The sentences of a task, each to stand before the first step that it speaks of. */
export class TaskComments {
  #parts: readonly string[];

  constructor(instruction: string) {
    this.#parts = instruction
      .split(PART_END)
      .map((part) => part.replaceAll(/\s+/g, ' ').trim())
      .filter((part) => part !== '');
  }

  /** The sentences that belong before a step of these words, and were not yet told. */
  before(step: string): readonly string[] {
    const words = wordsIn(step.replaceAll(FOLDERS, '')).filter((word) => !LITTLE_WORDS.has(word));
    const scores = this.#parts.map((part) => sharedWords(part, words));
    const best = Math.max(0, ...scores);
    return best === 0 ? [] : this.#take(scores.indexOf(best) + 1);
  }

  /** What has not been told. */
  rest(): readonly string[] {
    return this.#take(this.#parts.length);
  }

  #take(count: number): readonly string[] {
    const taken = this.#parts.slice(0, count);
    this.#parts = this.#parts.slice(count);
    return taken.map((part) => `// ${part}`);
  }
}

function sharedWords(part: string, words: readonly string[]): number {
  const said = wordsIn(part.replaceAll(FOLDERS, ''));
  return words.filter((word) => said.some((other) => isSameWord(word, other))).length;
}
