import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { FieldLock, KeysLeft } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type KeySequence, pressKeys } from './key-events.ts';

/**
 * Keys per round trip. The page handles a batch to its end even if the call times out meanwhile, and a page that handles
 * 100 keys still responds to other calls soon.
 */
const BATCH_SIZE = 100;

/** Consecutive attempts in which no key arrives. Then sending stops. */
const MAX_STALLS = 4;

/** A text that is typed in one or more key sequences. Errors say how much of it was typed. */
export interface TypedText {
  readonly total: number;
  typed: number;
  /** True until the page has reported which keys of the last batch have arrived. */
  isUnknown: boolean;
}

/** Keys for one element. The injected script blocks them everywhere else. */
export interface GuardedKeys {
  readonly progress: Progress;
  readonly session: Session;
  readonly world: World;
  readonly token: number;
  readonly keys: KeySequence;
  readonly label: string;
  /** The text that the keys belong to. `undefined` for `press`. */
  readonly text?: TypedText | undefined;
  /**
   * True if the caller checks the field afterwards and can retry. Then no error is thrown if no key arrived. Default
   * false.
   */
  readonly isVerifiedByCaller?: boolean;
  /**
   * True to close a popup of another control that would receive the keys. Default false, because the keys may be meant
   * for the popup.
   */
  readonly closesPopups?: boolean;
}

/** Runs `type`, and adds to timeout and abort errors how many of the `total` characters were typed. */
export function withTypedText(
  progress: Progress,
  total: number,
  type: (text: TypedText) => Promise<void>,
): Promise<void> {
  const text = { total, typed: 0, isUnknown: false };
  return progress.withStatus(
    () => `${amountTyped(text)}, and nothing more was sent.`,
    () => type(text),
  );
}

/**
 * Sends the keys from `start` to `end`, {@link BATCH_SIZE} at a time, and resends those that did not arrive because
 * another element took the focus. The injected script accepts only the next key of the sequence, so no key arrives
 * twice.
 */
export async function sendGuarded(
  guarded: GuardedKeys,
  { start = 0, end = guarded.keys.strokes.length }: { start?: number; end?: number } = {},
): Promise<void> {
  const { progress, keys, closesPopups = false } = guarded;
  const isPress = keys.combination !== undefined;
  let [arrived, stalls] = [start, 0];
  do {
    progress.throwIfEnded();
    const batch = { start: arrived, end: Math.min(arrived + BATCH_SIZE, end) };
    const { count, hasLostFocus, popup, lock } = await sendBatch(guarded, batch);
    const now = keys.strokes.length - count;
    if (now < batch.end) {
      const isInOwnInterface = !hasLostFocus && !(closesPopups && popup);
      // The element still has the focus, so the browser's own UI took the key, for example an open option list.
      if (isPress && isInOwnInterface) return;
      // The page does not receive this Escape. An option list gets none, because there Escape would select the option
      // that the earlier keys highlighted.
      if (closesPopups && popup === 'picker') await progress.race(Promise.all(pressKeys(guarded.session, 'Escape')));
      stalls = now > arrived ? 0 : stalls + 1;
      if (stalls === MAX_STALLS && guarded.isVerifiedByCaller && arrived === start) return;
      if (stalls === MAX_STALLS) throw blockedKeysError(guarded, { arrived, lock });
    } else stalls = 0;
    arrived = Math.max(arrived, now);
  } while (arrived < end);
}

interface KeyBatch {
  readonly start: number;
  readonly end: number;
}

function sendBatch(guarded: GuardedKeys, batch: KeyBatch): Promise<KeysLeft> {
  const { progress, text } = guarded;
  return text ? progress.finishStep(countBatch(guarded, { text, ...batch })) : leftAfter(guarded, batch);
}

async function countBatch(
  guarded: GuardedKeys,
  { text, ...batch }: KeyBatch & { readonly text: TypedText },
): Promise<KeysLeft> {
  text.isUnknown = true;
  const left = await leftAfter(guarded, batch);
  const { strokes, lead = 0 } = guarded.keys;
  text.typed += Math.max(0, strokes.length - left.count - Math.max(batch.start, lead));
  text.isUnknown = false;
  return left;
}

/** Returns how many keys have not arrived, and why. 0 after a navigation, when no further key can arrive. */
async function leftAfter(
  { progress, session, world, token, keys }: GuardedKeys,
  { start, end }: KeyBatch,
): Promise<KeysLeft> {
  try {
    const sent = keys.send(session, start, end);
    const [left] = await progress.race(Promise.all([world.call('keysLeft', token, end), ...sent]));
    if (keys.strokes.length - left.count >= end) return left;
    // On a busy machine, keys can arrive after the first response.
    return await progress.race(world.call('keysLeft', token, 0));
  } catch (error) {
    if (error instanceof DocumentGoneError) return { count: 0, hasLostFocus: false };
    throw error;
  }
}

function amountTyped({ total, typed, isUnknown }: TypedText): string {
  return `${isUnknown ? 'At least ' : ''}${typed} of ${total} characters were typed`;
}

interface BlockedKeys {
  readonly arrived: number;
  readonly lock: FieldLock | undefined;
}

function blockedKeysError(
  { label, keys: { combination, strokes }, progress, text }: GuardedKeys,
  { arrived, lock }: BlockedKeys,
): DriverLocatorError {
  const typedText = amountTyped(text ?? { total: strokes.length, typed: arrived, isUnknown: false });
  const hasActed = arrived > 0 || (text?.typed ?? 0) > 0;
  if (lock) {
    const cause = lock === 'disabled' ? 'disabled it' : 'made it read-only';
    const failure = `Cannot ${combination === undefined ? 'type into' : `press ${combination} on`} ${label}: the page ${cause} while keys were sent.`;
    const typed = combination === undefined ? `${typedText}, and nothing more was sent.` : 'Nothing more was sent.';
    return new DriverLocatorError(`${failure} ${typed} Complete the step that the page requires first.`, {
      selector: label,
      callLog: progress.callLog,
      hasActed,
    });
  }
  const [failure, advice] =
    combination === undefined
      ? [`Cannot type into ${label}: another element took the focus. ${typedText}`, ', or use fill']
      : [`Cannot press ${combination} on ${label}: another element took the focus. The key did not reach it`, ''];
  return new DriverLocatorError(
    `${failure}, and nothing more was sent. First close the element that takes the focus${advice}.`,
    {
      selector: label,
      callLog: progress.callLog,
      hasActed,
    },
  );
}
