import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { frameXPath } from './frame-xpath.ts';
import type { RefTarget } from './snapshot.ts';
import type { Progress } from '../util/progress.ts';

/**
 * Returns the absolute XPaths of elements in a snapshot, from the main frame. Leaves out elements that have left the
 * page.
 */
export function refXPaths(progress: Progress, places: readonly RefTarget[]): Promise<ReadonlyMap<RefTarget, string>> {
  return askWorlds(places, (world, inWorld) => xpathsInWorld(progress, world, inWorld));
}

/** Calls `ask` once for each document, with the elements in it. */
export async function askWorlds<T>(
  places: readonly RefTarget[],
  ask: (world: World, inWorld: readonly RefTarget[]) => Promise<readonly (readonly [RefTarget, T])[]>,
): Promise<ReadonlyMap<RefTarget, T>> {
  const placesByWorld = Map.groupBy(places, ({ world }) => world);
  const parts = await Promise.all([...placesByWorld].map(([world, inWorld]) => ask(world, inWorld)));
  return new Map(parts.flat());
}

async function xpathsInWorld(
  progress: Progress,
  world: World,
  places: readonly RefTarget[],
): Promise<[RefTarget, string][]> {
  const [first] = places;
  if (!first) return [];
  try {
    const refs = places.map(({ ref }) => ref);
    const [prefix, xpaths] = await progress.race(
      Promise.all([frameXPath(progress, first.frame), world.call('xpaths', refs)]),
    );
    return places.flatMap((place, index) =>
      xpaths[index] ? [[place, prefix + xpaths[index]] as [RefTarget, string]] : [],
    );
  } catch (error) {
    if (error instanceof DocumentGoneError) return [];
    throw error;
  }
}
