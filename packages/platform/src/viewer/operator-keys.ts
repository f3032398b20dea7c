import type { ViewRequest } from '../view/view-wire.ts';

interface KeyTarget {
  /** Has the focus while the operator types: only a text field receives composition, dictation and paste events. */
  readonly typing: HTMLTextAreaElement;
  /** True if this user is in control. */
  readonly isMine: () => boolean;
  readonly send: (request: ViewRequest) => void;
  /** Moves the focus out of the screen. */
  readonly leave: () => void;
}

/** Touch keyboards do not report Backspace in an empty field, so the field always contains this character. */
const FILLING = '\u200B';
const KEYS_ON_SCREEN: ReadonlySet<string> = new Set(['Unidentified', 'Process', 'Dead']);
const MAX_PASTED = 10_000;

/** Sends keys, and pasted, dictated and composed text to the page. */
export function takeKeys(target: KeyTarget): void {
  const { typing } = target;
  const take = (event: KeyboardEvent): void => {
    if (!target.isMine() || event.isComposing || KEYS_ON_SCREEN.has(event.key) || isPaste(event)) return;
    event.preventDefault();
    if (isExitKey(event)) return target.leave();
    target.send(keyRequest(event));
  };
  typing.addEventListener('keydown', take);
  typing.addEventListener('keyup', take);
  typing.addEventListener('focus', () => refill(typing));
  typing.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain').slice(0, MAX_PASTED) ?? '';
    if (target.isMine() && text !== '') target.send({ type: 'text', text });
  });
  takeText(target);
}

function takeText({ typing, send, isMine }: KeyTarget): void {
  typing.addEventListener('beforeinput', (event) => {
    if (!isMine() || event.isComposing) return;
    event.preventDefault();
    if (event.inputType.startsWith('delete')) press(send, 'Backspace', 8);
    else if (event.inputType === 'insertLineBreak' || event.data === '\n') press(send, 'Enter', 13);
    else if (event.data) send({ type: 'text', text: event.data });
  });
  // Some touch keyboards insert text that `preventDefault` cannot stop.
  typing.addEventListener('input', (event) => event.isComposing || refill(typing));
  typing.addEventListener('compositionupdate', ({ data }) => isMine() && send({ type: 'compose', text: data }));
  typing.addEventListener('compositionend', ({ data }) => {
    if (isMine()) send(data === '' ? { type: 'compose', text: '' } : { type: 'text', text: data });
    refill(typing);
  });
}

/** Resets the field to one character before the cursor. */
function refill(typing: HTMLTextAreaElement): void {
  typing.value = FILLING;
  typing.setSelectionRange(1, 1);
}

function press(send: KeyTarget['send'], key: string, keyCode: number): void {
  for (const event of ['keyDown', 'keyUp'] as const) {
    const text = event === 'keyDown' && key === 'Enter' ? '\r' : '';
    send({ type: 'key', event, key, code: key, keyCode, text, modifiers: 0, isRepeat: false });
  }
}

/** Ctrl+Alt+Home, as in remote desktop clients. */
function isExitKey({ key, ctrlKey, altKey, type }: KeyboardEvent): boolean {
  return type === 'keydown' && key === 'Home' && ctrlKey && altKey;
}

/** Paste shortcuts use the user's clipboard, not the remote browser's. */
function isPaste({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Insert') return shiftKey && !ctrlKey;
  return key.toLowerCase() === 'v' && (ctrlKey || metaKey) && !altKey;
}

function keyRequest(event: KeyboardEvent): ViewRequest {
  const { key, code, repeat, ctrlKey, metaKey, altKey } = event;
  const isText = key.length === 1 && !metaKey && ctrlKey === altKey;
  return {
    type: 'key',
    event: event.type === 'keydown' ? 'keyDown' : 'keyUp',
    key,
    code,
    // oxlint-disable-next-line typescript/no-deprecated -- pages still read it, and nothing else says it
    keyCode: Math.min(255, event.keyCode),
    text: key === 'Enter' ? '\r' : isText ? key : '',
    modifiers: modifiersOf(event),
    isRepeat: repeat,
  };
}

/** Returns the modifiers as in CDP. Cmd becomes Ctrl on the remote machine. */
export function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): number {
  return (altKey ? 1 : 0) + (ctrlKey || metaKey ? 2 : 0) + (shiftKey ? 8 : 0);
}
