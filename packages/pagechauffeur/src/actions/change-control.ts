import { isOnMac } from '../cdp/browser-platform.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { ChangeBegun, KeySequenceKind, OptionChoice } from '../injected/contract.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Session } from '../cdp/session.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { pressKeys } from './input/key-events.ts';
import { KeyShield } from './input/key-shield.ts';
import type { ReadyElement } from './element-action.ts';
import { valuesThen } from './values-then.ts';

/**
 * Sets the value of a control, or selects its options, and returns the values that it has afterwards. Presses keys if
 * they can reach the value, else sets it by script. The injected script decides which, and checks the result.
 */
export async function changeControl(
  progress: Progress,
  { page, ready }: { readonly page: PageTarget; readonly ready: ReadyElement },
  values: readonly (string | OptionChoice)[],
): Promise<readonly string[]> {
  const { world, element, turn, document } = ready;
  const { token } = turn.owner;
  // The browser sends keys to whichever frame has the focus, so a value that is bound to an origin is set by script.
  const keyboard = document ? 'none' : isOnMac(world.session) ? 'mac' : 'other';
  const change = { token, ref: element.ref, values, keyboard, ...(document && { origin: document.origin }) } as const;
  const shield = keyboard === 'none' ? undefined : new KeyShield(page, token);
  try {
    const begun = await progress.race(world.call('beginChange', change));
    return begun.kind === 'keys' ? await pressInto(progress, { ready, shield }, begun) : valuesThen(ready, begun);
  } finally {
    shield?.lower();
  }
}

async function pressInto(
  progress: Progress,
  { ready, shield }: { readonly ready: ReadyElement; readonly shield: KeyShield | undefined },
  begun: Extract<ChangeBegun, { kind: 'keys' }>,
): Promise<readonly string[]> {
  const { world, turn } = ready;
  const { token } = turn.owner;
  try {
    await shield?.raised(progress);
    await progress.race(Promise.all(sendKeySequence(world.session, begun)));
    return valuesThen(ready, await progress.race(world.call('endChange', token, false)));
  } catch (error) {
    // The document was replaced, usually because of the new value, so it cannot confirm the value.
    if (error instanceof DocumentGoneError) return begun.values;
    world.call('endChange', token, true).catch(ignoreRejection);
    throw error;
  }
}

/** Inserts `text` over the selection, then presses `keys`, without waiting in between. */
function sendKeySequence(session: Session, { text, keys }: KeySequenceKind): Promise<unknown>[] {
  const typed = text === '' ? [] : [session.send('Input.insertText', { text })];
  return [...typed, ...keys.flatMap((key) => pressKeys(session, key))];
}
