import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { FieldLock, KeysLeft } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type KeySequence, pressKeys } from './key-events.ts';

/** Maximum number of consecutive attempts in which no key arrives. */
const MAX_STALLS = 4;

/** Keys that the injected script delivers to one element only. */
export interface GuardedKeys {
  readonly progress: Progress;
  readonly session: Session;
  /** The document that accepts the keys. */
  readonly world: World;
  readonly token: number;
  readonly keys: KeySequence;
  /** The caller's selector or ref, for messages. */
  readonly label: string;
  /** True if the caller checks the field afterwards and tries again, so that this does not throw if no key arrived. Default false. */
  readonly isJudgedAfter?: boolean;
  /** True to close the popup of another control that takes the keys. Default false: the keys may be meant for it. */
  readonly closesPopups?: boolean;
}

/**
 * Sends the keys from `start` to `end` in one burst. Keys that did not arrive, because another element took the focus, are sent again.
 * The injected script accepts only the next key of the sequence, so none arrives twice.
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
    // If the element kept the focus, the press went to the browser's own interface, such as an open list of options.
    if (isPress && isInOwnInterface) return;
    // The page does not get this key. In a list, it would choose what the keys before have found.
    if (closesPopups && popup === 'picker') await progress.race(Promise.all(pressKeys(session, 'Escape')));
    ({ lock } = left);
    if (now > arrived) stalls = -1;
    arrived = Math.max(arrived, now);
  }
  if (!(guarded.isJudgedAfter && arrived === start)) throw keptError(guarded, { arrived, lock });
}

/** Returns how many keys have not arrived. Returns 0 if the page has navigated, because it accepts no more keys. */
async function leftAfter(
  { progress, world, token }: GuardedKeys,
  end: number,
  sent: readonly Promise<unknown>[],
): Promise<KeysLeft> {
  try {
    const [left] = await progress.race(Promise.all([world.call('keysLeft', token, end), ...sent]));
    if (left.count === 0) return left;
    // Keys may arrive after the injected script stopped waiting, if the browser is busy.
    return await progress.race(world.call('keysLeft', token, 0));
  } catch (error) {
    if (error instanceof DocumentGoneError) return { count: 0, hasLostFocus: false };
    throw error;
  }
}

/** The number of keys that arrived before something blocked the others, and the lock of the field, if it has one. */
interface Kept {
  readonly arrived: number;
  readonly lock: FieldLock | undefined;
}

function keptError({ label, keys, progress }: GuardedKeys, { arrived, lock }: Kept): DriverLocatorError {
  const { combination, strokes } = keys;
  if (lock) {
    const cause = lock === 'disabled' ? 'disabled it' : 'made it read-only';
    const failure = `Cannot ${combination === undefined ? 'type into' : `press ${combination} on`} ${label}: the page ${cause} meanwhile.`;
    const typed = `${arrived} of ${strokes.length} characters were typed, and nothing more was sent.`;
    return new DriverLocatorError(`${failure} ${typed} First do what the page waits for.`, {
      selector: label,
      callLog: progress.callLog,
      hasActed: arrived > 0,
    });
  }
  const [failure, advice] =
    combination === undefined
      ? [
          `Cannot type into ${label}: another element takes the focus. ${arrived} of ${strokes.length} characters were typed`,
          ', or use fill',
        ]
      : [`Cannot press ${combination} on ${label}: another element takes the focus. The key did not reach it`, ''];
  return new DriverLocatorError(
    `${failure}, and nothing more was sent. First close the element that takes the focus${advice}.`,
    {
      selector: label,
      callLog: progress.callLog,
      hasActed: arrived > 0,
    },
  );
}
