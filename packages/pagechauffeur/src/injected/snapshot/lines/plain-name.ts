import { labelsOf } from '../../aria/labels.ts';
import { foldSpace, TextBuilder } from '../../aria/text-builder.ts';
import { appendGenerated } from '../../aria/text-alternative.ts';
import { textContentOf } from '../../native.ts';
import type { Visit } from '../visit.ts';

/** True if the element adds exactly its text to the name of the element that contains it. */
export function isPlainInline(visit: Visit): boolean {
  return (
    visit.facts.isPlain &&
    !visit.isMarked &&
    visit.showsTextAsWritten() &&
    visit.display() === 'inline' &&
    !visit.shared.generatesText &&
    !visit.isHost
  );
}

/**
 * Returns the name of a link or button with plain text as content, see `LineList.isPlainText`. `null` if the name must be
 * computed.
 */
export function plainName(visit: Visit, role: string): string | null {
  const { element, tag, isMarked } = visit;
  if (isMarked || !(tag === 'button' || (tag === 'a' && role === 'link'))) return null;
  if (!visit.showsTextAsWritten()) return null;
  if (tag === 'button' && labelsOf(element).length > 0) return null;
  const text = textContentOf(element) ?? '';
  return text === '' ? null : foldSpace(shownText(visit, text)) || null;
}

function shownText({ element, shared }: Visit, written: string): string {
  if (!shared.generatesText) return written;
  const builder = new TextBuilder();
  appendGenerated(builder, element, '::before');
  builder.add(written);
  appendGenerated(builder, element, '::after');
  return builder.text;
}
