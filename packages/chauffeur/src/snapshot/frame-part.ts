import type { FrameNode } from '../cdp/frame-node.ts';
import type { World } from '../cdp/world.ts';
import type { FrameSnapshot } from '../injected/contract.ts';

/** One frame's part of a snapshot and the world it was taken in, to which its refs belong. */
export interface FramePart {
  readonly frame: FrameNode;
  readonly world: World;
  readonly snapshot: FrameSnapshot;
}
