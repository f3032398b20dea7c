import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';

/** Which keys and buttons are down. CDP expects this state with each mouse and key event. */
export interface HeldInput {
  modifiers: number;
  /** `KeyboardEvent.code` of the keys that are down. */
  readonly codes: Set<string>;
  buttons: number;
  /** In CSS pixels of the page's viewport. */
  mouse: Point;
  /** The topmost out-of-process frame under the mouse. */
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
