import type { Reading } from '../grammar/reading.ts';
import type { TargetWord } from '../grammar/phrase.ts';
import type { Candidate, Ranker } from '../rank/ranker.ts';
import { optionMentioned, type OptionFit } from '../rank/best-option.ts';
import { bestOnes, oneWinner } from '../rank/one-winner.ts';
import { propose, type Proposal } from './proposal.ts';

const LEAST_FIT = 0.5;
const LEAST_COVERAGE = 0.62;
const SHARE = { coverage: 0.75, fit: 0.25 };

/** "show only shipped orders": a select one of whose options the sentence mentions, the rest being about the select. */
export function proposeOption(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const optionByRef = new Map<string, string>();
  const candidates: Candidate[] = [];
  for (const line of ranker.page.elements) {
    const { options, ref = '' } = line.node;
    const mentioned = options && optionMentioned(options, reading.target.words);
    if (!mentioned || mentioned.fit < LEAST_FIT) continue;
    const coverage = coverageOf(reading.target.words, mentioned, (word) => ranker.ownOrAround(word.stem, line));
    if (coverage < LEAST_COVERAGE) continue;
    optionByRef.set(ref, mentioned.option);
    candidates.push({ line, coverage, own: 0, score: SHARE.coverage * coverage + SHARE.fit * mentioned.fit });
  }
  const nearest = candidates.toSorted((left, right) => right.score - left.score);
  const winner = oneWinner(bestOnes(nearest), null);
  const proposal = propose(
    reading,
    { winner, isAmbiguous: winner === null && nearest.length > 0, nearest },
    ({ ref = '' }) => ({
      method: 'select',
      arguments: [optionByRef.get(ref) ?? ''],
    }),
  );
  return proposal ? [proposal] : [];
}

function coverageOf(
  words: readonly TargetWord[],
  { found }: OptionFit,
  elsewhere: (word: TargetWord) => number,
): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const covered = words.reduce((sum, word) => sum + word.weight * Math.max(found.get(word) ?? 0, elsewhere(word)), 0);
  return total === 0 ? 0 : covered / total;
}
