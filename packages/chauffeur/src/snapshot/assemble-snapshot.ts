import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { fitFrames } from './fit-frames.ts';
import { foldedThingsIn } from './folded-things.ts';
import { joinFrames, refsIn } from './join-frames.ts';
import type { FoldedThings, RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { type StitchedFrames, stitchFrames } from './stitch-frames.ts';

/** One snapshot of the parts of its frames. Large pages have tens of thousands of refs, so they are listed when asked for. */
export function assembleSnapshot(
  rootFrame: FrameNode,
  unfitted: readonly FramePart[],
  { tokenBudget = Infinity, earlier }: SnapshotOptions & TreeOptions,
): Snapshot {
  const all = fitFrames(unfitted, tokenBudget);
  const byFrameId = new Map(all.map((part) => [part.frame.id, part]));
  const parts: FrameParts = { root: byFrameId.get(rootFrame.id), byFrameId };
  let stitched: StitchedFrames | undefined;
  let refs: ReadonlyMap<string, RefTarget> | undefined;
  let foldedThings: FoldedThings | undefined;
  const world = parts.root?.world;
  const numbered = earlier && earlier.world === world ? earlier.urls : [];
  return {
    world,
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    ...joinFrames(parts, numbered),
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
