import type { PageTarget } from '../../cdp/page-target.ts';
import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import { DriverLocatorError } from '../../errors.ts';
import type { Progress } from '../../util/progress.ts';
import { typeCharacters } from './key-events.ts';

/** So often keys that went elsewhere are pressed again when none of them has come. */
const MAX_STALLS = 4;

/** Characters on their way to the element that the page's program keeps them for. */
export interface GuardedKeys {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly session: Session;
  /** Of the document that awaits them. */
  readonly world: World;
  readonly token: number;
  readonly characters: readonly string[];
  /** Modifier bits that are held. */
  readonly modifiers: number;
  /** How the caller named the element, for messages. */
  readonly label: string;
  /** The caller looks at the field afterwards and tries again: that no key came is no failure here. Default false. */
  readonly isJudgedAfter?: boolean;
}

/**
 * Types characters, from one place in them up to another, in one burst. What was kept from another element, which had taken the
 * focus, is typed again; the page's program lets only what comes next pass, so none is typed twice.
 */
export async function typeGuarded(
  keys: GuardedKeys,
  { start = 0, end = keys.characters.length }: { start?: number; end?: number } = {},
): Promise<void> {
  const { progress, session, world, token, characters, modifiers } = keys;
  let typed = start;
  for (let stalls = 0; stalls < MAX_STALLS; stalls += 1) {
    progress.throwIfEnded();
    const sent = typeCharacters(session, characters.slice(typed, end), modifiers);
    const left = await leftOf(progress, [world.call('keysLeft', token, end), ...sent]);
    const now = characters.length - left;
    if (now >= end) return;
    if (now > typed) stalls = -1;
    typed = Math.max(typed, now);
  }
  if (!(keys.isJudgedAfter && typed === start)) throw lostFocusError(keys, typed);
}

/** A page that is left for what was typed takes no more of it. */
async function leftOf(progress: Progress, [left, ...sent]: [Promise<number>, ...Promise<unknown>[]]): Promise<number> {
  try {
    const [answer] = await progress.race(Promise.all([left, ...sent]));
    return answer;
  } catch (error) {
    if (error instanceof DocumentGoneError) return 0;
    throw error;
  }
}

function lostFocusError({ label, characters, progress }: GuardedKeys, typed: number): DriverLocatorError {
  return new DriverLocatorError(
    `Cannot type into ${label}: something else of the page takes the focus. ${typed} of ${characters.length} characters were typed, and nothing more was sent. Close what takes the focus first, or use fill.`,
    { selector: label, callLog: progress.callLog },
  );
}
