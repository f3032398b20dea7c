import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';

/** What of a page's keyboard and mouse is held down now, and where the mouse is. */
export interface HeldInput {
  /** Modifier bits of the protocol. */
  modifiers: number;
  /** Codes of keys that are down. */
  readonly codes: Set<string>;
  /** Button bits of the protocol. */
  buttons: number;
  /** In the page's viewport. */
  mouse: Point;
  /** The topmost frame of another process that the mouse is over. */
  over: FrameNode | undefined;
}

const heldByPage = new WeakMap<PageTarget, HeldInput>();

/** What is held on a page; one object for as long as the page lives. */
export function heldInput(page: PageTarget): HeldInput {
  const known = heldByPage.get(page);
  if (known) return known;
  const held: HeldInput = { modifiers: 0, codes: new Set(), buttons: 0, mouse: { x: 0, y: 0 }, over: undefined };
  heldByPage.set(page, held);
  return held;
}
