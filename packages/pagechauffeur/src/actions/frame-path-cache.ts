import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { FrameStep } from '../injected/contract.ts';

/** Maximum number of cached paths per document. When it is reached, the document's cache is cleared. */
const MAX_CACHED_PATHS = 100;

/** A selector in a document. */
interface SelectorTarget {
  readonly selector: string;
  readonly strict?: boolean;
}

/** The frame that a selector probably leads to. */
export interface CachedPath {
  readonly frame: FrameNode;
  /** The part of the selector that is resolved in that frame. */
  readonly selector: string;
  /** Steps that the page must confirm before an action in the frame. */
  readonly steps: readonly FramePathStep[];
}

/** A step of a path from a document into a frame. */
interface FramePathStep {
  readonly world: World;
  readonly target: SelectorTarget;
  readonly frame: FrameNode;
  readonly rest: string;
}

/** For each document: the frames that selectors led into, by the start of the selector. */
const pathsByWorld = new WeakMap<World, Map<string, FrameNode>>();

/** Caches the frame that a selector led into. */
export function rememberPath({ world, target: { selector }, rest, frame }: FramePathStep): void {
  if (rest === '' || !selector.endsWith(rest)) return;
  const leads = pathsByWorld.get(world) ?? new Map<string, FrameNode>();
  pathsByWorld.set(world, leads);
  if (leads.size >= MAX_CACHED_PATHS) leads.clear();
  leads.set(selector.slice(0, -rest.length), frame);
}

/** Removes the cached paths of a wrong guess. */
export function forgetPaths({ steps }: CachedPath): void {
  for (const { world } of steps) pathsByWorld.delete(world);
}

/**
 * Guesses the frame of a selector from earlier selectors with the same start. Returns `undefined` if nothing is cached,
 * or if the page cannot confirm the guess.
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

/** The steps of the path in the format of the injected script. */
export function stepsOf({ steps }: CachedPath): readonly FrameStep[] {
  return steps.map(({ target, rest }) => ({ ...target, rest }));
}

/** True if the selector still takes this path. Asks all documents in parallel. */
export async function isConfirmed({ steps }: CachedPath): Promise<boolean> {
  const answers = await Promise.all(steps.map(isStepConfirmed));
  return answers.every(Boolean);
}

async function isStepConfirmed({ world, target, frame, rest }: FramePathStep): Promise<boolean> {
  const answer = await world.call('resolve', target);
  return answer.kind === 'frame' && answer.rest === rest && answer.frameId === frame.id;
}

/** Returns the step for the longest cached start of the selector. */
function guessStep(world: World, target: SelectorTarget): FramePathStep | undefined {
  const { selector } = target;
  const leads = [...(pathsByWorld.get(world) ?? [])];
  const fitting = leads.filter(([start]) => selector.startsWith(start) && selector !== start);
  const [best] = fitting.toSorted(([one], [other]) => other.length - one.length);
  if (!best) return undefined;
  const [start, frame] = best;
  return { world, target, frame, rest: selector.slice(start.length) };
}

/**
 * The world of the current document. Returns `undefined` instead of waiting for a new document, because the cache is
 * not worth a wait.
 */
export function settledWorld(frame: FrameNode): Promise<World | undefined> {
  return Promise.race([frame.worlds.isolated, Promise.resolve(undefined)]).catch(noWorld);
}

/** A detached frame has no world. The next command throws the error. */
function noWorld(): undefined {
  return undefined;
}
