import { visitElements } from '../composed-walk.ts';
import type { FoundAgain, SoughtElement } from '../contract.ts';
import { duringReading } from '../memo.ts';
import { refOf } from '../refs.ts';
import { roleOf } from '../role.ts';
import { isInUse, elementsLike, fingerprintsOf } from './fingerprint.ts';

/** Of more elements with one name none would be told from the others. */
const MOST_CANDIDATES = 300;

/** The elements of this frame that may be those that are sought, with all that is known of them. */
export function findAgain(sought: readonly SoughtElement[]): FoundAgain {
  return duringReading(() => ({
    candidates: sought.map(candidatesFor),
    population: populationOf(new Set(sought.map(({ role }) => role))),
  }));
}

function candidatesFor(sought: SoughtElement): FoundAgain['candidates'][number] {
  const elements = elementsLike(sought);
  if (elements.length > MOST_CANDIDATES) return [];
  const fingerprints = fingerprintsOf(elements);
  return elements.flatMap((element, index) => {
    const fingerprint = fingerprints[index];
    return fingerprint ? [{ ref: refOf(element), ...fingerprint }] : [];
  });
}

/** How many rendered elements of each role there are. */
function populationOf(roles: ReadonlySet<string>): Record<string, number> {
  const counts = new Map<string, number>();
  visitElements(document, (element) => {
    const role = roleOf(element);
    if (roles.has(role) && isInUse(element)) counts.set(role, (counts.get(role) ?? 0) + 1);
  });
  return Object.fromEntries(counts);
}
