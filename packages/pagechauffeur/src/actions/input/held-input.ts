import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';

/** Keys and buttons that are down on a page, and the mouse position. */
export interface HeldInput {
  /** Modifier bits as in CDP. */
  modifiers: number;
  /** Codes of keys that are down. */
  readonly codes: Set<string>;
  /** Button bits as in CDP. */
  buttons: number;
  /** Mouse position in the page's viewport. */
  mouse: Point;
  /** The topmost out-of-process frame under the mouse. */
  over: FrameNode | undefined;
}

const heldByPage = new WeakMap<PageTarget, HeldInput>();

/** Returns the input state of a page. Each page has one such object. */
export function heldInput(page: PageTarget): HeldInput {
  const known = heldByPage.get(page);
  if (known) return known;
  const held: HeldInput = { modifiers: 0, codes: new Set(), buttons: 0, mouse: { x: 0, y: 0 }, over: undefined };
  heldByPage.set(page, held);
  return held;
}
