import { quote } from '../../util/truncate.ts';
import type { ActAnswer } from '../../model/model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Mismatch } from '../rank/decide.ts';
import type { Candidate, Ranker } from '../rank/ranker.ts';
import { describeNode, type Proposal } from './proposal.ts';
import { proposeReading } from './propose-reading.ts';

const NEAREST_NAMED = 5;
/** Proposals with a smaller difference in score are tied. */
const TIE = 0.05;

/** Like {@link ActAnswer}, with the mismatch of the best {@link Proposal} if it is why there is no action. */
export interface FoundStep extends ActAnswer {
  readonly mismatch: Mismatch | null;
}

/** Returns the only action that matches every word of the instruction, or why there is none. */
export function answerAct(ranker: Ranker, readings: readonly Reading[]): ActAnswer {
  const { mismatch: _mismatch, ...answer } = findStep(ranker, readings);
  return answer;
}

/** Like {@link answerAct}, with the mismatch for the agent. */
export function findStep(ranker: Ranker, readings: readonly Reading[]): FoundStep {
  const proposals = proposalsFor(ranker, readings);
  const best = bestProposal(proposals);
  if (best?.action) return { action: best.action, twoStep: best.twoStep, reason: '', candidates: [], mismatch: null };
  const equals = equalElements(proposals);
  if (equals.length > 1) return { ...noStep('', equals), outcome: 'ambiguous' };
  const nearest = (best?.nearest ?? nearestToAny(ranker, readings)).slice(0, NEAREST_NAMED);
  const mismatch = best?.mismatch ?? null;
  return { ...noStep(`${reasonFor(mismatch)}.`, nearest), mismatch };
}

export function proposalsFor(ranker: Ranker, readings: readonly Reading[]): readonly Proposal[] {
  return readings.flatMap((reading) => proposeReading(ranker, reading));
}

function noStep(reason: string, candidates: readonly Candidate[]): FoundStep {
  const refs = candidates.flatMap(({ line }) => line.node.ref ?? []);
  return { action: null, twoStep: false, reason, candidates: refs, mismatch: null };
}

/** Returns the proposal with the highest score. Its action is `null` if a tied proposal would act differently. */
export function bestProposal(proposals: readonly Proposal[]): Proposal | undefined {
  const whole = proposals.filter(({ equals }) => equals.length > 0);
  const best = highest(whole.length > 0 ? whole : proposals);
  if (!best?.action) return best;
  const rivals = whole.filter((proposal) => best.score - proposal.score < TIE);
  return rivals.every((rival) => isSameStep(rival, best)) ? best : { ...best, action: null };
}

function highest(proposals: readonly Proposal[]): Proposal | undefined {
  return proposals.reduce<Proposal | undefined>(
    (best, proposal) => (best && best.score >= proposal.score ? best : proposal),
    undefined,
  );
}

/** Compares element and arguments. The methods may differ. */
function isSameStep({ action: left }: Proposal, { action: right }: Proposal): boolean {
  return left !== null && left.ref === right?.ref && JSON.stringify(left.arguments) === JSON.stringify(right.arguments);
}

function equalElements(proposals: readonly Proposal[]): readonly Candidate[] {
  const all = new Map(proposals.flatMap(({ equals }) => equals).map((candidate) => [candidate.line, candidate]));
  return [...all.values()].toSorted((left, right) => left.line.index - right.line.index);
}

function nearestToAny(ranker: Ranker, readings: readonly Reading[]): readonly Candidate[] {
  const plain = readings.at(-1);
  return plain ? ranker.rank(plain.target, { intent: 'use', roleFit: () => 1, isKindKnown: false }) : [];
}

function reasonFor(mismatch: Mismatch | null): string {
  switch (mismatch?.kind) {
    case 'unmatched-words':
      return `no single element matches; words without a match: ${quotedList(mismatch.words)}`;
    case 'longer-name':
      return longerName(mismatch);
    case 'too-few':
      return tooFew(mismatch);
    case undefined:
      return 'no single element matches';
  }
}

/** Words of the page, which the instruction does not contain. */
export function longerName({ words }: Extract<Mismatch, { kind: 'longer-name' }>): string {
  return `each match has more words in its name, such as ${quotedList(words)}`;
}

function tooFew({ count }: Extract<Mismatch, { kind: 'too-few' }>): string {
  return `the description fits only ${count} ${count === 1 ? 'element' : 'elements'}, so none is at that position`;
}

export function quotedList(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}

interface Nearness {
  readonly best: Proposal | undefined;
  readonly nearest: readonly Candidate[];
}

/** Formats the reason for an instruction without a match: the mismatch and the nearest elements. */
export function notUnderstood(instruction: string, { best, nearest }: Nearness): string {
  const reason =
    nearest.length === 0
      ? 'no element contains any word of the instruction.'
      : `${reasonFor(best?.mismatch ?? null)}. Nearest matches: ${listed(nearest)}.`;
  return `Found nothing for ${quote(instruction)}: ${reason}`;
}

function listed(candidates: readonly Candidate[]): string {
  return candidates.map(({ line }) => `${line.node.ref} ${describeNode(line.node)}`).join('; ');
}
