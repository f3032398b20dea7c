import { isReadOnly, isDisabledForActing } from '../acting/actionability.ts';
import { takeFocus } from '../acting/text-entry.ts';
import type { OptionChoice, ValueSet } from '../contract.ts';
import { tagOf } from '../describe.ts';
import { elementOfRef } from '../refs.ts';
import { acceptedValue } from './input-formats.ts';
import { chooseOptions } from './options.ts';
import { announceChange } from './value-events.ts';
import { isContentEditable } from '../native.ts';

/** Sets a control's value as a person's change would, or says why the control refuses it. */
export function setValue(ref: number, values: readonly (string | OptionChoice)[]): ValueSet {
  const element = elementOfRef(ref);
  if (!element) return { kind: 'stale' };
  if (isDisabledForActing(element)) return refused(`${tagOf(element)} is disabled.`);
  if (element instanceof HTMLSelectElement) return chooseOptions(element, values);
  const [value] = values;
  if (typeof value !== 'string' || values.length !== 1)
    return refused(`${tagOf(element)} takes one value, not ${values.length}.`);
  if (isReadOnly(element)) return refused(`${tagOf(element)} is read-only.`);
  if (element instanceof HTMLInputElement) return setInput(element, value);
  if (element instanceof HTMLTextAreaElement) return write(element, () => (element.value = value));
  if (element instanceof HTMLElement && isContentEditable(element))
    return write(element, () => (element.textContent = value));
  return refused(`${tagOf(element)} is not a control that has a value.`);
}

function setInput(input: HTMLInputElement, value: string): ValueSet {
  const accepted = acceptedValue(input, value);
  return accepted.kind === 'refused' ? accepted : write(input, () => (input.value = accepted.value));
}

// This world's setters are the browser's own: a framework that wraps them in the page sees a new value arrive.
function write(element: Element, change: () => string): ValueSet {
  takeFocus(element);
  const written = change();
  announceChange(element);
  return { kind: 'set', values: [written] };
}

function refused(message: string): ValueSet {
  return { kind: 'refused', message };
}
