import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import type { RefTarget } from './snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { FrameNode } from '../cdp/frame-node.ts';

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

/** Joins the XPaths of all frame elements from the main frame to this one. Returns `''` for the main frame. */
export async function frameXPath(progress: Progress, frame: FrameNode): Promise<string> {
  const chain: FrameNode[] = [];
  for (let current: FrameNode | null = frame; current?.parent; current = current.parent) chain.unshift(current);
  const steps = await progress.race(Promise.all(chain.map(ownerXPath)));
  return steps.join('');
}

async function ownerXPath(frame: FrameNode): Promise<string> {
  const [world] = await Promise.all([frame.parent?.worlds.isolated, frame.adopted]);
  const owner = await world?.call('describeOwner', frame.id);
  return owner?.xpath ?? '';
}

/** XPaths are recognized by the same rule as in the injected script. */
const XPATH = /^\s*(?:xpath\s*=|\.{0,2}\/|\()/;

const STEP = String.raw`(?:[A-Za-z][\w-]*|\*\[name\(\)=(?:'[^']*'|"[^"]*")\])\[\d+\]`;
const ABSOLUTE = new RegExp(
  String.raw`^\s*(?:xpath\s*=\s*)?/(?:descendant::)?${STEP}(?:/(?:/|descendant::)?${STEP})*\s*$`,
);

/** Checks only the first characters. */
export function isXPath(selector: string): boolean {
  return XPATH.test(selector);
}

/** True for an XPath that starts at the document root. */
export function isRootedXPath(selector: string): boolean {
  return /^\s*(?:xpath\s*=\s*)?\/(?!\/)/.test(selector);
}

/** True for an XPath as this library generates it, with an index in every step. */
export function isAbsoluteXPath(selector: string): boolean {
  return ABSOLUTE.test(selector);
}
