import { collapseSpace } from '../aria/text-builder.ts';
import type { Keyboard, KeySequenceKind, OptionChoice, ValueSet } from '../contract.ts';
import { tagOf } from '../element/describe.ts';
import { keysToOptions } from './option-keys.ts';
import { announceChange } from '../acting/input/text-entry.ts';

export interface Change {
  readonly control: Element;
  readonly values: readonly string[];
  /** False if the control already has these values. The page then receives no events. */
  readonly isNeeded: boolean;
  readonly isReached: () => boolean;
  /** Returns `null` if a user's keys do not produce the values or take too long. */
  keySequenceKind(keyboard: Keyboard): KeySequenceKind | null;
  /** Sets the values, dispatches the events and returns the new values. */
  byScript(): readonly string[];
}

export type ChangeAnswer = { readonly kind: 'change'; readonly change: Change } | Exclude<ValueSet, { kind: 'set' }>;

/** Maximum number of options to list in a message. */
const NAMED_OPTIONS = 10;

/**
 * Selects options by label, value or `index=n`, or by the properties of an object. Rejects all if one is missing or
 * disabled.
 */
export function changeOfOptions(select: HTMLSelectElement, wanted: readonly (string | OptionChoice)[]): ChangeAnswer {
  if (!select.multiple && wanted.length !== 1)
    return refused(`${tagOf(select)} accepts one option. Received ${wanted.length}.`);
  const chosen = new Set<HTMLOptionElement>();
  for (const choice of wanted) {
    const option = typeof choice === 'string' ? optionNamed(select, choice) : optionThatIs(select, choice);
    const name = typeof choice === 'string' ? choice : describeChoice(choice);
    if (!option) return refused(`${tagOf(select)} has no option "${name}". ${namesOfOptions(select, name)}`);
    if (option.matches(':disabled'))
      return refused(
        `The option "${labelOf(option)}" of ${tagOf(select)} is disabled. Choose another option, or first do what enables it.`,
      );
    chosen.add(option);
  }
  return choiceOf(select, chosen);
}

function choiceOf(select: HTMLSelectElement, chosen: ReadonlySet<HTMLOptionElement>): ChangeAnswer {
  const isReached = (): boolean => [...select.options].every((option) => option.selected === chosen.has(option));
  const byScript = (): readonly string[] => {
    for (const option of select.options) option.selected = chosen.has(option);
    announceChange(select);
    return Array.from(select.selectedOptions, (option) => option.value);
  };
  const change: Change = {
    control: select,
    values: Array.from(select.options).flatMap((option) => (chosen.has(option) ? [option.value] : [])),
    isNeeded: !isReached(),
    isReached,
    keySequenceKind: (keyboard) => keysToOptions(select, chosen, keyboard),
    byScript,
  };
  return { kind: 'change', change };
}

/** Compares exact labels first, then exact values, then both ignoring case and extra white space, then `index=n`. */
function optionNamed(select: HTMLSelectElement, name: string): HTMLOptionElement | undefined {
  const options = [...select.options];
  const folded = fold(name);
  const index = /^index=(\d+)$/.exec(name)?.[1];
  return (
    options.find((option) => labelOf(option) === name) ??
    options.find((option) => option.value === name) ??
    options.find((option) => fold(labelOf(option)) === folded) ??
    options.find((option) => fold(option.value) === folded) ??
    (index === undefined ? undefined : options[Number(index)])
  );
}

function optionThatIs(select: HTMLSelectElement, { label, value, index }: OptionChoice): HTMLOptionElement | undefined {
  return [...select.options].find(
    (option, at) =>
      (label === undefined || labelOf(option) === collapseSpace(label).trim()) &&
      (value === undefined || option.value === value) &&
      (index === undefined || at === index),
  );
}

function describeChoice(choice: OptionChoice): string {
  const facts = Object.entries(choice).map(([fact, wanted]) => `${fact}=${wanted}`);
  return facts.join(', ');
}

function namesOfOptions(select: HTMLSelectElement, name: string): string {
  const labels = Array.from(select.options, labelOf).filter((label) => label !== '');
  if (labels.length === 0) return 'The list of options is empty.';
  const near = labels.filter((label) => isNear(fold(label), fold(name)));
  const shown = (near.length > 0 ? near : labels).slice(0, NAMED_OPTIONS).map((label) => `"${label}"`);
  const rest = labels.length - shown.length;
  return `${near.length > 0 ? 'Similar options:' : 'Options:'} ${shown.join(', ')}${rest > 0 ? ` (${shown.length} of ${labels.length})` : ''}.`;
}

function isNear(label: string, name: string): boolean {
  if (name === '') return false;
  return (
    label.includes(name) ||
    name.includes(label) ||
    name.split(' ').some((word) => word.length > 2 && label.includes(word))
  );
}

function labelOf(option: HTMLOptionElement): string {
  return collapseSpace(option.label).trim();
}

function fold(text: string): string {
  return collapseSpace(text).trim().toLowerCase();
}

function refused(message: string): ChangeAnswer {
  return { kind: 'refused', message };
}
