import type { Turn } from '../../cdp/page-lock.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Session } from '../../cdp/session.ts';
import { checkMilliseconds, checkOptions, checkString } from '../../util/check-argument.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import { pause } from '../../util/pause.ts';
import type { CallOptions, Progress } from '../../util/progress.ts';
import type { PageSettings } from '../call-limits.ts';
import { onCurrentDocument } from '../../cdp/on-current-document.ts';
import type { ElementAction } from '../element-action.ts';
import { focusedFrame, focusedSession } from '../focused-session.ts';
import { actInTurn, type InputWork } from './act-in-turn.ts';
import { type GuardedKeys, sendGuarded, type TypedText, withTypedText } from './guarded-keys.ts';
import { heldInput } from './held-input.ts';
import { KeyShield, untilKeysPass } from './key-shield.ts';
import {
  charactersOf,
  checkKeys,
  keyDown,
  keyNamed,
  type KeySequence,
  keyStrokes,
  keyUp,
  modifierBitOf,
  pressedKeys,
  typedKeys,
} from './key-events.ts';
import { maskErrorsOf } from '../public-errors.ts';

/** Options of `press` and `type`. */
export interface KeyOptions extends CallOptions {
  /** Time in ms between keydown and keyup of `press`, or between characters of `type`; default 0. */
  delay?: number;
}

/**
 * The keyboard of a page. Its events go to the focused element in any frame.
 *
 * A key is a name such as `Enter` or `ArrowDown`, a code such as `KeyA` or `Numpad1`, or a character. `ControlOrMeta`
 * is Meta on macOS and Control elsewhere. Calls throw a `DriverClosedError` if the page is closed, and a
 * `DriverAbortError` if `signal` is aborted.
 * @example
 * await page.keyboard.type('Blue mug');
 * await page.keyboard.down('Shift');
 * await page.keyboard.press('ControlOrMeta+ArrowLeft');
 * await page.keyboard.up('Shift');
 */
export class Keyboard {
  readonly #page: PageTarget;
  readonly #settings: PageSettings;

  /** @internal */
  constructor(page: PageTarget, settings: PageSettings) {
    this.#page = page;
    this.#settings = settings;
    maskErrorsOf(this, settings);
  }

  /**
   * Presses a key such as `Shift` or `a` and keeps it down. Another `down` of the same key repeats it.
   * @throws DriverInvalidArgumentError when there is no such key.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.keyboard.down('Shift');
   * await page.mouse.click(200, 200);
   * await page.keyboard.up('Shift');
   */
  async down(key: string, options?: CallOptions): Promise<void> {
    checkString('key', key, { mayBeEmpty: key === ' ' });
    const definition = keyNamed(key, this.#page.session);
    await this.#act('down', options, async (progress) => {
      const held = heldInput(this.#page);
      const session = await focusedSession(progress, this.#page);
      const isRepeat = held.codes.has(definition.code);
      held.codes.add(definition.code);
      held.modifiers |= modifierBitOf(definition);
      await progress.race(keyDown(session, definition, { modifiers: held.modifiers, isRepeat }));
    });
  }

  /**
   * Releases a key.
   * @throws DriverInvalidArgumentError when there is no such key.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async up(key: string, options?: CallOptions): Promise<void> {
    checkString('key', key, { mayBeEmpty: key === ' ' });
    const definition = keyNamed(key, this.#page.session);
    await this.#act('up', options, async (progress) => {
      const held = heldInput(this.#page);
      const session = await focusedSession(progress, this.#page);
      held.codes.delete(definition.code);
      held.modifiers &= ~modifierBitOf(definition);
      await progress.race(keyUp(session, definition, held.modifiers));
    });
  }

  /**
   * Presses a key or combination, such as `Enter`, `Control+A` or `ControlOrMeta+C`, and releases it after `delay` ms
   * (default 0).
   * @throws DriverInvalidArgumentError when there is no such key.
   * @throws DriverLocatorError when the page takes the focus away before the key arrives.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.keyboard.press('ControlOrMeta+Shift+Z', { delay: 50 });
   */
  async press(keys: string, options: KeyOptions = {}): Promise<void> {
    checkKeys(keys);
    checkKeyOptions(options);
    const { delay } = options;
    await this.#act('press', options, (progress, turn) => pressOn(progress, this.#page, { keys, delay, turn }));
  }

  /**
   * Types text key by key, with `delay` ms (default 0) after each key. Characters that no key can type are inserted.
   * @throws DriverLocatorError when the page takes the focus away; `hasActed` is true if some keys arrived.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.keyboard.type('Zürich 漢字', { delay: 20 });
   */
  async type(text: string, options: KeyOptions = {}): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    checkKeyOptions(options);
    const { delay } = options;
    await this.#act('type', options, (progress, turn) => typeOn(progress, this.#page, { text, delay, turn }));
  }

  /**
   * Inserts all of the text in one step, like an input method: fires `input`, but no key events.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  async insertText(text: string, options?: CallOptions): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    await this.#act('insertText', options, async (progress) => {
      const session = await focusedSession(progress, this.#page);
      if (text !== '') await progress.race(insertOn(progress, this.#page, { text, session }));
    });
  }

  #act<T>(method: string, limits: CallOptions = {}, work: InputWork<T>): Promise<T> {
    checkOptions(limits);
    return actInTurn(`keyboard.${method}`, { page: this.#page, settings: this.#settings, limits }, work);
  }
}

export function checkKeyOptions(options: KeyOptions): void {
  checkOptions(options);
  if (options.delay !== undefined) checkMilliseconds('delay', options.delay);
}

/**
 * Presses a combination and holds it for `delay` ms. The keys go to the element that has the focus when the call
 * starts.
 */
export async function pressOn(
  progress: Progress,
  page: PageTarget,
  { keys: combination, delay = 0, turn }: OnFocus & { readonly keys: string },
): Promise<void> {
  const { modifiers } = heldInput(page);
  const pressed = pressedKeys(combination, modifiers);
  const send: KeySequence['send'] = (session) => [
    holdKeys(progress, keyStrokes(session, combination, modifiers), delay),
  ];
  const keys = delay === 0 ? pressed : { ...pressed, send };
  await whileShielded(progress, { page, turn }, () => sendToFocus(progress, page, { keys, turn }));
}

async function holdKeys(progress: Progress, strokes: ReturnType<typeof keyStrokes>, delay: number): Promise<void> {
  try {
    await progress.race(Promise.all(strokes.downs()));
    await pause(progress, delay);
  } finally {
    // Also runs on timeout: a modifier that stays down would change later clicks.
    await Promise.all(strokes.ups());
  }
}

/**
 * With several frames, the injected script inserts the text, because the focus can move to another frame before the
 * browser would insert it.
 */
async function insertOn(
  progress: Progress,
  page: PageTarget,
  { text, session }: { readonly text: string; readonly session: Session },
): Promise<unknown> {
  if (page.frames.frames.length === 1) return session.send('Input.insertText', { text });
  const frame = await focusedFrame(progress, page);
  return (await frame.worlds.isolated).call('insertAtFocus', text);
}

interface OnFocus {
  /** Time in ms between keydown and keyup of `press`, or between the characters of `type`. */
  readonly delay: number | undefined;
  readonly turn: Turn;
}

/**
 * Types text into the element that has the focus when the call starts. A Tab in the text moves on to the next element.
 */
export async function typeOn(
  progress: Progress,
  page: PageTarget,
  { text, delay = 0, turn }: OnFocus & { readonly text: string },
): Promise<void> {
  const { modifiers } = heldInput(page);
  const parts = text.split(/(?<=\t)/).map(charactersOf);
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const typeParts = async (typed: TypedText): Promise<void> => {
    for (const part of parts)
      await sendToFocus(progress, page, { keys: typedKeys(part, modifiers), delay, turn, text: typed });
  };
  await whileShielded(progress, { page, turn }, () => withTypedText(progress, total, typeParts));
}

async function whileShielded(
  progress: Progress,
  { page, turn }: { readonly page: PageTarget; readonly turn: Turn },
  work: () => Promise<void>,
): Promise<void> {
  await untilKeysPass(progress, page);
  const shield = new KeyShield(page, turn.owner.token);
  try {
    await shield.raised(progress);
    await work();
  } finally {
    shield.lower();
  }
}

/**
 * Sends keys to the focused element, with `delay` ms after each. `checkDocument` throws if its document must not receive
 * them.
 */
export async function sendToFocus(
  progress: Progress,
  page: PageTarget,
  {
    keys,
    delay = 0,
    turn,
    text,
    checkDocument,
  }: Partial<OnFocus> &
    Pick<ElementAction, 'checkDocument'> &
    Pick<GuardedKeys, 'keys' | 'text'> & { readonly turn: Turn },
): Promise<void> {
  const { token } = turn.owner;
  const { strokes } = keys;
  const { session, world, document } = await onCurrentDocument(progress, async () => {
    const frame = await focusedFrame(progress, page);
    const focused = await progress.race(frame.worlds.isolated);
    const begun = await progress.race(focused.call('beginKeysAtFocus', token, strokes));
    return { session: frame.session, world: focused, document: begun };
  });
  const guarded = { progress, session, world, token, keys, text, label: 'the focused element' };
  try {
    checkDocument?.(document);
    const step = delay === 0 ? strokes.length : 1;
    for (let start = 0; start < strokes.length; start += step) {
      await sendGuarded(guarded, { start, end: start + step });
      await pause(progress, delay);
    }
  } catch (error) {
    const ended = page.inputTaken().then(() => world.call('endKeys', token));
    ended.catch(ignoreRejection);
    throw error;
  }
}
