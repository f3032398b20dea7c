import { callNames } from '../page/build-lines.ts';
import { isLittleWord } from '../text/plain-words.ts';
import { wordsOf } from '../text/words.ts';
import { type InstructionWord, isIn } from './instruction-words.ts';
import type { RecordGroup } from './record-groups.ts';
import type { Segment } from './segment.ts';

/**
 * Returns the record that contains all words, such as "the blue mug", followed by the records around it. Returns an
 * empty array if no record or several match. A list item and the link inside it count as one.
 */
export function recordsNamed(groups: readonly RecordGroup[], words: readonly InstructionWord[]): readonly Segment[] {
  if (words.length === 0) return [];
  const all = groups.flatMap(({ records }) => records);
  const mentioning = all.filter(({ stems }) => words.every((word) => isIn(word, stems)));
  const called = mentioning.filter((record) => isCalled(record, words));
  // A record with these words as its heading outranks records that only mention them.
  const having =
    called.length > 0 ? mentioning.filter((record) => called.some((one) => contains(record, one))) : mentioning;
  const inOrder = having.toSorted((left, right) => left.lines.length - right.lines.length);
  const [smallest] = inOrder;
  if (!smallest || !inOrder.every((record) => contains(record, smallest))) return [];
  const siblings = groups
    .filter(({ records }) => records.some((record) => record === smallest))
    .flatMap(({ records }) => records);
  return inOrder.filter(
    (record) => !siblings.some((other) => other !== smallest && other !== record && contains(record, other)),
  );
}

function isCalled({ lines: [first] }: Segment, words: readonly InstructionWord[]): boolean {
  const title = first?.node.role === 'heading' ? wordsOf(callNames(first.node).join(' ')) : [];
  const distinctive = title.filter(({ text }) => !isLittleWord(text));
  return distinctive.length > 0 && distinctive.every(({ stem }) => words.some((word) => isIn(word, [stem])));
}

function contains(outer: Segment, inner: Segment): boolean {
  const [first] = inner.lines;
  return first !== undefined && outer.lines.includes(first);
}
