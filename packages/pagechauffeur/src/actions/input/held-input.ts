import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';

/** The keys and buttons that are down on a page, and the position of its mouse. */
export interface HeldInput {
  /** Modifier bits of the protocol. */
  modifiers: number;
  /** Codes of keys that are down. */
  readonly codes: Set<string>;
  /** Button bits of the protocol. */
  buttons: number;
  /** The position of the mouse in the page's viewport. */
  mouse: Point;
  /** The topmost frame of another process that the mouse is over. */
  over: FrameNode | undefined;
}

const heldByPage = new WeakMap<PageTarget, HeldInput>();

/** Returns the input state of a page, always the same object. */
export function heldInput(page: PageTarget): HeldInput {
  const known = heldByPage.get(page);
  if (known) return known;
  const held: HeldInput = { modifiers: 0, codes: new Set(), buttons: 0, mouse: { x: 0, y: 0 }, over: undefined };
  heldByPage.set(page, held);
  return held;
}
