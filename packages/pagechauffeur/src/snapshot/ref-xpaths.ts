import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { frameXPath } from './frame-xpath.ts';
import type { RefTarget } from './snapshot.ts';
import type { Progress } from '../util/progress.ts';

/** Returns absolute XPaths from the main frame. Leaves out elements that are no longer in the page. */
export function refXPaths(progress: Progress, targets: readonly RefTarget[]): Promise<ReadonlyMap<RefTarget, string>> {
  return askWorlds(targets, (world, inWorld) => xpathsInWorld(progress, world, inWorld));
}

/** Calls `ask` once per document, with the targets in it. */
export async function askWorlds<T>(
  targets: readonly RefTarget[],
  ask: (world: World, inWorld: readonly RefTarget[]) => Promise<readonly (readonly [RefTarget, T])[]>,
): Promise<ReadonlyMap<RefTarget, T>> {
  const targetsByWorld = Map.groupBy(targets, ({ world }) => world);
  const parts = await Promise.all([...targetsByWorld].map(([world, inWorld]) => ask(world, inWorld)));
  return new Map(parts.flat());
}

async function xpathsInWorld(
  progress: Progress,
  world: World,
  targets: readonly RefTarget[],
): Promise<[RefTarget, string][]> {
  const [first] = targets;
  if (!first) return [];
  try {
    const refs = targets.map(({ ref }) => ref);
    const [prefix, xpaths] = await progress.race(
      Promise.all([frameXPath(progress, first.frame), world.call('xpaths', refs)]),
    );
    return targets.flatMap((target, index) =>
      xpaths[index] ? [[target, prefix + xpaths[index]] as [RefTarget, string]] : [],
    );
  } catch (error) {
    if (error instanceof DocumentGoneError) return [];
    throw error;
  }
}
