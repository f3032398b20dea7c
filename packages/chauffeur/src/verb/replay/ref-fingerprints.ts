import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { World } from '../../cdp/world.ts';
import type { Fingerprint } from '../../injected/contract.ts';
import type { RefTarget } from '../../snapshot/snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import { askWorlds } from '../ref-xpaths.ts';

/** By what elements of a snapshot can be found again; those that have left the page are missing. */
export function refFingerprints(
  progress: Progress,
  places: readonly RefTarget[],
): Promise<ReadonlyMap<RefTarget, Fingerprint>> {
  return askWorlds(places, (world, inWorld) => fingerprintsInWorld(progress, world, inWorld));
}

async function fingerprintsInWorld(
  progress: Progress,
  world: World,
  places: readonly RefTarget[],
): Promise<[RefTarget, Fingerprint][]> {
  try {
    const refs = places.map(({ ref }) => ref);
    const fingerprints = await progress.race(world.call('fingerprints', refs));
    return places.flatMap((place, index): [RefTarget, Fingerprint][] => {
      const fingerprint = fingerprints[index];
      return fingerprint ? [[place, fingerprint]] : [];
    });
  } catch (error) {
    if (error instanceof DocumentGoneError) return [];
    throw error;
  }
}
