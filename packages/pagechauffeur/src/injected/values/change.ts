import { awaitText } from '../acting/input/closed-to-keys.ts';
import { announceChange, selectContent, takeFocus } from '../acting/input/text-entry.ts';
import type { ChangeBegun, ControlChange, KeySequenceKind, OptionChoice, ValueSet } from '../contract.ts';
import { type ChangeGate, holdBack } from './change-gate.ts';
import { type Change, type ChangeAnswer, changeOfOptions } from './options.ts';
import { isDisabledForActing, isReadOnly } from '../acting/actionability.ts';
import { tagOf } from '../element/describe.ts';
import { isContentEditable } from '../native.ts';
import { elementOfRef } from '../refs.ts';
import { acceptedValue } from './input-formats.ts';
import { newElement } from '../native-document.ts';

/** A change for which the caller still presses keys. */
interface PendingChange {
  readonly ref: number;
  readonly wanted: readonly (string | OptionChoice)[];
  readonly change: Change;
  readonly gate: ChangeGate;
}

const pendingByToken = new Map<number, PendingChange>();

/**
 * Returns the keys to press if a user's keys can produce the value. Otherwise sets the value by script, or returns why
 * the control rejects it.
 */
export function beginChange({
  token,
  ref,
  values: wanted,
  keyboard,
  origin = self.origin,
}: ControlChange): ChangeBegun {
  if (origin !== self.origin) return { kind: 'stale' };
  takePending(token);
  const answer = changeOf(ref, wanted);
  if (answer.kind !== 'change') return answer;
  const { change } = answer;
  const { control, values } = change;
  const hasFocus = takeFocus(control);
  if (!change.isNeeded) return { kind: 'set', values };
  const sequence = hasFocus ? change.keySequenceKind(keyboard) : null;
  if (!sequence) return { kind: 'set', values: change.byScript() };
  awaitText(token);
  if (sequence.text !== '') selectContent(control);
  pendingByToken.set(token, { ref, wanted, change, gate: holdBack(token, control, change.isReached) });
  return { kind: 'keys', ...sequence, values };
}

/** If the keys did not produce the value, sets it by script, unless `isGivenUp`. */
export function endChange(token: number, isGivenUp: boolean): ValueSet {
  const pending = takePending(token);
  if (!pending) return { kind: 'stale' };
  const { ref, wanted, change, gate } = pending;
  if (gate.hasPassed || isGivenUp) return { kind: 'set', values: change.values };
  // The page may have replaced the control or its options after a key.
  const answer = changeOf(ref, wanted);
  return answer.kind === 'change' ? { kind: 'set', values: answer.change.byScript() } : answer;
}

function takePending(token: number): PendingChange | undefined {
  const pending = pendingByToken.get(token);
  pending?.gate.close();
  pendingByToken.delete(token);
  return pending;
}

function changeOf(ref: number, values: readonly (string | OptionChoice)[]): ChangeAnswer {
  const element = elementOfRef(ref);
  if (!element) return { kind: 'stale' };
  if (isDisabledForActing(element)) return refused(`${tagOf(element)} is disabled.`);
  if (element instanceof HTMLSelectElement) return changeOfOptions(element, values);
  const [value] = values;
  if (typeof value !== 'string' || values.length !== 1)
    return refused(`${tagOf(element)} accepts one value. Received ${values.length}.`);
  if (isReadOnly(element)) return refused(`${tagOf(element)} is read-only.`);
  if (element instanceof HTMLInputElement) return changeOfInput(element, value);
  if (element instanceof HTMLTextAreaElement) return writing(element, value, (text) => (element.value = text));
  if (element instanceof HTMLElement && isContentEditable(element))
    return writing(element, value, (text) => (element.textContent = text));
  return refused(`${tagOf(element)} does not accept a value. Choose an input, select, text area or editable element.`);
}

function changeOfInput(input: HTMLInputElement, value: string): ChangeAnswer {
  const accepted = acceptedValue(input, value);
  if (accepted.kind === 'refused') return accepted;
  const answer = writing(input, accepted.value, (text) => (input.value = text));
  const change: Change = {
    ...answer.change,
    isReached: () => input.value === accepted.value,
    keySequenceKind: (keyboard) => (keyboard === 'none' ? null : keysToValue(input, accepted.value)),
  };
  return { kind: 'change', change };
}

/**
 * Returns `null` except for numbers and sliders. Dates and times are set by script, because the order and events of
 * their parts differ by platform.
 */
function keysToValue(input: HTMLInputElement, value: string): KeySequenceKind | null {
  if (input.type === 'number') return keysToNumber(input, value);
  return input.type === 'range' ? keysToSlide(input, value) : null;
}

// The isolated world has the browser's own setters, so a framework that wraps the page's setters detects the new value.
function writing(
  control: Element,
  value: string,
  write: (text: string) => void,
): { readonly kind: 'change'; readonly change: Change } {
  const byScript = (): readonly string[] => {
    write(value);
    announceChange(control);
    return [value];
  };
  return {
    kind: 'change',
    change: { control, values: [value], isNeeded: true, isReached: () => false, keySequenceKind: () => null, byScript },
  };
}

function refused(message: string): ChangeAnswer {
  return { kind: 'refused', message };
}

/** More keys would take too long, and users would not press them. */
const MAX_KEYS = 50;

/**
 * Types a neighboring number, then reaches the requested one with an arrow key: the field then fires `change` as it
 * does for a user. Returns `null` if the number is not on a step.
 */
function keysToNumber(input: HTMLInputElement, wanted: string): KeySequenceKind | null {
  if (wanted === '') return null;
  const [before, after] = [neighbour(input, wanted, -1), neighbour(input, wanted, 1)];
  if (before !== null) return { text: before, keys: ['ArrowUp'] };
  return after === null ? null : { text: after, keys: ['ArrowDown'] };
}

/** Returns the number one step below or above, if a step back gives exactly the requested number. */
function neighbour(input: HTMLInputElement, wanted: string, direction: 1 | -1): string | null {
  const copy = copyOf(input);
  if (copy.step === 'any') {
    // With `step="any"`, an arrow key steps by 1.
    copy.step = '1';
    copy.defaultValue = wanted;
    copy.min = copy.max = '';
  }
  copy.value = wanted;
  if (!copy.validity.valid) return null;
  copy.stepUp(direction);
  const { value } = copy;
  copy.stepUp(-direction);
  return value !== wanted && copy.value === wanted ? value : null;
}

/** Returns `null` if keys do not reach the value, or if there are too many. */
function keysToSlide(input: HTMLInputElement, wanted: string): KeySequenceKind | null {
  // In a vertical slider, ArrowUp may decrease the value.
  if (getComputedStyle(input).writingMode !== 'horizontal-tb') return null;
  const goal = Number(wanted);
  const [least, most] = [Number(input.min || 0), Number(input.max || 100)];
  const step = input.step === 'any' ? (most - least) / 100 : Number(input.step) || 1;
  const page = Math.max((most - least) / 10, step);
  const copy = copyOf(input);
  copy.value = input.value;
  const keys: string[] = [];
  while (copy.value !== wanted) {
    const distance = goal - Number(copy.value);
    const isFar = Math.abs(distance) > page / 2 && page > step;
    const from = copy.value;
    copy.value = String(Number(from) + Math.sign(distance) * (isFar ? page : step));
    if (copy.value === from || keys.length === MAX_KEYS) return null;
    keys.push(`${isFar ? 'Page' : 'Arrow'}${distance > 0 ? 'Up' : 'Down'}`);
  }
  return keys.length === 0 ? null : { text: '', keys };
}

function copyOf(input: HTMLInputElement): HTMLInputElement {
  const copy = newElement('input');
  copy.type = input.type;
  for (const name of ['min', 'max', 'step', 'defaultValue'] as const) copy[name] = input[name];
  return copy;
}
