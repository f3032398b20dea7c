import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { FrameStep } from '../injected/contract.ts';

/** Documents in which selectors of more beginnings than this led into frames begin to learn anew. */
const MOST_LEADS = 100;

/** Where a selector is thought to lead. */
export interface GuessedWay {
  readonly frame: FrameNode;
  readonly selector: string;
  /** To be verified before anything is done in the frame. */
  readonly ledBy: readonly FrameStep[];
  /** The documents on the way, and the frames that they lead into. */
  readonly worlds: readonly World[];
  readonly frames: readonly FrameNode[];
}

interface SelectorPlace {
  readonly selector: string;
  readonly strict?: boolean;
}

/** Of each document the frames that selectors led into, by what the selectors began with. */
const leadsByWorld = new WeakMap<World, Map<string, FrameNode>>();

/** Keeps in mind that a selector led from a document into a frame, where the rest of it goes on. */
export function rememberLead(world: World, { selector }: SelectorPlace, rest: string, frame: FrameNode): void {
  if (rest === '' || !selector.endsWith(rest)) return;
  const leads = leadsByWorld.get(world) ?? new Map<string, FrameNode>();
  leadsByWorld.set(world, leads);
  if (leads.size >= MOST_LEADS) leads.clear();
  leads.set(selector.slice(0, -rest.length), frame);
}

/** Forgets where selectors led in documents where a guess was wrong. */
export function forgetLeads({ worlds }: GuessedWay): void {
  for (const world of worlds) leadsByWorld.delete(world);
}

/** Whether the way of a guess is what the selectors lead to now: one wave of questions. */
export async function isConfirmed({ ledBy, worlds, frames }: GuessedWay): Promise<boolean> {
  const answers = await Promise.all(
    ledBy.map(({ rest: _rest, ...target }, index) => worlds[index]?.call('resolve', target)),
  );
  return answers.every(
    (answer, index) =>
      answer?.kind === 'frame' && answer.rest === ledBy[index]?.rest && answer.frameId === frames[index]?.id,
  );
}

/**
 * Where a selector that begins in a frame's document leads if it leads where others led before. Undefined when nothing
 * is known, or when it could not be verified in the page.
 */
export async function guessWay(start: FrameNode, target: SelectorPlace): Promise<GuessedWay | undefined> {
  let frame = start;
  let { selector } = target;
  const ledBy: FrameStep[] = [];
  const worlds: World[] = [];
  const frames: FrameNode[] = [];
  for (;;) {
    const world = await settledWorld(frame);
    const next = world && guessStep(world, selector);
    if (!next || next.frame.isDetached || next.frame.countersign === undefined) break;
    worlds.push(world);
    ledBy.push({ ...target, selector, rest: next.rest });
    frames.push(next.frame);
    ({ frame } = next);
    selector = next.rest;
  }
  return ledBy.length > 0 && (await settledWorld(frame)) ? { frame, selector, ledBy, worlds, frames } : undefined;
}

/** The longest beginning that is known decides. */
function guessStep(world: World, selector: string): { frame: FrameNode; rest: string } | undefined {
  const known = [...(leadsByWorld.get(world) ?? [])].filter(
    ([start]) => selector.startsWith(start) && selector !== start,
  );
  const [best] = known.sort(([one], [other]) => other.length - one.length);
  if (!best) return undefined;
  const [start, frame] = best;
  return { frame, rest: selector.slice(start.length) };
}

/** The world of the document that is there now; nobody waits for one to come only to try a guess. */
function settledWorld(frame: FrameNode): Promise<World | undefined> {
  return Promise.race([frame.worlds.isolated, Promise.resolve(undefined)]).catch(noWorld);
}

/** Of a frame that is gone nothing is guessed; who asks it next is told why. */
function noWorld(): undefined {
  return undefined;
}
