import type { KeySequenceKind } from '../contract.ts';
import { newElement } from '../native-document.ts';

/** With more keys than this the change would take too long, and no person would press them. */
const MOST_KEYS = 50;

/**
 * Returns how to enter a number so that the field fires `change` as it does for a person who steps: type a neighbouring number, then reach
 * the wanted one with an arrow key. Null if the number is not on a step.
 */
export function keysToNumber(input: HTMLInputElement, wanted: string): KeySequenceKind | null {
  if (wanted === '') return null;
  const [before, after] = [neighbour(input, wanted, -1), neighbour(input, wanted, 1)];
  if (before !== null) return { text: before, keys: ['ArrowUp'] };
  return after === null ? null : { text: after, keys: ['ArrowDown'] };
}

/** Returns the number one step below or above if the step back leads exactly to the wanted number. */
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

/** Returns the keys that move a slider to a value; null if they do not lead there, or if there are too many. */
export function keysToSlide(input: HTMLInputElement, wanted: string): KeySequenceKind | null {
  // In a vertical slider, the up key may decrease the value.
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
    if (copy.value === from || keys.length === MOST_KEYS) return null;
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
