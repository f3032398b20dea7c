import { closest, type Line } from '../page/line.ts';
import { stemsOf } from '../text/words.ts';
import type { PlannedCall, Situation } from './situation.ts';

/** Maximum distance in lines between a field and its submit button. */
const NEAR = 30;
const FORMS: ReadonlySet<string> = new Set(['form', 'search', 'dialog', 'alertdialog']);
/** Minimum strength of a word in the button's name. */
const OWN = 0.8;

/**
 * Plans to submit the form that contains a field: clicks the next button with one of these words in the same form, or
 * presses Enter.
 */
export function sending({ index, tools }: Situation, field: Line | undefined, words: string): readonly PlannedCall[] {
  if (!field) return [];
  const stems = new Set(stemsOf(words));
  const isSending = (line: Line): boolean =>
    line.node.role === 'button' && [...line.words].some(([word, strength]) => strength >= OWN && stems.has(word));
  const form = closest(field, FORMS);
  const below = index.elements.filter(
    (line) => line.index > field.index && line.index <= field.index + NEAR && closest(line, FORMS) === form,
  );
  const button = below.find(isSending);
  if (button && tools.has('click')) return [{ tool: 'click', input: { ref: button.node.ref } }];
  return tools.has('press') ? [{ tool: 'press', input: { keys: 'Enter', ref: field.node.ref } }] : [];
}
