import type { ActionToken } from '../contract.ts';
import { arm } from './pending-action.ts';
import { settle } from './settle.ts';

/** The click of a tap arrives within this many ms, or not at all. */
const LONGEST_TAP = 1000;
/** Nobody cancels this short wait. */
const NO_WAIT = 0;

/** Waits for the mouse events after a tap, unless the page prevents them. */
export async function tapped(owner: ActionToken): Promise<void> {
  arm(owner, { target: null, receiver: null, input: 'tap', isChecked: false, scope: 'nothing' });
  await settle({ owner, timeout: LONGEST_TAP, eventTimeout: LONGEST_TAP, frames: 0, waitId: NO_WAIT });
}
