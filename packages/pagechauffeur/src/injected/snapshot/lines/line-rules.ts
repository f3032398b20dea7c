import { hasAriaName } from '../../aria/references.ts';
import { attributeOf, boundsOf, queryCount } from '../../native.ts';
import type { WireNode } from '../../contract.ts';
import { measured } from '../../dependencies.ts';
import type { Actionability } from '../clickable/actionable.ts';
import { hasHandler, isFilledByDrawing, isRail } from '../clickable/listened.ts';
import { editorStateOf } from '../clickable/editor-lines.ts';
import { repeats } from './collapse.ts';
import type { Visit } from '../visit.ts';
import { nameIn } from './wire-line.ts';

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Roles with their own line even without a name. */
const structuralRoles = wordSet(
  'alert alertdialog article banner cell columnheader complementary contentinfo definition dialog feed figure form grid gridcell heading img ' +
    'list listbox listitem log main marquee menu menubar meter navigation progressbar radiogroup region row rowheader search status table ' +
    'tablist tabpanel term timer toolbar tooltip tree treegrid',
);

/** Roles with their own line only if the author names the element. */
const namedRoles = wordSet(
  'application audio blockquote canvas document generic group math note paragraph rowgroup video',
);

/** Roles whose lines are kept even when empty: cells keep columns aligned, and bars show a value. */
const rolesKeptEmpty = wordSet('cell columnheader gridcell meter progressbar rowheader');

/** True if an element that cannot be acted on still has its own line. */
export function makesLine(element: Element, role: string, isMarked: boolean): boolean {
  if (structuralRoles.has(role)) return true;
  if (!isMarked && role !== 'group') return false;
  return namedRoles.has(role) && (hasAriaName(element) || isNamedByTag(element, role));
}

export function isKeptEmpty(role: string): boolean {
  return rolesKeptEmpty.has(role);
}

/** True if visible text names the element unless the author does. */
export function isNamedByVisibleText(role: string): boolean {
  return rolesNamedByVisibleText.has(role);
}

const rolesNamedByVisibleText = wordSet(
  'cell columnheader definition gridcell heading listitem row rowheader term tooltip',
);

function isNamedByTag(element: Element, role: string): boolean {
  return (
    role === 'group' &&
    (element instanceof HTMLFieldSetElement ||
      element instanceof HTMLOptGroupElement ||
      attributeOf(element, 'title') !== null)
  );
}

export interface LineCandidate {
  readonly visit: Visit;
  readonly name: string;
  readonly actionability: Actionability;
  readonly lines: readonly WireNode[];
}

/** True if the line adds nothing: its children have the same information, or the element has no size. */
export function isOmitted({ visit, name, actionability, lines }: LineCandidate): boolean {
  if (actionability === 'none') return lines.length === 1 && isNamed(lines[0], name);
  if (name !== '') return false;
  if (lines.length === 0) return measured(visit.element, hasNoSize);
  // A wrapper with a pointer cursor or listener does the same as the controls inside. The rail of a slider and the
  // surface of a drawing do not.
  const isWrapper = actionability === 'listening' || (actionability === 'clickable' && !hasHandler(visit.element));
  if (!isWrapper || !lines.every((line) => isActionableLine(line) || isLabel(line, lines))) return false;
  if (isRail(visit.element) || editorStateOf(visit) !== null) return false;
  // The lines are the parts of an SVG. A canvas has none.
  return !isFilledByDrawing(visit.element) || queryCount(visit.element, 'svg') > 0;
}

/** True for text that only repeats the name of a sibling control. */
function isLabel(line: WireNode, lines: readonly WireNode[]): boolean {
  return (
    typeof line === 'string' &&
    lines.some((other) => typeof other === 'object' && isActionableLine(other) && repeats(line, nameIn(other)))
  );
}

function isNamed(line: WireNode | undefined, name: string): boolean {
  return typeof line === 'object' && name !== '' && line[1] === name;
}

/** True if the line has a ref, which only elements that can be acted on have. */
export function isActionableLine(line: WireNode | undefined): boolean {
  return typeof line === 'object' && (line[2] ?? 0) !== 0;
}

function hasNoSize(element: Element): boolean {
  const { width, height } = boundsOf(element);
  // The box of a straight line does not include its stroke.
  return element instanceof SVGElement ? width + height === 0 : width === 0 || height === 0;
}
