import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { frameAnswer } from './frame-answer.ts';

/** A frame without a document after this long holds nothing that was meant. */
const FRAME_DOCUMENT_WAIT_MS = 1000;
/** A frame that has not said after this long what it holds is left out. */
const FRAME_ANSWER_MS = 1000;

/** What one frame says: the frames it holds, in document order, and where the selector leads from its document. */
interface FrameSearch {
  readonly held: readonly string[];
  readonly followed: Followed | undefined;
}

/** Where a selector leads in the first frame, in document order, that has an element for it; the main frame is left aside. */
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

/** Whether the page's own document has an element for a selector by now. */
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

/** What a frame answers that is just leaving, or in which the selector goes on in a frame that cannot be asked. */
const NO_MATCH = [DocumentGoneError, ContentFrameNotFoundError, DriverIframeError];

/** A frame and all below it as their elements stand in the documents. */
function* inDocumentOrder(
  frame: FrameNode,
  searches: ReadonlyMap<FrameNode, FrameSearch | undefined>,
): Generator<FrameNode> {
  yield frame;
  const { held = [] } = searches.get(frame) ?? {};
  // A frame that its document does not know yet comes last.
  const place = ({ id }: FrameNode): number => (held.includes(id) ? held.indexOf(id) : held.length);
  for (const child of [...frame.children].toSorted((one, other) => place(one) - place(other)))
    yield* inDocumentOrder(child, searches);
}
