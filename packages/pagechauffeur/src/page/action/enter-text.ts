import { DriverElementNotFoundError, DriverLocatorError } from '../../errors.ts';
import type { SentEntry } from '../../injected/contract.ts';
import { composeText, composingKey, isTypedByKey, pressKeys, typeText } from '../input/key-events.ts';
import type { ReadyElement } from './element-action.ts';

/**
 * Replaces what a field holds, whose content is selected, in one burst: all the text at once, between the keys of an input
 * method, so that a page that waits for a key sees one with all the text there. Where that has no effect, all of it is typed.
 */
export async function enterText(ready: ReadyElement, { text }: SentEntry): Promise<void> {
  const { session } = ready.world;
  if (ready.document) return enterWithin(ready, text);
  if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else if (isTypedByKey(text)) await Promise.all(typeText(session, text));
  else await Promise.all(composeText(session, text));
}

/** Types what the page took no notice of when it was inserted. */
export async function typeInstead(ready: ReadyElement, { text }: SentEntry): Promise<void> {
  await typeKeys(ready, text, 0);
}

/** Types text key by key. */
export async function typeKeys(ready: ReadyElement, text: string, modifiers: number): Promise<unknown> {
  if (ready.document) return callWithin(ready, text, true);
  return Promise.all(typeText(ready.world.session, text, modifiers));
}

/** The keys of an input method around a text that the document's own program enters: only they may go astray. */
async function enterWithin(ready: ReadyElement, text: string): Promise<void> {
  const { session } = ready.world;
  throwIfGone(ready);
  const [down, up] = composingKey(session);
  await down();
  await callWithin(ready, text, false);
  await up();
}

async function callWithin(ready: ReadyElement, text: string, byKeys: boolean): Promise<void> {
  throwIfGone(ready);
  const { world, turn, document, target } = ready;
  const { ref, tag } = ready.element;
  const origin = document?.origin ?? '';
  const entered = await world.call('enterWithin', { token: turn.owner.token, ref, origin, text, byKeys });
  if (entered === 'stale') throw leftError(ready);
  if (entered === 'unfocused')
    throw new DriverLocatorError(
      `Cannot type into ${tag}: something else took the focus, so the rest of the text was not sent. Close what is in front of it, then type again.`,
      { selector: target.label, hasActed: true },
    );
}

/** Nothing is sent where the element is no more; that its document has gone would otherwise count as what the text brought. */
function throwIfGone(ready: ReadyElement): void {
  if (ready.world.isGone) throw leftError(ready);
}

function leftError({ element: { tag }, target: { label } }: ReadyElement): DriverElementNotFoundError {
  return new DriverElementNotFoundError(`${tag} left the page before its value was typed.`, { selectors: [label] });
}
