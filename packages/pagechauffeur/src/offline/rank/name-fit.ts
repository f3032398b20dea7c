import type { Line } from '../page/line.ts';
import { callNames, LONGEST_READ, textsIn } from '../page/build-lines.ts';
import type { WordMatches } from '../page/page-index.ts';
import { groupsAround, recordOf } from '../page/surroundings.ts';
import { isStopWord } from '../text/word-classes.ts';
import { foldText, wordsOf } from '../text/words.ts';

/** Weight of numbers in a name, which are often counts, as in "Reviews (12)". */
const NUMBER_WEIGHT = 0.3;
const QUOTE_MISSING = 0.4;
const QUOTE_AROUND = 0.95;

/**
 * Returns the fraction of an element's name that the instruction contains. An element with many other words in its name
 * is probably a different one.
 */
export function nameFit(line: Line, words: readonly { readonly matches: WordMatches }[]): number {
  const stems = namingStems(line);
  let total = 0;
  let found = 0;
  for (const stem of stems) {
    const weight = /^\d/.test(stem) ? NUMBER_WEIGHT : 1;
    total += weight;
    found += weight * words.reduce((best, word) => Math.max(best, word.matches.get(stem) ?? 0), 0);
  }
  return total === 0 ? 0 : found / total;
}

function namingStems({ node }: Line): readonly string[] {
  const name =
    node.name || node.placeholder || node.description || callNames(node).join(' ') || textsIn(node).join(' ');
  const words = wordsOf(name.slice(0, LONGEST_READ));
  const telling = words.filter(({ text }) => !isStopWord(text));
  return (telling.length > 0 ? telling : words).map(({ stem }) => stem);
}

/**
 * Returns how well quoted texts match: 1 if the element contains all of them verbatim, less if some are only near it or
 * missing.
 */
export function quotesFit(line: Line, quoted: readonly string[]): number {
  return quoted.reduce((fit, quote) => fit * quoteFit(line, quote), 1);
}

function quoteFit(line: Line, quote: string): number {
  const { name, placeholder, description, value } = line.node;
  if ([name, placeholder, description, value].some((text) => text !== undefined && holds(text, quote))) return 1;
  if (name === '' && textsIn(line.node).some((text) => holds(text, quote))) return 1;
  // Only the name of a form or section counts, because the labels of all its fields are near each field.
  const texts = [line.heading, line.label, recordOf(line)].flatMap((near) =>
    near ? [near.node.name, ...textsIn(near.node)] : [],
  );
  const around = [...texts, ...[...groupsAround(line)].map(({ node }) => node.name)];
  return around.some((text) => holds(text, quote)) ? QUOTE_AROUND : QUOTE_MISSING;
}

function holds(text: string, quote: string): boolean {
  return ` ${foldText(text)} `.includes(` ${quote} `);
}
