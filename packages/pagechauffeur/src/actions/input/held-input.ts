import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';

/** Keys and buttons that are down, and the mouse position. CDP input events must repeat modifiers and buttons. */
export interface HeldInput {
  modifiers: number;
  /** `KeyboardEvent.code` of the keys that are down. */
  readonly codes: Set<string>;
  buttons: number;
  /** In CSS pixels of the page's viewport. */
  mouse: Point;
  /** The local root of the frame that was last under the mouse. `undefined` for the page's own process. */
  over: FrameNode | undefined;
}

const heldByPage = new WeakMap<PageTarget, HeldInput>();

/** Creates the state on first use. */
export function heldInput(page: PageTarget): HeldInput {
  const known = heldByPage.get(page);
  if (known) return known;
  const held: HeldInput = { modifiers: 0, codes: new Set(), buttons: 0, mouse: { x: 0, y: 0 }, over: undefined };
  heldByPage.set(page, held);
  return held;
}
