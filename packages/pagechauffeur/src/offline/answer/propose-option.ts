import type { Phrase, TargetWord } from '../grammar/phrase.ts';
import type { Reading } from '../grammar/reading.ts';
import { isWhole } from '../rank/account.ts';
import { type OptionFit, optionMentioned } from '../rank/best-option.ts';
import type { Decision, Understood } from '../rank/decide.ts';
import { oneWinner } from '../rank/one-winner.ts';
import type { Ranker } from '../rank/ranker.ts';
import { isInOpenList } from './propose-choice.ts';
import { propose, type Proposal } from './proposal.ts';

const LEAST_FIT = 0.5;
const SHARE = { base: 0.75, fit: 0.25 };

/** "show only shipped orders": a select with an option in the sentence. The other words must describe the select. */
export function proposeOption(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const optionByRef = new Map<string, string>();
  const understood: Understood[] = [];
  for (const line of ranker.page.elements) {
    const { options, ref = '' } = line.node;
    const mentioned = options && optionMentioned(options, reading.target.words);
    if (!mentioned || mentioned.fit < LEAST_FIT) continue;
    const account = ranker.account(line, withoutOption(reading.target, mentioned), { intent: 'option' });
    if (!isWhole(account)) continue;
    optionByRef.set(ref, mentioned.option);
    understood.push({ line, account, coverage: 1, own: 0, score: SHARE.base + SHARE.fit * mentioned.fit });
  }
  if (understood.length > 0) understood.push(...listOptions(ranker, reading, understood));
  const equals = understood.toSorted((left, right) => right.score - left.score);
  const winner = oneWinner(equals, { page: ranker.page });
  const decision: Decision = { winner, equals: winner ? [winner] : equals, understood, nearest: equals, missing: [] };
  const proposal = propose(reading, decision, ({ ref = '' }) => ({
    method: 'select',
    arguments: [optionByRef.get(ref) ?? ''],
  }));
  return proposal ? [proposal] : [];
}

/** Options of multi-select listboxes that match the sentence as well as an option of a select. */
function listOptions(ranker: Ranker, { target }: Reading, [best]: readonly Understood[]): readonly Understood[] {
  return ranker.page.elements.filter(isInOpenList).flatMap((line) => {
    const told = ranker.account(line, target, { intent: 'option' });
    return best && isWhole(told) ? [{ ...best, line, account: told }] : [];
  });
}

/** Words that go with an option: "only the shipped ones", "cheapest first". */
const CHOOSING_ONE: ReadonlySet<string> = new Set(['only', 'first']);

/** The target without the words of the option. */
function withoutOption(target: Phrase, { found }: OptionFit): Phrase {
  const isOption = (word: TargetWord): boolean => found.has(word) || CHOOSING_ONE.has(word.text);
  return { ...target, quoted: [], roles: null, words: target.words.filter((word) => !isOption(word)) };
}
