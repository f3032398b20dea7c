import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { joinFrames, refsIn } from './join-frames.ts';
import type { RefTarget, Snapshot } from './snapshot.ts';
import type { SnapshotNode } from './snapshot-node.ts';
import { stitchFrames } from './stitch-frames.ts';

/** One snapshot of the parts of its frames. Large pages have tens of thousands of refs, so they are listed when asked for. */
export function assembleSnapshot(rootFrame: FrameNode, all: readonly FramePart[]): Snapshot {
  const byFrameId = new Map(all.map((part) => [part.frame.id, part]));
  const parts: FrameParts = { root: byFrameId.get(rootFrame.id), byFrameId };
  let nodes: readonly SnapshotNode[] | undefined;
  let refs: ReadonlyMap<string, RefTarget> | undefined;
  return {
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    ...joinFrames(parts),
    elementCount: all.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
    get nodes() {
      nodes ??= stitchFrames(parts);
      return nodes;
    },
    get refs() {
      refs ??= refsIn(parts);
      return refs;
    },
  };
}
