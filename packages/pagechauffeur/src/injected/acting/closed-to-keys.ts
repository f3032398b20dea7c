import { awaitsKeys, tokensOfKeys } from './key-run.ts';
import { localParent } from './owner-frames.ts';
import { startTimer } from './timer.ts';

/** Keys that nobody says are over pass again after this many ms: the driver may be gone. No call types for longer. */
const LONGEST_TYPING = 600_000;

/** How long late text may take to arrive, in ms. */
const LONGEST_DELAY = 10_000;

/** The last action that enters text into this document. */
let awaitedToken = 0;

/** The action whose late text is blocked; 0 for none. */
let lateToken = 0;

/** Lets the text of this action into this document, even if this action or an earlier one closed all documents of the page. */
export function awaitText(token: number): void {
  awaitedToken = token;
}

/** By the tokens of the actions whose keys are for another document. */
const stopTimerByToken = new Map<number, () => void>();

/** Keys of this action are meant for another document: none is heard of here. */
export function closeToKeys(token: number, time = LONGEST_TYPING): void {
  openToKeys(token);
  stopTimerByToken.set(
    token,
    startTimer(() => openToKeys(token), time),
  );
}

/** Blocks the text of an action that timed out, until its last key goes up. */
export function closeToLateText(token: number): void {
  awaitedToken = 0;
  lateToken = token;
  closeToKeys(token, LONGEST_DELAY);
}

/** Ends the block of late text: its key went up. */
export function endLateText(): void {
  if (lateToken > 0) openToKeys(lateToken);
  lateToken = 0;
}

/** The keys of this action are over. */
export function openToKeys(token: number): void {
  stopTimerByToken.get(token)?.();
  stopTimerByToken.delete(token);
}

/** Whether keys that come now are meant for another document. */
export function isClosedToKeys(): boolean {
  const isForAnother = [...stopTimerByToken.keys()].some((token) => token > awaitedToken);
  return isForAnother && !awaitsKeys();
}

/** For the program of a child: the actions whose keys it is not to hear of. */
export function keysUnderWay(): readonly number[] {
  return [...tokensOfKeys(), ...stopTimerByToken.keys()];
}

/** A document that the page makes while keys come is there before anybody outside could tell it. */
export function closeLikeParent(): void {
  for (const token of localParent()?.program.keysUnderWay() ?? []) closeToKeys(token);
}
