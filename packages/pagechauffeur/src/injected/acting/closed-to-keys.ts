import { awaitsKeys, tokensOfKeys } from './key-run.ts';
import { localParent } from './owner-frames.ts';
import { startTimer } from './timer.ts';

/** Blocked keys pass again after this many ms if no call unblocks them: the driver may be gone. No call types for longer. */
const LONGEST_TYPING = 600_000;

/** How long late text may take to arrive, in ms. */
const LONGEST_DELAY = 10_000;

/** Token of the last action that enters text into this document. */
let awaitedToken = 0;

/** Token of the action whose late text is blocked; 0 if none. */
let lateToken = 0;

/** Lets the text of this action into this document, even if this action or an earlier one closed all documents of the page. */
export function awaitText(token: number): void {
  awaitedToken = token;
}

/** Timers that end the blocks, by the token of the action whose keys are for another document. */
const stopTimerByToken = new Map<number, () => void>();

/** Blocks the keys of this action in this document: they are meant for another one. */
export function closeToKeys(token: number, time = LONGEST_TYPING): void {
  openToKeys(token);
  stopTimerByToken.set(
    token,
    startTimer(() => openToKeys(token), time),
  );
}

/** Blocks the text of an action that timed out, until its last keyup. */
export function closeToLateText(token: number): void {
  if (awaitedToken === token) awaitedToken = 0;
  lateToken = token;
  closeToKeys(token, LONGEST_DELAY);
}

/** Ends the block of late text after its last keyup. */
export function endLateText(): void {
  if (lateToken > 0) openToKeys(lateToken);
  lateToken = 0;
}

/** Ends the block for the keys of this action. */
export function openToKeys(token: number): void {
  stopTimerByToken.get(token)?.();
  stopTimerByToken.delete(token);
}

/** True if keys that arrive now are meant for another document. */
export function isClosedToKeys(): boolean {
  const isForAnother = [...stopTimerByToken.keys()].some((token) => token > awaitedToken);
  return isForAnother && !awaitsKeys();
}

/** Tokens of the actions whose keys a child frame must not hear. */
export function keysUnderWay(): readonly number[] {
  return [...tokensOfKeys(), ...stopTimerByToken.keys()];
}

/** Takes over the blocks of the parent. A document that the page creates while keys arrive exists before the driver knows it. */
export function closeLikeParent(): void {
  for (const token of localParent()?.program.keysUnderWay() ?? []) closeToKeys(token);
}
