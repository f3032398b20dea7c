import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { Resolution, Unexplored } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { openClosedRoots } from './closed-roots.ts';
import { frameAnswer } from './frame-answer.ts';
import { lackingFrameError, silentFrameError } from './frame-errors.ts';

/** The frame and the element that a selector leads to. */
export interface Followed {
  /** The frame in which the last part of the selector is resolved. */
  readonly frame: FrameNode;
  /**
   * The last part of the selector, to resolve in that frame. Empty if the selector selects the whole document of the
   * frame.
   */
  readonly rest: string;
  /** The result in that frame. `undefined` for a whole document. */
  readonly resolution: Exclude<Resolution, { kind: 'frame' | 'unexplored' }> | undefined;
}

/** A selector, and the frame in which it starts; default is the main frame. */
interface Beginning {
  readonly selector: string;
  readonly from?: FrameNode;
}

/** Time in ms to wait for the document of a frame. Some frames never get one. */
const FRAME_DOCUMENT_WAIT_MS = 1000;

/** Follows a selector through frames, to the frame of its last part. */
export async function followSelector(
  progress: Progress,
  page: PageTarget,
  { selector, from = page.frames.main }: Beginning,
): Promise<Followed> {
  let frame = from;
  for (let rest = selector; rest !== '';) {
    const world = await progress.race(worldOf(frame, selector));
    const resolution = await progress.race(resolveIn({ frame, world, rest }, selector));
    if (resolution.kind === 'unexplored') {
      await progress.race(openClosedRoots(world));
      continue;
    }
    if (resolution.kind !== 'frame') return { frame, rest, resolution };
    const child = await progress.race(contentFrame(page, world, resolution));
    if (!child) throw lackingFrameError('document', selector);
    frame = child;
    rest = resolution.rest;
  }
  return { frame, rest: '', resolution: undefined };
}

async function worldOf(frame: FrameNode, selector: string): Promise<World> {
  if (!frame.parent) return frame.worlds.isolated;
  const world = await withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated);
  if (!world) throw lackingFrameError('document', selector);
  return world;
}

async function resolveIn(
  { frame, world, rest }: { readonly frame: FrameNode; readonly world: World; readonly rest: string },
  selector: string,
): Promise<Resolution | Unexplored> {
  const answered = await frameAnswer(frame, world, () => world.call('resolve', { selector: rest }));
  if (!answered) throw silentFrameError(frame, selector);
  return answered.answer;
}
