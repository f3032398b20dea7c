import { awaitsKeys, tokensOfKeys } from './key-run.ts';
import { localParent } from '../point/owner-frames.ts';
import { startTimer } from '../timer.ts';

/** Keys pass again after this many ms, in case the driver is gone. */
const LONGEST_TYPING = 600_000;

/** Maximum ms until the text of a timed-out action arrives. */
const LONGEST_DELAY = 10_000;

/** Token of the last action that enters text into this document. Its own and earlier blocks do not apply to it. */
let awaitedToken = 0;

/** Token of the timed-out action whose text may still arrive; 0 if there is none. */
let lateToken = 0;

/**
 * Lets the text of this action through, even if this or an earlier action blocked keys in all documents of the page.
 */
export function awaitText(token: number): void {
  awaitedToken = token;
}

/** One entry per block. The key is the token of the action that types into another document. */
const stopTimerByToken = new Map<number, () => void>();

export function closeToKeys(token: number, time = LONGEST_TYPING): void {
  openToKeys(token);
  stopTimerByToken.set(
    token,
    startTimer(() => openToKeys(token), time),
  );
}

/** Blocks text that arrives after its action timed out, up to the keyup that ends the text. */
export function closeToLateText(token: number): void {
  if (awaitedToken === token) awaitedToken = 0;
  lateToken = token;
  closeToKeys(token, LONGEST_DELAY);
}

/** Ends the block of late text at the keyup that ends the text. */
export function endLateText(): void {
  if (lateToken > 0) openToKeys(lateToken);
  lateToken = 0;
}

export function openToKeys(token: number): void {
  stopTimerByToken.get(token)?.();
  stopTimerByToken.delete(token);
}

/** True if keys that arrive now are meant for another document. */
export function isClosedToKeys(): boolean {
  const isForAnother = [...stopTimerByToken.keys()].some((token) => token > awaitedToken);
  return isForAnother && !awaitsKeys();
}

export function pendingKeyTokens(): readonly number[] {
  return [...tokensOfKeys(), ...stopTimerByToken.keys()];
}

/**
 * The driver does not know yet about a document that the page has just created, so the document copies the blocks of
 * its parent.
 */
export function closeLikeParent(): void {
  for (const token of localParent()?.program.pendingKeyTokens() ?? []) closeToKeys(token);
}
