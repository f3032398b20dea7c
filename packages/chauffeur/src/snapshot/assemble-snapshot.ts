import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { renderSnapshot } from './render-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { stitchFrames, type StitchedFrames } from './stitch-frames.ts';

/** One snapshot of the parts of its frames. Most callers only want the text, so the tree is made when it is asked for. */
export function assembleSnapshot(rootFrame: FrameNode, all: readonly FramePart[]): Snapshot {
  const byFrameId = new Map(all.map((part) => [part.frame.id, part]));
  const parts: FrameParts = { root: byFrameId.get(rootFrame.id), byFrameId };
  let stitched: StitchedFrames | undefined;
  const tree = (): StitchedFrames => (stitched ??= stitchFrames(parts));
  return {
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    ...renderSnapshot(parts),
    elementCount: all.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
    get nodes() {
      return tree().nodes;
    },
    get refs() {
      return tree().refs;
    },
  };
}
