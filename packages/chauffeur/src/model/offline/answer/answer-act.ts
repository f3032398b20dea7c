import type { ActAnswer } from '../../model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import { bestOnes } from '../rank/one-winner.ts';
import type { Candidate, Ranker } from '../rank/ranker.ts';
import { describeNode, type Proposal } from './proposal.ts';
import { proposeReading } from './propose-reading.ts';

const NEAREST_NAMED = 5;

/** Answers `act`: the step of the reading that fits the page best, or why there is none. */
export function answerAct(ranker: Ranker, readings: readonly Reading[], instruction: string): ActAnswer {
  const best = bestProposal(readings.flatMap((reading) => proposeReading(ranker, reading)));
  if (best?.action) return { action: best.action, twoStep: best.twoStep, reason: '', candidates: [] };
  const equals = best ? bestOnes(best.nearest) : [];
  if (best && equals.length > 1 && !best.reading.target.ordinal) return noStep(AMBIGUOUS, equals);
  const nearest = (best?.nearest ?? nearestToAny(ranker, readings)).slice(0, NEAREST_NAMED);
  return noStep(best ? tooFew(instruction, equals.length) : notFound(instruction, nearest), nearest);
}

/** How the library knows that several elements fit; it tells them apart by where they stand. */
const AMBIGUOUS = 'ambiguous';

function noStep(reason: string, candidates: readonly Candidate[]): ActAnswer {
  return { action: null, twoStep: false, reason, candidates: candidates.flatMap(({ line }) => line.node.ref ?? []) };
}

/** The first of those with the highest score. */
export function bestProposal(proposals: readonly Proposal[]): Proposal | undefined {
  return proposals.reduce<Proposal | undefined>(
    (best, proposal) => (best && best.score >= proposal.score ? best : proposal),
    undefined,
  );
}

function nearestToAny(ranker: Ranker, readings: readonly Reading[]): readonly Candidate[] {
  const plain = readings.at(-1);
  return plain ? ranker.rank(plain.target, { roleFit: () => 1, isKindKnown: false }) : [];
}

function tooFew(instruction: string, count: number): string {
  return `Looked for the element at the position that ${JSON.stringify(instruction)} names; of such elements there ${count === 1 ? 'is' : 'are'} ${count}.`;
}

function notFound(instruction: string, nearest: readonly Candidate[]): string {
  const near = nearest.length === 0 ? 'No element shares a word with it.' : `The nearest: ${listed(nearest)}.`;
  return `Looked for the element meant by ${JSON.stringify(instruction)} and found none that fits. ${near}`;
}

function listed(candidates: readonly Candidate[]): string {
  return candidates.map(({ line }) => `${line.node.ref} ${describeNode(line.node)}`).join('; ');
}
