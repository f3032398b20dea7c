import { isStopWord } from '../text/word-classes.ts';
import { isSameWord } from '../text/concepts.ts';
import { foldText, stemsOf, wordsOf } from '../text/words.ts';
import type { TargetWord } from '../grammar/phrase.ts';

/** The option of a select that a value names: the same words, or the only one that begins with them, such as "Germany (DE)". */
export function optionNamed(options: readonly string[], value: string): string | null {
  const wanted = foldText(value);
  const same = options.find((option) => option === value) ?? options.find((option) => foldText(option) === wanted);
  if (same !== undefined || wanted === '') return same ?? null;
  const stems = tellingStems(value);
  const beginning = options.filter((option) => {
    const own = tellingStems(option);
    return stems.length > 0 && stems.every((stem, index) => isSameWord(stem, own[index] ?? ''));
  });
  return beginning.length === 1 ? (beginning[0] ?? null) : null;
}

/** Words lighter than this name no option. */
const TELLING_WEIGHT = 0.5;

/** How well an option is named by the words of a whole sentence. */
export interface OptionFit {
  readonly option: string;
  /** The share of the option's own words that the sentence has. */
  readonly fit: number;
  /** Weights of the sentence's words, times how well the option has them. */
  readonly found: ReadonlyMap<TargetWord, number>;
}

/** The option that the words of a sentence name best; null when none does. */
export function optionMentioned(options: readonly string[], words: readonly TargetWord[]): OptionFit | null {
  const meant = options.filter((option) => !saysMore(option, words));
  const fits = meant.map((option) => fitOf(option, words)).filter(({ found }) => found.size > 0);
  const [best, rival] = fits.toSorted((left, right) => right.fit - left.fit || earliness(right) - earliness(left));
  if (!best || (rival && rival.fit === best.fit && earliness(rival) === earliness(best))) return null;
  return best;
}

/** "All roles" is more than the role. */
function saysMore(option: string, words: readonly TargetWord[]): boolean {
  return wordsOf(option).some(({ text }) => QUANTIFIERS.has(text) && !words.some((word) => word.text === text));
}

const QUANTIFIERS: ReadonlySet<string> = new Set(['all', 'any', 'every', 'everything', 'none', 'no']);

function fitOf(option: string, words: readonly TargetWord[]): OptionFit {
  const stems = tellingStems(option);
  const found = new Map<TargetWord, number>();
  let matched = 0;
  for (const stem of stems) {
    let best = 0;
    for (const word of words) {
      const quality = word.weight < TELLING_WEIGHT ? 0 : sameness(word, stem);
      if (quality > (found.get(word) ?? 0)) found.set(word, quality);
      best = Math.max(best, quality);
    }
    matched += best;
  }
  return { option, fit: stems.length === 0 ? 0 : matched / stems.length, found };
}

const NEARLY_SAME = 0.9;

function sameness({ stem, isName }: TargetWord, other: string): number {
  if (stem === other) return 1;
  return !isName && isSameWord(stem, other) ? NEARLY_SAME : 0;
}

/** "Price: low to high" is what "cheapest first" means, not "Price: high to low": what is mentioned stands first. */
function earliness({ option, found }: OptionFit): number {
  const stems = stemsOf(option);
  let sum = 0;
  for (const [index, stem] of stems.entries())
    for (const word of found.keys()) if (sameness(word, stem) > 0) sum += 1 / (index + 1);
  return sum;
}

function tellingStems(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !isStopWord(word.text))
    .map(({ stem }) => stem);
}
