import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ContentFrameNotFoundError } from '../errors.ts';
import type { Resolution } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { openClosedRoots } from './closed-roots.ts';

/** Where a selector leads to. */
export interface Followed {
  /** The frame that its last part is in. */
  readonly frame: FrameNode;
  /** What of it is to be found in that frame; empty when the frame's whole document is meant. */
  readonly rest: string;
  /** What that finds there; undefined for a whole document. */
  readonly resolution: Exclude<Resolution, { kind: 'frame' | 'unexplored' }> | undefined;
}

/** Follows a selector through frames to the one that its last part is in. */
export async function followSelector(progress: Progress, page: PageTarget, selector: string): Promise<Followed> {
  let frame = page.frames.main;
  for (let rest = selector; rest !== '';) {
    const world = await progress.race(frame.worlds.isolated);
    const resolution = await progress.race(world.call('resolve', { selector: rest }));
    if (resolution.kind === 'unexplored') {
      await progress.race(openClosedRoots(world));
      continue;
    }
    if (resolution.kind !== 'frame') return { frame, rest, resolution };
    const child = await progress.race(contentFrame(page, world, resolution));
    if (!child) throw new ContentFrameNotFoundError(`The frame in ${selector} has no document.`, { selector });
    frame = child;
    rest = resolution.rest;
  }
  return { frame, rest: '', resolution: undefined };
}
