import { isStopWord } from '../text/word-classes.ts';
import { isSameWord } from '../text/concepts.ts';
import { foldText, stemsOf, wordsOf } from '../text/words.ts';
import type { TargetWord } from '../grammar/phrase.ts';

/**
 * Returns the option that equals the value, else the only one that starts with its words: "Germany (DE)" for "Germany".
 */
export function optionNamed(options: readonly string[], value: string): string | null {
  const wanted = foldText(value);
  const same = options.find((option) => option === value) ?? options.find((option) => foldText(option) === wanted);
  if (same !== undefined || wanted === '') return same ?? null;
  const stems = distinctiveStems(value);
  const beginning = options.filter((option) => {
    const own = distinctiveStems(option);
    return stems.length > 0 && stems.every((stem, index) => isSameWord(stem, own[index] ?? ''));
  });
  return beginning.length === 1 ? (beginning[0] ?? null) : null;
}

const DISTINCTIVE_WEIGHT = 0.5;

export interface OptionFit {
  readonly option: string;
  /** Fraction of the option's words that occur in the sentence. */
  readonly fit: number;
  /** Words of the sentence that occur in the option, with the quality of each match from 0 to 1. */
  readonly found: ReadonlyMap<TargetWord, number>;
}

/** Returns the option that matches the sentence best, or `null` if none or several do. */
export function optionMentioned(options: readonly string[], words: readonly TargetWord[]): OptionFit | null {
  const fits: OptionFit[] = [];
  for (const option of options) {
    const fit = hasExtraQuantifier(option, words) ? undefined : fitOf(option, words);
    if (fit && fit.found.size > 0) fits.push(fit);
  }
  const [best, rival] = fits.toSorted((left, right) => right.fit - left.fit || earliness(right) - earliness(left));
  if (!best || (rival && rival.fit === best.fit && earliness(rival) === earliness(best))) return null;
  return best;
}

/** True if the option has a quantifier that the sentence lacks. "All roles" is not a single role. */
function hasExtraQuantifier(option: string, words: readonly TargetWord[]): boolean {
  return wordsOf(option).some(({ text }) => QUANTIFIERS.has(text) && !words.some((word) => word.text === text));
}

const QUANTIFIERS: ReadonlySet<string> = new Set(['all', 'any', 'every', 'everything', 'none', 'no']);

function fitOf(option: string, words: readonly TargetWord[]): OptionFit {
  const stems = distinctiveStems(option);
  const found = new Map<TargetWord, number>();
  let matched = 0;
  for (const stem of stems) {
    let best = 0;
    for (const word of words) {
      const quality = word.weight < DISTINCTIVE_WEIGHT ? 0 : sameness(word, stem);
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

/**
 * Higher if more words match and if they are earlier in the option. For "cheapest first", "Price: low to high" ranks
 * above "Price: high to low".
 */
function earliness({ option, found }: OptionFit): number {
  const stems = stemsOf(option);
  let sum = 0;
  for (const [index, stem] of stems.entries())
    for (const word of found.keys()) if (sameness(word, stem) > 0) sum += 1 / (index + 1);
  return sum;
}

function distinctiveStems(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !isStopWord(word.text))
    .map(({ stem }) => stem);
}
