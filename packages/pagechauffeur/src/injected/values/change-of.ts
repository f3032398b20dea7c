import { isDisabledForActing, isReadOnly } from '../acting/actionability.ts';
import type { KeySequenceKind, OptionChoice } from '../contract.ts';
import { tagOf } from '../describe.ts';
import { isContentEditable } from '../native.ts';
import { elementOfRef } from '../refs.ts';
import type { Change, ChangeAnswer } from './control-change.ts';
import { acceptedValue } from './input-formats.ts';
import { keysToNumber, keysToSlide } from './number-keys.ts';
import { changeOfOptions } from './options.ts';
import { announceChange } from './value-events.ts';

/** The change that gives a control these values, or why the control refuses them. */
export function changeOf(ref: number, values: readonly (string | OptionChoice)[]): ChangeAnswer {
  const element = elementOfRef(ref);
  if (!element) return { kind: 'stale' };
  if (isDisabledForActing(element)) return refused(`${tagOf(element)} is disabled.`);
  if (element instanceof HTMLSelectElement) return changeOfOptions(element, values);
  const [value] = values;
  if (typeof value !== 'string' || values.length !== 1)
    return refused(`${tagOf(element)} takes one value, not ${values.length}.`);
  if (isReadOnly(element)) return refused(`${tagOf(element)} is read-only.`);
  if (element instanceof HTMLInputElement) return changeOfInput(element, value);
  if (element instanceof HTMLTextAreaElement) return writing(element, value, (text) => (element.value = text));
  if (element instanceof HTMLElement && isContentEditable(element))
    return writing(element, value, (text) => (element.textContent = text));
  return refused(`${tagOf(element)} is not a control that has a value.`);
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

/** Dates and times are left to scripts: their parts, the order of these and what is heard of them half-way differ by platform. */
function keysToValue(input: HTMLInputElement, value: string): KeySequenceKind | null {
  if (input.type === 'number') return keysToNumber(input, value);
  return input.type === 'range' ? keysToSlide(input, value) : null;
}

// This world's setters are the browser's own: a framework that wraps them in the page sees a new value arrive.
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
