import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverElementNotFoundError } from '../errors.ts';
import { frameAnswer } from '../snapshot/frame-answer.ts';
import { numberInFrame } from '../snapshot/frame-part.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A frame without a document after this long holds nothing that was meant. */
const FRAME_DOCUMENT_WAIT_MS = 1000;

/** A page as text: see `docs/snapshot.md` for the lines. */
export interface PageSnapshot {
  /** One line per element or text. */
  readonly text: string;
  /** Role and accessible name of each element that can be acted on, by its ref. */
  readonly refs: Readonly<Record<string, { readonly role: string; readonly name: string }>>;
  /** Absolute addresses that stand in the text as `#0`, `#1`, … */
  readonly urls: readonly string[];
}

/** Throws when what was to be shown in full is not in the page. */
export async function checkExpanded(
  progress: Progress,
  page: PageTarget,
  { snapshot, expand }: { readonly snapshot: Snapshot; readonly expand: string | undefined },
): Promise<void> {
  if (expand === undefined || snapshot.refs.has(expand)) return;
  // The snapshot names what can be acted on; a list that holds what is folded away is named by its fold alone.
  const found = await Promise.all(page.frames.frames.map((frame) => holds(progress, page, { frame, ref: expand })));
  if (found.includes(true)) return;
  throw new DriverElementNotFoundError(
    `Nothing in the page has the ref ${expand}, which was to be shown in full. Take a ref from a snapshot of the page as it is now.`,
    { selectors: [expand] },
  );
}

async function holds(
  progress: Progress,
  page: PageTarget,
  { frame, ref }: { readonly frame: FrameNode; readonly ref: string },
): Promise<boolean> {
  const world = await progress.race(withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated.catch(frameIsGone)));
  const number = world && numberInFrame(page, { frame, world }, ref);
  if (!world || number === undefined) return false;
  const answered = await progress.race(frameAnswer(frame, world, () => world.call('resolve', { ref: number })));
  return answered?.answer.kind === 'element';
}

function frameIsGone(): undefined {
  return undefined;
}

/** What a page's snapshot gives to users. Large pages have tens of thousands of refs, so they are listed when they are asked for. */
export function pageSnapshot(snapshot: Snapshot): PageSnapshot {
  let listed: PageSnapshot['refs'] | undefined;
  return {
    text: snapshot.text,
    urls: snapshot.urls,
    get refs() {
      listed ??= Object.fromEntries([...snapshot.refs].map(([ref, { role, name }]) => [ref, { role, name }]));
      return listed;
    },
  };
}
