import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { FieldLock, KeysLeft } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import type { KeySequence } from './key-events.ts';

/** So often keys that went elsewhere are pressed again when none of them has come. */
const MAX_STALLS = 4;

/** Keys that the injected script delivers to one element only. */
export interface GuardedKeys {
  readonly progress: Progress;
  readonly session: Session;
  /** Of the document that awaits them. */
  readonly world: World;
  readonly token: number;
  readonly keys: KeySequence;
  /** How the caller named the element, for messages. */
  readonly label: string;
  /** The caller looks at the field afterwards and tries again: that no key came is no failure here. Default false. */
  readonly isJudgedAfter?: boolean;
}

/**
 * Sends the keys from `start` to `end` in one burst. Keys that did not arrive, because another element took the focus, are sent again.
 * The injected script accepts only the next key of the sequence, so none arrives twice.
 */
export async function sendGuarded(
  guarded: GuardedKeys,
  { start = 0, end = guarded.keys.strokes.length }: { start?: number; end?: number } = {},
): Promise<void> {
  const { progress, session, keys } = guarded;
  const isPress = keys.combination !== undefined;
  let arrived = start;
  let lock: FieldLock | undefined;
  for (let stalls = 0; stalls < MAX_STALLS; stalls += 1) {
    progress.throwIfEnded();
    const { count, hasLostFocus, ...left } = await leftAfter(guarded, end, keys.send(session, arrived, end));
    const now = keys.strokes.length - count;
    // If the element kept the focus, the press went to the browser's own interface, such as an open list of options.
    if (now >= end || (isPress && !hasLostFocus)) return;
    ({ lock } = left);
    if (now > arrived) stalls = -1;
    arrived = Math.max(arrived, now);
  }
  if (!(guarded.isJudgedAfter && arrived === start)) throw keptError(guarded, { arrived, lock });
}

/** A page that is left for what was typed takes no more of it. */
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

/** How far keys came that something kept from their element. */
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
    return new DriverLocatorError(`${failure} ${typed} Do first what the page waits for.`, {
      selector: label,
      callLog: progress.callLog,
      hasActed: arrived > 0,
    });
  }
  const [failure, advice] =
    combination === undefined
      ? [
          `Cannot type into ${label}: something else of the page takes the focus. ${arrived} of ${strokes.length} characters were typed`,
          ', or use fill',
        ]
      : [
          `Cannot press ${combination} on ${label}: something else of the page takes the focus. The key did not reach it`,
          '',
        ];
  return new DriverLocatorError(`${failure}, and nothing more was sent. Close what takes the focus first${advice}.`, {
    selector: label,
    callLog: progress.callLog,
    hasActed: arrived > 0,
  });
}
