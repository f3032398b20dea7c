import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverElementNotFoundError } from '../errors.ts';
import { FRAME_DOCUMENT_WAIT_MS, frameAnswer } from '../cdp/frame-answer.ts';
import { numberInFrame } from '../snapshot/frame-part.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A page as text, as models see it. `docs/snapshot.md` describes the format. */
export interface PageSnapshot {
  /** One line per element or text node, indented by depth. */
  readonly text: string;
  /** Role and accessible name of each actionable element, by ref. */
  readonly refs: Readonly<Record<string, { readonly role: string; readonly name: string }>>;
  /** Absolute URLs that the text refers to as `#0`, `#1`, … */
  readonly urls: readonly string[];
}

/** Throws if no element on the page has the ref in `expand`. */
export async function checkExpanded(
  progress: Progress,
  page: PageTarget,
  { snapshot, expand }: { readonly snapshot: Snapshot; readonly expand: string | undefined },
): Promise<void> {
  if (expand === undefined || snapshot.refs.has(expand)) return;
  // `snapshot.refs` has only actionable elements. The ref of a folded list is only in its fold line, so ask the frames.
  const found = await Promise.all(page.frames.frames.map((frame) => holds(progress, page, { frame, ref: expand })));
  if (found.includes(true)) return;
  throw new DriverElementNotFoundError(
    `Cannot expand ${expand}: no element on the page has this ref. Use a ref from a current snapshot.`,
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

/**
 * Converts a snapshot to its public form. Builds `urls` and `refs` on first access, because large pages have tens of
 * thousands of them.
 */
export function pageSnapshot(snapshot: Snapshot): PageSnapshot {
  let listed: PageSnapshot['refs'] | undefined;
  return {
    text: snapshot.text,
    get urls() {
      return snapshot.urls;
    },
    get refs() {
      listed ??= Object.fromEntries([...snapshot.refs].map(([ref, { role, name }]) => [ref, { role, name }]));
      return listed;
    },
  };
}
