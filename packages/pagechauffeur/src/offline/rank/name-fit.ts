import type { Line } from '../page/line.ts';
import { callNames, LONGEST_READ, textsIn } from '../page/build-lines.ts';
import type { WordMatches } from '../page/page-index.ts';
import { groupsAround, recordOf } from '../page/surroundings.ts';
import { isStopWord } from '../text/word-classes.ts';
import { foldText, wordsOf } from '../text/words.ts';

/** Weight of a number in a name, which is often a count, as in "Reviews (12)". */
const NUMBER_WEIGHT = 0.3;
const QUOTE_MISSING = 0.4;
const QUOTE_AROUND = 0.95;

/**
 * Returns the fraction of the element's name that the instruction mentions. A name with many other words probably means
 * another element.
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
  const distinctive = words.filter(({ text }) => !isStopWord(text));
  return (distinctive.length > 0 ? distinctive : words).map(({ stem }) => stem);
}

/** Returns 1 if the element contains all quotations verbatim, and less for each one that is only nearby or missing. */
export function quotesFit(line: Line, quoted: readonly string[]): number {
  return quoted.reduce((fit, quote) => fit * quoteFit(line, quote), 1);
}

function quoteFit(line: Line, quote: string): number {
  const { name, placeholder, description, value } = line.node;
  if ([name, placeholder, description, value].some((text) => text !== undefined && holds(text, quote))) return 1;
  if (name === '' && textsIn(line.node).some((text) => holds(text, quote))) return 1;
  // Only the names of groups count, not their content. Otherwise the labels of all fields in a form would be near each
  // field.
  const texts = [line.heading, line.label, recordOf(line)].flatMap((near) =>
    near ? [near.node.name, ...textsIn(near.node)] : [],
  );
  const around = [...texts, ...[...groupsAround(line)].map(({ node }) => node.name)];
  return around.some((text) => holds(text, quote)) ? QUOTE_AROUND : QUOTE_MISSING;
}

function holds(text: string, quote: string): boolean {
  return ` ${foldText(text)} `.includes(` ${quote} `);
}
