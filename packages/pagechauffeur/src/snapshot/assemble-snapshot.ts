import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { fitFrames } from './fit-frames.ts';
import { foldedThingsIn } from './folded-things.ts';
import { joinFrames, refsIn } from './join-frames.ts';
import type { FoldedThings, RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { type StitchedFrames, stitchFrames } from './stitch-frames.ts';

/** Snapshot parts by frame. */
interface TakenParts {
  readonly parts: readonly FramePart[];
  /** Ids of frames that did not answer. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Joins the parts of all frames into one snapshot. Large pages have tens of thousands of refs, so refs, nodes and folded items are computed
 * on first access.
 */
export function assembleSnapshot(
  rootFrame: FrameNode,
  { parts: unfitted, silent }: TakenParts,
  { tokenBudget = Infinity, earlier }: SnapshotOptions & TreeOptions,
): Snapshot {
  const all = fitFrames(unfitted, tokenBudget);
  const byFrameId = new Map(all.map((part) => [part.frame.id, part]));
  const parts: FrameParts = { root: byFrameId.get(rootFrame.id), byFrameId, silent };
  let stitched: StitchedFrames | undefined;
  let refs: ReadonlyMap<string, RefTarget> | undefined;
  let foldedThings: FoldedThings | undefined;
  const world = parts.root?.world;
  const numbered = earlier && earlier.world === world ? earlier.urls : [];
  const { text, urls } = joinFrames(parts, numbered);
  const linesBehindModal = parts.root?.snapshot.linesBehindModal ?? 0;
  return {
    world,
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    text: linesBehindModal === 0 ? text : `${text}\n${behindModalLine(linesBehindModal)}`,
    linesBehindModal,
    urls,
    tokens: all.reduce((sum, part) => sum + part.snapshot.tokens, 0),
    isFolded: all.some(({ snapshot }) => snapshot.isFolded),
    elementCount: all.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
    frame: rootFrame,
    get nodes() {
      stitched ??= stitchFrames(parts);
      return stitched.nodes;
    },
    get places() {
      stitched ??= stitchFrames(parts);
      return stitched.places;
    },
    get refs() {
      refs ??= refsIn(parts);
      return refs;
    },
    get foldedThings() {
      foldedThings ??= foldedThingsIn(parts);
      return foldedThings;
    },
  };
}

// Starts with `…` like the line of a fold, because text from the page never does.
function behindModalLine(count: number): string {
  return `… ${count} more ${count === 1 ? 'line' : 'lines'} of the page behind the dialog, of no use until it closes`;
}
