import type { Fingerprint, MatchCandidates, Identification, ElementSearchQuery } from '../contract.ts';
import { duringReading } from '../memo.ts';
import { elementOfRef, refOf } from '../refs.ts';
import { elementsInUse, elementsLike, fingerprintOf, fingerprintsOf } from './fingerprint.ts';

/** With more candidates than this, none could be told from the others. */
const MOST_CANDIDATES = 1500;

/** Returns the elements of this frame that may match the queries, with their fingerprints. */
export function findAgain(sought: readonly ElementSearchQuery[]): MatchCandidates {
  return duringReading(() => ({
    candidates: sought.map(candidatesFor),
    population: populationOf(sought.map(({ role }) => role)),
  }));
}

function candidatesFor(sought: ElementSearchQuery): MatchCandidates['candidates'][number] {
  const elements = elementsLike(sought);
  if (elements.length > MOST_CANDIDATES) return [];
  const fingerprints = fingerprintsOf(elements);
  return elements.flatMap((element, index) => {
    const fingerprint = fingerprints[index];
    return fingerprint ? [{ ref: refOf(element), ...fingerprint }] : [];
  });
}

/** Returns the fingerprints of the elements with these refs; null for elements that left the document. */
export function fingerprintsOfRefs(refs: readonly number[], identification: Identification): (Fingerprint | null)[] {
  return duringReading(() =>
    refs.map((ref) => {
      const element = elementOfRef(ref);
      return element && fingerprintOf(element, identification);
    }),
  );
}

/** Number of elements in use per role. */
function populationOf(roles: readonly string[]): Record<string, number> {
  return Object.fromEntries(roles.map((role) => [role, elementsInUse(role).length]));
}
