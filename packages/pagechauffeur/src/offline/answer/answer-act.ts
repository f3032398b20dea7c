import type { ActAnswer } from '../../model/model-client.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Candidate, Ranker } from '../rank/ranker.ts';
import { describeNode, type Proposal } from './proposal.ts';
import { proposeReading } from './propose-reading.ts';

const NEAREST_NAMED = 5;
/** Maximum difference between scores that count as equal. */
const TIE = 0.05;

/** The action for a sentence. If there is none, `missing` lists the words that nothing on the page explains. */
export interface FoundStep extends ActAnswer {
  readonly missing: readonly string[];
}

/** Returns the result of `act`: the only action that explains all words, or why there is none. */
export function answerAct(ranker: Ranker, readings: readonly Reading[], instruction: string): ActAnswer {
  const { missing: _missing, ...answer } = findStep(ranker, readings, instruction);
  return answer;
}

/** Finds the only action that explains all words of a sentence. */
export function findStep(ranker: Ranker, readings: readonly Reading[], instruction: string): FoundStep {
  const proposals = proposalsFor(ranker, readings);
  const best = bestProposal(proposals);
  if (best?.action) return { action: best.action, twoStep: best.twoStep, reason: '', candidates: [], missing: [] };
  const equals = equalElements(proposals);
  if (equals.length > 1) return { ...noStep('', equals), outcome: 'ambiguous' };
  const nearest = (best?.nearest ?? nearestToAny(ranker, readings)).slice(0, NEAREST_NAMED);
  if (best?.tooFew !== undefined) return noStep(tooFew(instruction, best.tooFew), nearest);
  return { ...noStep(notUnderstood(instruction, { best, nearest }), nearest), missing: best?.missing ?? [] };
}

/** Applies each reading to the page. */
export function proposalsFor(ranker: Ranker, readings: readonly Reading[]): readonly Proposal[] {
  return readings.flatMap((reading) => proposeReading(ranker, reading));
}

function noStep(reason: string, candidates: readonly Candidate[]): FoundStep {
  const refs = candidates.flatMap(({ line }) => line.node.ref ?? []);
  return { action: null, twoStep: false, reason, candidates: refs, missing: [] };
}

/** Returns the best proposal. Its action is null if an equally good proposal differs. */
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

/** True if two proposals have the same element and arguments, regardless of the method. */
function isSameStep({ action: left }: Proposal, { action: right }: Proposal): boolean {
  return left !== null && left.ref === right?.ref && JSON.stringify(left.arguments) === JSON.stringify(right.arguments);
}

/** Returns the elements that explain every word equally well, from all proposals. */
function equalElements(proposals: readonly Proposal[]): readonly Candidate[] {
  const all = new Map(proposals.flatMap(({ equals }) => equals).map((candidate) => [candidate.line, candidate]));
  return [...all.values()].toSorted((left, right) => left.line.index - right.line.index);
}

function nearestToAny(ranker: Ranker, readings: readonly Reading[]): readonly Candidate[] {
  const plain = readings.at(-1);
  return plain ? ranker.rank(plain.target, { intent: 'use', roleFit: () => 1, isKindKnown: false }) : [];
}

function tooFew(instruction: string, count: number): string {
  return `Looked for the element at the position that ${JSON.stringify(instruction)} names; of such elements there ${count === 1 ? 'is' : 'are'} ${count}.`;
}

interface Nearness {
  readonly best: Proposal | undefined;
  readonly nearest: readonly Candidate[];
}

/** Formats the error for an instruction that is not understood, with the unexplained words and the nearest elements. */
export function notUnderstood(instruction: string, { best, nearest }: Nearness): string {
  const near = nearest.length === 0 ? 'No element shares a word with it.' : `Nearest matches: ${listed(nearest)}.`;
  const missing = (best?.missing ?? []).map((word) => JSON.stringify(word)).join(', ');
  const words = missing === '' ? '' : ` Words without a match: ${missing}.`;
  return `Found no element that matches ${JSON.stringify(instruction)}.${words} ${near}`;
}

function listed(candidates: readonly Candidate[]): string {
  return candidates.map(({ line }) => `${line.node.ref} ${describeNode(line.node)}`).join('; ');
}
