import type { WireNode } from '../../contract.ts';
import { measured } from '../../dependencies.ts';
import { boundsOf, queryCount } from '../../native.ts';
import type { Actionability } from '../clickable/actionable.ts';
import { hasHandler } from '../../handlers.ts';
import { editorStateOf } from '../clickable/editor-lines.ts';
import { repeats } from './collapse.ts';
import { isFilledByDrawing, isRail } from '../clickable/listened.ts';
import type { Visit } from '../visit.ts';
import { nameIn } from './wire-line.ts';

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
