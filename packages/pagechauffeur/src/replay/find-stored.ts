import { readInternals } from '../cdp/element-internals.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import type { MatchCandidates, ElementSearchQuery } from '../injected/contract.ts';
import { frameXPath } from '../snapshot/xpaths.ts';
import type { ActionTarget } from '../actions/element-action.ts';
import { openClosedRoots } from '../cdp/closed-roots.ts';
import { FRAME_DOCUMENT_WAIT_MS, frameAnswer } from '../cdp/frame-answer.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { type FoundCandidate, type Recognition, recognize } from './recognize.ts';
import { normalizedFrameUrl, maskedFingerprint, type StoredStep } from './stored-step.ts';

/** A candidate on the current page, with the target to act on. */
export interface LiveCandidate extends FoundCandidate {
  readonly target: ActionTarget;
}

export interface FoundStored {
  /** One entry per step. `undefined` if no element matches for certain. */
  readonly recognitions: readonly (Recognition<LiveCandidate> | undefined)[];
  /** Number of elements with each role that the steps mention. */
  readonly population: Readonly<Record<string, number>>;
}

interface StoredSearch {
  readonly page: PageTarget;
  readonly steps: readonly StoredStep[];
  readonly instruction: string;
  /** Masks page text in the same way as stored text. */
  readonly mask: (text: string) => string;
}

/** Searches all frames in parallel. If an element is missing, opens closed shadow roots and searches again. */
export function findStored(progress: Progress, search: StoredSearch): Promise<FoundStored> {
  return onCurrentDocument(progress, async () => {
    const frames = [...search.page.frames.main.subtree()];
    const found = await askFrames(progress, frames, search);
    if (found.recognitions.every((recognition) => recognition !== undefined)) return found;
    const opened = await progress.race(Promise.all(frames.map(exploreFrame)));
    return opened.includes(true) ? askFrames(progress, frames, search) : found;
  });
}

async function askFrames(progress: Progress, frames: readonly FrameNode[], search: StoredSearch): Promise<FoundStored> {
  const answers = await progress.race(Promise.all(frames.map((frame) => askFrame(progress, frame, search))));
  const parts = answers.filter((part) => part !== undefined);
  const recognitions = search.steps.map((step, index) => {
    const candidates = parts.flatMap((part) => liveCandidates(part, index, search));
    return recognize(queryFor(step, search.instruction), candidates);
  });
  return { recognitions, population: summedPopulation(parts) };
}

interface FramePart {
  readonly frame: FrameNode;
  readonly world: World;
  /** XPath of the frame from the main frame. */
  readonly prefix: string;
  readonly found: MatchCandidates;
}

/** Searches one frame. Returns `undefined` if it has no document or navigated during the search. */
async function askFrame(progress: Progress, frame: FrameNode, { steps }: StoredSearch): Promise<FramePart | undefined> {
  const { queries, indices } = distinctQueries(steps);
  try {
    const world = await worldOf(frame);
    if (!world) return undefined;
    const ask = async (): Promise<readonly [string, MatchCandidates]> =>
      Promise.all([frameXPath(progress, frame), world.call('findAgain', queries)]);
    const answered = await frameAnswer(frame, world, ask);
    if (!answered) return undefined;
    const [prefix, found] = answered.answer;
    return { frame, world, prefix, found: { ...found, candidates: indices.map((at) => found.candidates[at] ?? []) } };
  } catch (error) {
    if (error instanceof DocumentGoneError && frame.parent) return undefined;
    throw error;
  }
}

/** Merges equal queries. `indices` maps each step to its query. */
function distinctQueries(steps: readonly StoredStep[]): {
  queries: readonly ElementSearchQuery[];
  indices: readonly number[];
} {
  const numbers = new Map<string, number>();
  const indices = steps.map(({ fingerprint: { role, name, icon = '' } }) => {
    const text = JSON.stringify({ role, name, ...(icon !== '' && { icon }) });
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text) ?? 0;
  });
  return { queries: [...numbers.keys()].map((text) => JSON.parse(text) as ElementSearchQuery), indices };
}

/** Returns true if the frame may contain more than before. */
async function exploreFrame(frame: FrameNode): Promise<boolean> {
  const world = await worldOf(frame);
  const answered =
    world && (await frameAnswer(frame, world, () => Promise.all([openClosedRoots(world), readInternals(world)])));
  return answered?.answer.some(Boolean) ?? false;
}

async function worldOf(frame: FrameNode): Promise<World | undefined> {
  if (!frame.parent) return frame.worlds.isolated;
  return withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated.catch(frameIsGone));
}

function frameIsGone(): undefined {
  return undefined;
}

function liveCandidates(
  { frame, world, prefix, found }: FramePart,
  index: number,
  { mask }: StoredSearch,
): LiveCandidate[] {
  return (found.candidates[index] ?? []).map(({ ref, ...fingerprint }) => {
    const path = prefix + fingerprint.xpath;
    return {
      frame: frame.parent ? normalizedFrameUrl(frame.url) : '',
      path,
      fingerprint: maskedFingerprint(fingerprint, mask),
      target: { frame, world, element: { ref }, label: `xpath=${path}` },
    };
  });
}

function queryFor(
  { action, frame, fingerprint }: StoredStep,
  instruction: string,
): FoundCandidate & { readonly instruction: string } {
  return { frame, fingerprint, path: action.selector.replace(/^xpath=/, ''), instruction };
}

function summedPopulation(parts: readonly FramePart[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { found } of parts)
    for (const [role, count] of Object.entries(found.population)) sums[role] = (sums[role] ?? 0) + count;
  return sums;
}
