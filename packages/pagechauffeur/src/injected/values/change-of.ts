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

/** Returns the change that sets these values on a control, or why the control refuses them. */
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

/** Dates and times are set by script: the parts, their order and the events on the way differ by platform. */
function keysToValue(input: HTMLInputElement, value: string): KeySequenceKind | null {
  if (input.type === 'number') return keysToNumber(input, value);
  return input.type === 'range' ? keysToSlide(input, value) : null;
}

// The setters of this world are the browser's own, so a framework that wraps the page's setters detects the new value.
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
