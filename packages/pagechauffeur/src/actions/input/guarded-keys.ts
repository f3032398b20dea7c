import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { FieldLock, KeysLeft } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type KeySequence, pressKeys } from './key-events.ts';

/** Consecutive attempts in which no key arrives. Then sending stops. */
const MAX_STALLS = 4;

/** Keys for one element. The injected script blocks them everywhere else. */
export interface GuardedKeys {
  readonly progress: Progress;
  readonly session: Session;
  readonly world: World;
  readonly token: number;
  readonly keys: KeySequence;
  readonly label: string;
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

/**
 * Sends the keys from `start` to `end` in one burst, and resends those that did not arrive because another element took
 * the focus. The injected script accepts only the next key of the sequence, so no key arrives twice.
 */
export async function sendGuarded(
  guarded: GuardedKeys,
  { start = 0, end = guarded.keys.strokes.length }: { start?: number; end?: number } = {},
): Promise<void> {
  const { progress, session, keys, closesPopups = false } = guarded;
  const isPress = keys.combination !== undefined;
  let arrived = start;
  let lock: FieldLock | undefined;
  for (let stalls = 0; stalls < MAX_STALLS; stalls += 1) {
    progress.throwIfEnded();
    const { count, hasLostFocus, popup, ...left } = await leftAfter(guarded, end, keys.send(session, arrived, end));
    const now = keys.strokes.length - count;
    if (now >= end) return;
    const isInOwnInterface = !hasLostFocus && !(closesPopups && popup);
    // The element still has the focus, so the browser's own UI took the key, for example an open option list.
    if (isPress && isInOwnInterface) return;
    // The page does not receive this Escape. An option list gets none, because there Escape would select the option
    // that the earlier keys highlighted.
    if (closesPopups && popup === 'picker') await progress.race(Promise.all(pressKeys(session, 'Escape')));
    ({ lock } = left);
    if (now > arrived) stalls = -1;
    arrived = Math.max(arrived, now);
  }
  if (!(guarded.isVerifiedByCaller && arrived === start)) throw blockedKeysError(guarded, { arrived, lock });
}

/** Returns how many keys have not arrived, and why. 0 after a navigation, when no further key can arrive. */
async function leftAfter(
  { progress, world, token }: GuardedKeys,
  end: number,
  sent: readonly Promise<unknown>[],
): Promise<KeysLeft> {
  try {
    const [left] = await progress.race(Promise.all([world.call('keysLeft', token, end), ...sent]));
    if (left.count === 0) return left;
    // On a busy machine, keys can arrive after the first response.
    return await progress.race(world.call('keysLeft', token, 0));
  } catch (error) {
    if (error instanceof DocumentGoneError) return { count: 0, hasLostFocus: false };
    throw error;
  }
}

interface BlockedKeys {
  readonly arrived: number;
  readonly lock: FieldLock | undefined;
}

function blockedKeysError({ label, keys, progress }: GuardedKeys, { arrived, lock }: BlockedKeys): DriverLocatorError {
  const { combination, strokes } = keys;
  if (lock) {
    const cause = lock === 'disabled' ? 'disabled it' : 'made it read-only';
    const failure = `Cannot ${combination === undefined ? 'type into' : `press ${combination} on`} ${label}: the page ${cause} while keys were sent.`;
    const typed =
      combination === undefined
        ? `${arrived} of ${strokes.length} characters were typed, and nothing more was sent.`
        : 'Nothing more was sent.';
    return new DriverLocatorError(`${failure} ${typed} Complete the step that the page requires first.`, {
      selector: label,
      callLog: progress.callLog,
      hasActed: arrived > 0,
    });
  }
  const [failure, advice] =
    combination === undefined
      ? [
          `Cannot type into ${label}: another element took the focus. ${arrived} of ${strokes.length} characters were typed`,
          ', or use fill',
        ]
      : [`Cannot press ${combination} on ${label}: another element took the focus. The key did not reach it`, ''];
  return new DriverLocatorError(
    `${failure}, and nothing more was sent. First close the element that takes the focus${advice}.`,
    {
      selector: label,
      callLog: progress.callLog,
      hasActed: arrived > 0,
    },
  );
}
