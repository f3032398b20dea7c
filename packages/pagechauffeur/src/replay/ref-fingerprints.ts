import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { Fingerprint, Identification } from '../injected/contract.ts';
import type { RefTarget } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import { askWorlds } from '../snapshot/xpaths.ts';

/** Returns the fingerprints of the elements that are still on the page. */
export function refFingerprints(
  progress: Progress,
  targets: readonly RefTarget[],
  identification: Identification,
): Promise<ReadonlyMap<RefTarget, Fingerprint>> {
  return askWorlds(targets, async (world, inWorld) => {
    const refs = inWorld.map(({ ref }) => ref);
    const fingerprints = await orNone(progress.race(world.call('fingerprints', refs, identification)));
    return inWorld.flatMap((target, index): [RefTarget, Fingerprint][] => {
      const fingerprint = fingerprints[index];
      return fingerprint ? [[target, fingerprint]] : [];
    });
  });
}

async function orNone<T>(request: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DocumentGoneError) return [];
    throw error;
  }
}
