import { hasAriaName, labelsOf } from '../../aria/references.ts';
import { foldSpace, TextBuilder } from '../../aria/text-builder.ts';
import type { WireNode } from '../../contract.ts';
import { nameOf } from '../../aria/name.ts';
import { textContentOf } from '../../native.ts';
import { isIndentedAway } from '../visibility/boxes/text-indent.ts';
import { hiddenBoxOf } from '../clickable/hidden-controls.ts';
import type { LineFacts } from '../level.ts';
import type { Visit } from '../visit.ts';
import type { LineList } from './line-list.ts';
import { isNamedByVisibleText } from './line-rules.ts';
import { appendGenerated } from '../../aria/text-alternative.ts';

/** Returns the name of an element's line. */
export function lineName(visit: Visit, { role, actionability }: LineFacts, list: LineList): string {
  const { element, isMarked, hasTitle } = visit;
  const isActionable = actionability !== 'none';
  if (isNamedByVisibleText(role)) {
    return isMarked && hasAriaName(element) ? nameOf(element) : '';
  }
  if (!isActionable && !isMarked && !hasTitle && !mayBeNamedByChild.has(role)) return '';
  const box = isActionable ? hiddenBoxOf(element) : null;
  return box ? nameOf(box) : (plainName(visit, role, list) ?? nameOf(element));
}

/** Returns the text of a control that `text-indent` hides to show an image instead. */
export function indentedName({ element, style }: Visit, lines: readonly WireNode[]): string {
  if (lines.length > 0 || !isIndentedAway(style)) return '';
  return foldSpace(textContentOf(element) ?? '');
}

const mayBeNamedByChild: ReadonlySet<string> = new Set(['group', 'table', 'img', 'status', 'meter', 'progressbar']);

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

/** True if the element adds exactly its text to the name of the element that contains it, with a space on both sides. */
export function isPlainBox(visit: Visit, role: string): boolean {
  return (
    (visit.facts.isPlain || BOX_TAGS.has(visit.tag)) &&
    PLAIN_ROLES.has(role) &&
    BOX_DISPLAY.test(visit.display()) &&
    !visit.isMarked &&
    visit.showsTextAsWritten() &&
    !visit.shared.generatesText &&
    !visit.isHost
  );
}

const BOX_TAGS: ReadonlySet<string> = new Set('center div p table tbody td tr'.split(' '));
const PLAIN_ROLES: ReadonlySet<string> = new Set(['generic', 'paragraph']);
const BOX_DISPLAY = /^(?:block|flex|flow-root|grid|table.*)$/;

/** True for a link or button that its content names, if that is plain text. */
export function isNamedByPlainText({ tag, isMarked }: Visit, role: string): boolean {
  return !isMarked && (tag === 'button' || (tag === 'a' && role === 'link'));
}

/** Returns the name of a link or button with plain text as content. `null` if the name must be computed. */
function plainName(
  visit: Visit,
  role: string,
  content: Pick<LineList, 'isPlainText' | 'hasBlocks' | 'written'>,
): string | null {
  const { element, tag } = visit;
  if (!content.isPlainText || !isNamedByPlainText(visit, role) || !visit.showsTextAsWritten()) return null;
  if (tag === 'button' && labelsOf(element).length > 0) return null;
  const text = content.hasBlocks ? content.written : textContentOf(element);
  return text === null || text === '' ? null : foldSpace(shownText(visit, text)) || null;
}

function shownText({ element, shared }: Visit, written: string): string {
  if (!shared.generatesText) return written;
  const builder = new TextBuilder();
  appendGenerated(builder, element, '::before');
  builder.add(written);
  appendGenerated(builder, element, '::after');
  return builder.text;
}
