import { findStep, type FoundStep, longerName, quotedList } from '../answer/answer-act.ts';
import { describeNode } from '../answer/proposal.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import type { Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { recordOf } from '../page/surroundings.ts';
import type { Mismatch } from '../rank/decide.ts';
import { Ranker } from '../rank/ranker.ts';
import { requestedRecord, spelledOut } from './pronouns.ts';
import type { Situation } from './situation.ts';

/**
 * Finds the step for a phrase on the current page. If a pronoun has several possible meanings, returns the first one
 * that matches.
 */
export function stepFor(situation: Situation, words: string): FoundStep {
  let first: FoundStep | undefined;
  for (const variant of spelledOut(words, situation)) {
    const answer = stepSpelledOut(situation, variant, words);
    if (answer.action) return answer;
    first ??= answer;
  }
  return first ?? NOTHING;
}

const NOTHING: FoundStep = { action: null, twoStep: false, reason: '', candidates: [], mismatch: null };

/**
 * Like {@link stepFor}, with pronouns replaced in `words`. `pointing` is the original phrase, which may point to the
 * record of the last step.
 */
export function stepSpelledOut(situation: Situation, words: string, pointing: string): FoundStep {
  const { ranker, variables } = situation;
  const readings = readInstruction(asPlainClick(words), variables);
  const near = requestedRecord(pointing, situation);
  const nearby = near && findStep(new Ranker(near), readings);
  return nearby?.action ? nearby : findStep(ranker, readings);
}

/** Replaces "open" in "open the File menu", because it is not part of the name. */
function asPlainClick(words: string): string {
  return words.replace(/^open (the .+ menu)$/i, 'click $1');
}

/** Says why no step was found. Lists equal matches or the nearest elements. */
export function reasonOf({ index }: Pick<Situation, 'index'>, answer: FoundStep | undefined): string {
  const { candidates = [], outcome, mismatch = null } = answer ?? {};
  const named = candidates.flatMap((ref) => {
    const line = index.elements.find(({ node }) => node.ref === ref);
    return line ? [phraseOf(index, line)] : [];
  });
  if (outcome === 'ambiguous') return `${named.length} elements match equally well: ${named.join('; ')}`;
  if (named.length === 0) return 'no element on the page contains any word of the clause';
  return `${mismatchPhrase(mismatch)}; nearest matches: ${named.join('; ')}`;
}

function mismatchPhrase(mismatch: Mismatch | null): string {
  switch (mismatch?.kind) {
    case 'unmatched-words':
      return `no single element matches; words without a match: ${quotedList(mismatch.words)}`;
    case 'longer-name':
      return longerName(mismatch);
    case 'too-few':
      return 'no element is at that position';
    case undefined:
      return 'no single element matches';
  }
}

const MAX_CHOICES = 5;

function phraseOf(index: PageIndex, line: Line): string {
  const { options = [] } = line.node;
  const more = options.length > MAX_CHOICES ? ', …' : '';
  const choices = options.length > 0 ? ` (${options.slice(0, MAX_CHOICES).join(', ')}${more})` : '';
  const record = recordOf(line);
  const location = record && record !== line ? ` in ${JSON.stringify(index.textOf(record))}` : '';
  return `${describeNode(line.node)}${choices}${location}`;
}
