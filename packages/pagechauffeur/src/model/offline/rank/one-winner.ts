import { type Ordinal, pickAt } from '../grammar/ordinal.ts';
import { addressOf, closest, isWithin } from '../page/line.ts';
import type { Candidate } from './ranker.ts';

/** The one that is meant among equals, or null when nothing tells them apart. */
export function oneWinner<C extends Candidate>(equals: readonly C[], ordinal: Ordinal | null): C | null {
  const inOrder = equals.toSorted((left, right) => left.line.index - right.line.index);
  if (ordinal) return pickAt(inOrder, ordinal) ?? null;
  const left = FILTERS.reduce<readonly C[]>((remaining, filter) => preferred(remaining, filter), inOrder);
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
  ({ own }, all, mostOwn) => mostOwn - own < MORE_OF_ITS_OWN,
  ({ line }, all) =>
    line.end === line.index + 1 || !all.some((other) => other.line !== line && isWithin(other.line, line)),
];

function preferred<C extends Candidate>(candidates: readonly C[], filter: Filter): readonly C[] {
  const mostOwn = candidates.reduce((most, { own }) => Math.max(most, own), 0);
  const kept = candidates.filter((candidate) => filter(candidate, candidates, mostOwn));
  return kept.length > 0 ? kept : candidates;
}

/** Two links to one address do the same, such as the picture and the title of an article; not where they are called otherwise. */
function isSameThing({ line: left }: Candidate, { line: right }: Candidate): boolean {
  const address = addressOf(left);
  if (left === right) return true;
  return address !== undefined && address === addressOf(right) && isCalledAlike(left.node.name, right.node.name);
}

function isCalledAlike(left: string, right: string): boolean {
  return left.includes(right) || right.includes(left);
}
