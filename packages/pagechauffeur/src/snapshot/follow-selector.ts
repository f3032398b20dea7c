import { FRAME_DOCUMENT_WAIT_MS, frameAnswer } from '../cdp/frame-answer.ts';
import { lackingFrameError, silentFrameError } from '../cdp/frame-errors.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import { FrameResolver } from '../cdp/frame-resolver.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { ElementTarget, Resolution, Unexplored } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Where a selector leads: to an element or a whole document. */
export interface Followed {
  readonly frame: FrameNode;
  /** The last part of the selector, to resolve in `frame`. Empty for a whole document. */
  readonly rest: string;
  /** The result for an element; undefined for a whole document. */
  readonly resolution: Exclude<Resolution, { kind: 'frame' | 'unexplored' }> | undefined;
}

/** Resolves a selector step by step through frames. Starts in `from`, by default the main frame. */
export async function followSelector(
  progress: Progress,
  page: PageTarget,
  { selector, from = page.frames.main }: { readonly selector: string; readonly from?: FrameNode },
): Promise<Followed> {
  const start = { frame: from, element: { selector }, isWholeDocument: selector === '' };
  const resolver = new FrameResolver(page, start, selector);
  for (;;) {
    const { frame, element, isWholeDocument } = resolver.current;
    if (isWholeDocument) return { frame, rest: '', resolution: undefined };
    const world = await progress.race(worldOf(frame, selector));
    const answer = await progress.race(resolveIn({ frame, world, element }, selector));
    const resolution = await progress.race(resolver.follow(world, answer));
    if (resolution) return { frame, rest: 'selector' in element ? element.selector : '', resolution };
  }
}

async function worldOf(frame: FrameNode, selector: string): Promise<World> {
  if (!frame.parent) return frame.worlds.isolated;
  const world = await withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated);
  if (!world) throw lackingFrameError('document', selector);
  return world;
}

async function resolveIn(
  { frame, world, element }: { readonly frame: FrameNode; readonly world: World; readonly element: ElementTarget },
  selector: string,
): Promise<Resolution | Unexplored> {
  const answered = await frameAnswer(frame, world, () => world.call('resolve', element));
  if (!answered) throw silentFrameError(frame, selector);
  return answered.answer;
}
