import { type Ordinal, pickAt } from '../grammar/ordinal.ts';
import { holdsPicture } from '../grammar/kind-words.ts';
import { addressOf, closest, isWithin, type Line } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { recordOf } from '../page/surroundings.ts';
import type { Candidate } from './ranker.ts';

interface Choice {
  readonly ordinal?: Ordinal;
  readonly page: PageIndex;
}

/** Returns the candidate to act on, or `null` if nothing distinguishes several. Applies the ordinal if there is one. */
export function oneWinner<C extends Candidate>(equals: readonly C[], { ordinal, page }: Choice): C | null {
  const inOrder = equals.toSorted((left, right) => left.line.index - right.line.index);
  if (ordinal) return pickAt(inOrder, ordinal) ?? null;
  const left = FILTERS.reduce<readonly C[]>((remaining, filter) => preferred(remaining, filter), inOrder);
  const [first] = left;
  if (!first) return null;
  return left.every((candidate) => isSameTarget(candidate, first, page)) ? first : null;
}

type Filter = (candidate: Candidate, all: readonly Candidate[], mostOwn: number) => boolean;

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

/**
 * A candidate wins if the weight of the words on it exceeds the others by this much. "Deploy options" then prefers an
 * element with both words in its name.
 */
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

/**
 * True if both elements have the same effect, such as the image and the title of a card. Separate links with the same
 * URL and name count as different, because users do not see the URL.
 */
function isSameTarget({ line: left }: Candidate, { line: right }: Candidate, page: PageIndex): boolean {
  if (left === right) return true;
  const address = addressOf(left);
  if (address === undefined || address !== addressOf(right) || !isCalledAlike(left.node.name, right.node.name))
    return false;
  const record = recordOf(left);
  return (record !== null && record === recordOf(right)) || isPictureBeside(left, right, page);
}

function isPictureBeside(left: Line, right: Line, { elements }: PageIndex): boolean {
  const areNext = Math.abs(elements.indexOf(left) - elements.indexOf(right)) === 1;
  return areNext && [left, right].some(({ node }) => holdsPicture(node));
}

function isCalledAlike(left: string, right: string): boolean {
  return left.includes(right) || right.includes(left);
}
