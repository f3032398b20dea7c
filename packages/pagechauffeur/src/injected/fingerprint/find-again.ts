import type { Fingerprint, MatchCandidates, Identification, ElementSearchQuery } from '../contract.ts';
import { duringReading } from '../memo.ts';
import { elementOfRef, refOf } from '../refs.ts';
import { elementsInUse, elementsLike, fingerprintOf, fingerprintsOf } from './fingerprint.ts';

/** Of more elements with one name none would be told from the others. */
const MOST_CANDIDATES = 1500;

/** The elements of this frame that may be those that are sought, with all that is known of them. */
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

/** By what the elements of refs can be found again; null for those that have left the document. */
export function fingerprintsOfRefs(refs: readonly number[], identification: Identification): (Fingerprint | null)[] {
  return duringReading(() =>
    refs.map((ref) => {
      const element = elementOfRef(ref);
      return element && fingerprintOf(element, identification);
    }),
  );
}

/** How many elements of each role are in use. */
function populationOf(roles: readonly string[]): Record<string, number> {
  return Object.fromEntries(roles.map((role) => [role, elementsInUse(role).length]));
}
