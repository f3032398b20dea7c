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
 * Gives a control a value, or chooses its options: with a person's keys where they lead there, else by script. Which of the two,
 * the page decides, which also looks at what came of it. Gives the values that the control has then.
 */
export async function changeControl(
  progress: Progress,
  { page, ready }: { readonly page: PageTarget; readonly ready: ReadyElement },
  values: readonly (string | OptionChoice)[],
): Promise<readonly string[]> {
  const { world, element, turn, document } = ready;
  const { token } = turn.owner;
  // Keys go to whatever has the focus; what has to stay in its document is set by script.
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
    await progress.race(Promise.all(pressWay(world.session, begun)));
    return valuesThen(ready, await progress.race(world.call('endChange', token, false)));
  } catch (error) {
    // A page that is left for its new value cannot be asked any more.
    if (error instanceof DocumentGoneError) return begun.values;
    world.call('endChange', token, true).catch(ignoreRejection);
    throw error;
  }
}

/** Replaces the text that is selected, then presses the keys; one burst. */
function pressWay(session: Session, { text, keys }: KeySequenceKind): Promise<unknown>[] {
  const typed = text === '' ? [] : [session.send('Input.insertText', { text })];
  return [...typed, ...keys.flatMap((key) => pressKeys(session, key))];
}
