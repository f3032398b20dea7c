import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { FrameStep } from '../injected/contract.ts';

/** Documents in which selectors of more beginnings than this led into frames begin to learn anew. */
const MAX_CACHED_PATHS = 100;

/** A selector in a document. */
interface SelectorTarget {
  readonly selector: string;
  readonly strict?: boolean;
}

/** Where a selector is thought to lead. */
export interface CachedFramePath {
  readonly frame: FrameNode;
  /** What of it goes on in that frame. */
  readonly selector: string;
  /** To be confirmed before anything is done in the frame. */
  readonly steps: readonly FramePathStep[];
}

/** A step of a selector's way from a document into a frame. */
interface FramePathStep {
  readonly world: World;
  readonly target: SelectorTarget;
  readonly frame: FrameNode;
  readonly rest: string;
}

/** Of each document the frames that selectors led into, by what the selectors began with. */
const pathsByWorld = new WeakMap<World, Map<string, FrameNode>>();

/** Keeps in mind that a selector led from a document into a frame, where the rest of it goes on. */
export function cacheFramePath({ world, target: { selector }, rest, frame }: FramePathStep): void {
  if (rest === '' || !selector.endsWith(rest)) return;
  const leads = pathsByWorld.get(world) ?? new Map<string, FrameNode>();
  pathsByWorld.set(world, leads);
  if (leads.size >= MAX_CACHED_PATHS) leads.clear();
  leads.set(selector.slice(0, -rest.length), frame);
}

/** Forgets where selectors led in documents where a guess was wrong. */
export function dropFramePaths({ steps }: CachedFramePath): void {
  for (const { world } of steps) pathsByWorld.delete(world);
}

/**
 * Where a selector that begins in a frame's document leads if it leads where others led before. Undefined when nothing
 * is known, or when the page could not confirm it.
 */
export async function cachedFramePath(start: FrameNode, target: SelectorTarget): Promise<CachedFramePath | undefined> {
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

/** The way as the page confirms it. */
export function stepsOf({ steps }: CachedFramePath): readonly FrameStep[] {
  return steps.map(({ target, rest }) => ({ ...target, rest }));
}

/** Whether the way is what the selector leads to now: one wave of questions. */
export async function isConfirmed({ steps }: CachedFramePath): Promise<boolean> {
  const answers = await Promise.all(steps.map(isStepConfirmed));
  return answers.every(Boolean);
}

async function isStepConfirmed({ world, target, frame, rest }: FramePathStep): Promise<boolean> {
  const answer = await world.call('resolve', target);
  return answer.kind === 'frame' && answer.rest === rest && answer.frameId === frame.id;
}

/** The longest beginning that is known decides. */
function guessStep(world: World, target: SelectorTarget): FramePathStep | undefined {
  const { selector } = target;
  const leads = [...(pathsByWorld.get(world) ?? [])];
  const fitting = leads.filter(([start]) => selector.startsWith(start) && selector !== start);
  const [best] = fitting.toSorted(([one], [other]) => other.length - one.length);
  if (!best) return undefined;
  const [start, frame] = best;
  return { world, target, frame, rest: selector.slice(start.length) };
}

/** The world of the document that is there now; nobody waits for one to come only to try a guess. */
export function settledWorld(frame: FrameNode): Promise<World | undefined> {
  return Promise.race([frame.worlds.isolated, Promise.resolve(undefined)]).catch(noWorld);
}

/** Of a frame that is gone nothing is guessed; who asks it next is told why. */
function noWorld(): undefined {
  return undefined;
}
