import { hasAriaName } from '../../aria/references.ts';
import { foldSpace } from '../../aria/text-builder.ts';
import type { WireNode } from '../../contract.ts';
import { nameOf } from '../../aria/name.ts';
import { textContentOf } from '../../native.ts';
import { isIndentedAway } from '../visibility/css-visibility.ts';
import { hiddenBoxOf } from '../clickable/hidden-controls.ts';
import type { LineFacts } from '../level.ts';
import type { Visit } from '../visit.ts';
import type { LineList } from './line-list.ts';
import { isNamedByVisibleText } from './line-roles.ts';
import { plainName } from './plain-name.ts';

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
