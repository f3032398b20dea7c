import type { ActionToken } from '../contract.ts';
import { arm } from './pending-action.ts';
import { settle } from './settle.ts';

/** A tap's click comes within this many ms, or the page does not get one. */
const LONGEST_TAP = 1000;
/** Nobody cancels this wait, which is short. */
const NO_WAIT = 0;

/** Waits for the mouse events that follow a finger's tap, unless the page prevents them. */
export async function tapped(owner: ActionToken): Promise<void> {
  arm(owner, { target: null, receiver: null, input: 'tap', isChecked: false, scope: 'nothing' });
  await settle({ owner, timeout: LONGEST_TAP, eventTimeout: LONGEST_TAP, frames: 0, waitId: NO_WAIT });
}
