import type { ViewRequest } from '../view/view-wire.ts';

/** Receives keyboard input. */
interface KeyTarget {
  /** Has the focus while the operator types: only a field receives composition, dictation and paste events. */
  readonly typing: HTMLTextAreaElement;
  /** True if this user has taken over. */
  readonly isMine: () => boolean;
  readonly send: (request: ViewRequest) => void;
  /** Returns the focus to the dashboard. */
  readonly leave: () => void;
}

/** Touch keyboards do not report Backspace in an empty field. */
const FILLING = '\u200B';
const KEYS_ON_SCREEN: ReadonlySet<string> = new Set(['Unidentified', 'Process', 'Dead']);
const MOST_PASTED = 10_000;

/** Sends typed, pasted, dictated and composed text. */
export function takeKeys(target: KeyTarget): void {
  const { typing } = target;
  const take = (event: KeyboardEvent): void => {
    if (!target.isMine() || event.isComposing || KEYS_ON_SCREEN.has(event.key) || isPaste(event)) return;
    event.preventDefault();
    if (isWayOut(event)) return target.leave();
    target.send(keyRequest(event));
  };
  typing.addEventListener('keydown', take);
  typing.addEventListener('keyup', take);
  typing.addEventListener('focus', () => refill(typing));
  typing.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain').slice(0, MOST_PASTED) ?? '';
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
  // Removes text that could not be prevented.
  typing.addEventListener('input', (event) => event.isComposing || refill(typing));
  typing.addEventListener('compositionupdate', ({ data }) => isMine() && send({ type: 'compose', text: data }));
  typing.addEventListener('compositionend', ({ data }) => {
    if (isMine()) send(data === '' ? { type: 'compose', text: '' } : { type: 'text', text: data });
    refill(typing);
  });
}

/** Keeps a character before the cursor, so that Backspace is reported. */
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

/** The shortcut that leaves remote desktops. */
function isWayOut({ key, ctrlKey, altKey, type }: KeyboardEvent): boolean {
  return type === 'keydown' && key === 'Home' && ctrlKey && altKey;
}

/** Pastes from the user's clipboard, not the remote browser's. */
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

/** Pressed modifier keys. Cmd maps to Ctrl on the remote machine. */
export function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): number {
  return (altKey ? 1 : 0) + (ctrlKey || metaKey ? 2 : 0) + (shiftKey ? 8 : 0);
}
