import { awaitsKeys, tokensOfKeys } from './key-run.ts';
import { localParent } from './owner-frames.ts';
import { startTimer } from './timer.ts';

/** Timeout in ms after which blocked keys pass again, in case the driver is gone. No call types for longer. */
const LONGEST_TYPING = 600_000;

/** How long the text of a timed-out action may still arrive, in ms. */
const LONGEST_DELAY = 10_000;

/** Token of the last action that enters text into this document. */
let awaitedToken = 0;

/** Token of the action whose late text is blocked; 0 if none. */
let lateToken = 0;

/**
 * Lets the text of this action into this document, even if this or an earlier action blocked keys in all documents of
 * the page.
 */
export function awaitText(token: number): void {
  awaitedToken = token;
}

/** Timers that end the blocks, by the token of the action whose keys are for another document. */
const stopTimerByToken = new Map<number, () => void>();

/** Blocks keys in this document while the action types into another one. */
export function closeToKeys(token: number, time = LONGEST_TYPING): void {
  openToKeys(token);
  stopTimerByToken.set(
    token,
    startTimer(() => openToKeys(token), time),
  );
}

/** Blocks text that arrives after its action timed out, until the last keyup. */
export function closeToLateText(token: number): void {
  if (awaitedToken === token) awaitedToken = 0;
  lateToken = token;
  closeToKeys(token, LONGEST_DELAY);
}

/** Unblocks the document after the last keyup of late text. */
export function endLateText(): void {
  if (lateToken > 0) openToKeys(lateToken);
  lateToken = 0;
}

/** Ends the block that this action started. */
export function openToKeys(token: number): void {
  stopTimerByToken.get(token)?.();
  stopTimerByToken.delete(token);
}

/** True if keys that arrive now are meant for another document. */
export function isClosedToKeys(): boolean {
  const isForAnother = [...stopTimerByToken.keys()].some((token) => token > awaitedToken);
  return isForAnother && !awaitsKeys();
}

/** Returns the tokens of the actions whose keys child frames must block. */
export function keysUnderWay(): readonly number[] {
  return [...tokensOfKeys(), ...stopTimerByToken.keys()];
}

/**
 * Copies the blocks of the parent. A document that the page creates during typing exists before the driver knows of it.
 */
export function closeLikeParent(): void {
  for (const token of localParent()?.program.keysUnderWay() ?? []) closeToKeys(token);
}
