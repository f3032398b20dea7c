import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { FrameStep } from '../injected/contract.ts';

/** Maximum number of cached paths per document. Beyond it, the document's cache is cleared. */
const MAX_CACHED_PATHS = 100;

/** A selector in a document. */
interface SelectorTarget {
  readonly selector: string;
  readonly strict?: boolean;
}

/** The frame that a selector is expected to lead to. */
export interface CachedPath {
  readonly frame: FrameNode;
  /** The rest of the selector in that frame. */
  readonly selector: string;
  /** Steps to confirm before acting in the frame. */
  readonly steps: readonly FramePathStep[];
}

/** A step of a path from a document into a frame. */
interface FramePathStep {
  readonly world: World;
  readonly target: SelectorTarget;
  readonly frame: FrameNode;
  readonly rest: string;
}

/** Frames by the start of the selectors that led into them, for each document. */
const pathsByWorld = new WeakMap<World, Map<string, FrameNode>>();

/** Caches that a selector led from a document into a frame. */
export function rememberPath({ world, target: { selector }, rest, frame }: FramePathStep): void {
  if (rest === '' || !selector.endsWith(rest)) return;
  const leads = pathsByWorld.get(world) ?? new Map<string, FrameNode>();
  pathsByWorld.set(world, leads);
  if (leads.size >= MAX_CACHED_PATHS) leads.clear();
  leads.set(selector.slice(0, -rest.length), frame);
}

/** Removes cached paths that were wrong. */
export function forgetPaths({ steps }: CachedPath): void {
  for (const { world } of steps) pathsByWorld.delete(world);
}

/**
 * The frame that a selector leads to if it takes the same path as earlier ones. Returns `undefined` if nothing is cached or the page cannot
 * confirm it.
 */
export async function lookUpPath(start: FrameNode, target: SelectorTarget): Promise<CachedPath | undefined> {
  let frame = start;
  let { selector } = target;
  const steps: FramePathStep[] = [];
  for (;;) {
    const world = await settledWorld(frame);
    const next = world && guessStep(world, { ...target, selector });
    if (!next || next.frame.isDetached || next.frame.nonce === undefined) break;
    steps.push(next);
    frame = next.frame;
    selector = next.rest;
  }
  return steps.length > 0 && (await settledWorld(frame)) ? { frame, selector, steps } : undefined;
}

/** The path in the form for the injected script. */
export function stepsOf({ steps }: CachedPath): readonly FrameStep[] {
  return steps.map(({ target, rest }) => ({ ...target, rest }));
}

/** True if the selector still takes the path. Asks all documents at once. */
export async function isConfirmed({ steps }: CachedPath): Promise<boolean> {
  const answers = await Promise.all(steps.map(isStepConfirmed));
  return answers.every(Boolean);
}

async function isStepConfirmed({ world, target, frame, rest }: FramePathStep): Promise<boolean> {
  const answer = await world.call('resolve', target);
  return answer.kind === 'frame' && answer.rest === rest && answer.frameId === frame.id;
}

/** The longest cached start of the selector. */
function guessStep(world: World, target: SelectorTarget): FramePathStep | undefined {
  const { selector } = target;
  const leads = [...(pathsByWorld.get(world) ?? [])];
  const fitting = leads.filter(([start]) => selector.startsWith(start) && selector !== start);
  const [best] = fitting.toSorted(([one], [other]) => other.length - one.length);
  if (!best) return undefined;
  const [start, frame] = best;
  return { world, target, frame, rest: selector.slice(start.length) };
}

/** The world of the current document. Does not wait for a new one only to use the cache. */
export function settledWorld(frame: FrameNode): Promise<World | undefined> {
  return Promise.race([frame.worlds.isolated, Promise.resolve(undefined)]).catch(noWorld);
}

/** A detached frame has no world. The next command reports the error. */
function noWorld(): undefined {
  return undefined;
}
