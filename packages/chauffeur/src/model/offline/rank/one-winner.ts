import { type Ordinal, pickAt } from '../grammar/ordinal.ts';
import { closest, isWithin } from '../page/line.ts';
import type { Candidate } from './ranker.ts';

/** Scores closer than this are equal. */
const TIE = 0.02;

/** The candidates that fit as well as the best one. */
export function bestOnes(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = candidates[0];
  if (!best) return [];
  return candidates.filter(({ score }) => best.score - score < TIE * best.score);
}

/** The one that is meant among equals, or null when nothing tells them apart. */
export function oneWinner(equals: readonly Candidate[], ordinal: Ordinal | null): Candidate | null {
  const inOrder = equals.toSorted((left, right) => left.line.index - right.line.index);
  if (ordinal) return pickAt(inOrder, ordinal) ?? null;
  const left = FILTERS.reduce<readonly Candidate[]>((remaining, filter) => preferred(remaining, filter), inOrder);
  const [first] = left;
  if (!first) return null;
  return left.every((candidate) => isSameThing(candidate, first)) ? first : null;
}

type Filter = (candidate: Candidate, all: readonly Candidate[], mostOwn: number) => boolean;

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

/** "deploy options" is said of the element that bears both words. */
const MORE_OF_ITS_OWN = 0.2;

const FILTERS: readonly Filter[] = [
  ({ line }) => closest(line, DIALOGS) !== null,
  ({ line }) => !line.node.states.includes('disabled'),
  ({ own }, all, mostOwn) => mostOwn - own < MORE_OF_ITS_OWN,
  ({ line }, all) =>
    line.end === line.index + 1 || !all.some((other) => other.line !== line && isWithin(other.line, line)),
];

function preferred(candidates: readonly Candidate[], filter: Filter): readonly Candidate[] {
  const mostOwn = candidates.reduce((most, { own }) => Math.max(most, own), 0);
  const kept = candidates.filter((candidate) => filter(candidate, candidates, mostOwn));
  return kept.length > 0 ? kept : candidates;
}

/** Two links to one address do the same; `#` alone is no address. */
function isSameThing({ line: left }: Candidate, { line: right }: Candidate): boolean {
  const { url } = left.node;
  return left === right || (url !== undefined && !url.endsWith('#') && url === right.node.url);
}
