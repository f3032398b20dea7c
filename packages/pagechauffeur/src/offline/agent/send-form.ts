import { closest, type Line } from '../page/line.ts';
import { stemsOf } from '../text/words.ts';
import type { PlannedCall, Situation } from './situation.ts';

/** Lines below a field in which the button of its form is looked for. */
const NEAR = 30;
const FORMS: ReadonlySet<string> = new Set(['form', 'search', 'dialog', 'alertdialog']);
/** How surely a word must be the button's own. */
const OWN = 0.8;

/** What sends the form of a field: the next button below it in the form that says one of these words, else the Enter key. */
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
