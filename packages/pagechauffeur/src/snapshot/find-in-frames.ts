import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { FRAME_DOCUMENT_WAIT_MS, frameAnswer } from '../cdp/frame-answer.ts';

/** Frames that do not respond after this many ms are skipped. */
const FRAME_ANSWER_MS = 1000;

/** `held`: the IDs of the child frames, in document order. */
interface FrameSearch {
  readonly held: readonly string[];
  readonly followed: Followed | undefined;
}

/** Returns the first match in document order. Does not search the main frame. */
export async function findInFrames(
  progress: Progress,
  page: PageTarget,
  selector: string,
): Promise<Followed | undefined> {
  const { main } = page.frames;
  const frames = [...main.subtree()];
  if (frames.length === 1) return undefined;
  const answers = await progress.race(
    Promise.all(frames.map(async (frame) => [frame, await searchFrame(progress, page, { frame, selector })] as const)),
  );
  const searches = new Map(answers);
  for (const frame of inDocumentOrder(main, searches)) {
    const followed = searches.get(frame)?.followed;
    if (followed) return followed;
  }
  return undefined;
}

export async function isInMainFrame(progress: Progress, page: PageTarget, selector: string): Promise<boolean> {
  try {
    const { resolution } = await followSelector(progress, page, { selector, from: page.frames.main });
    return resolution?.kind === 'element';
  } catch (error) {
    if (NO_MATCH.some((kind) => error instanceof kind)) return false;
    throw error;
  }
}

async function searchFrame(
  progress: Progress,
  page: PageTarget,
  { frame, selector }: { readonly frame: FrameNode; readonly selector: string },
): Promise<FrameSearch | undefined> {
  try {
    const world = await withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated);
    if (!world || frame.isUnreachable) return undefined;
    const search = async (): Promise<FrameSearch> => {
      const [held, followed] = await Promise.all([
        world.call('heldFrames'),
        frame.parent ? followSelector(progress, page, { selector, from: frame }) : undefined,
      ]);
      const isFound = followed && (!followed.resolution || followed.resolution.kind === 'element');
      return { held, followed: isFound ? followed : undefined };
    };
    return (await frameAnswer(frame, world, search, FRAME_ANSWER_MS))?.answer;
  } catch (error) {
    if (NO_MATCH.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** Thrown if a frame navigates, or if the selector enters an element without a usable document. */
const NO_MATCH = [DocumentGoneError, ContentFrameNotFoundError, DriverIframeError];

function* inDocumentOrder(
  frame: FrameNode,
  searches: ReadonlyMap<FrameNode, FrameSearch | undefined>,
): Generator<FrameNode> {
  yield frame;
  const { held = [] } = searches.get(frame) ?? {};
  // A frame that its parent document does not list yet comes last.
  const position = ({ id }: FrameNode): number => (held.includes(id) ? held.indexOf(id) : held.length);
  for (const child of [...frame.children].toSorted((one, other) => position(one) - position(other)))
    yield* inDocumentOrder(child, searches);
}
