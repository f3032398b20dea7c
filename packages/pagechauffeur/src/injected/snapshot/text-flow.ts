import { measured } from '../dependencies.ts';
import { boundsOf, childCountOf, textContentOf } from '../native.ts';
import { LEAST_KEPT_CHILDREN } from './reuse/known-parts.ts';
import type { Level } from './level.ts';
import type { LineList } from './lines/line-list.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';

export function addText({ list, visit, inside }: Pick<Level, 'list' | 'visit' | 'inside'>, text: Text): void {
  const { data } = text;
  list.noteWritten(data);
  if (data.trim() === '') addPiece(list, visit, data, text);
  else if (visit.drawsText() && !visit.tree.occlusion.hidesText(text, visit.element, inside))
    addPiece(list, visit, data, text);
}

function addPiece(list: LineList, { element, shared }: Visit, text: string, place: Text | Element): void {
  const kept = BREAK_OR_INDENTATION.test(text) ? shared.keptSpace : 'none';
  if (kept !== 'none') list.addPreformatted(text, element, { place, isIndented: kept === 'all' });
  else if (text.trim() === '') list.addText(' ');
  else list.addText(text, element, place);
}

const BREAK_OR_INDENTATION = /[\n\r]|^[ \t]/;

/** Like `addText`, for text that nothing covers. */
export function addPlainText(list: LineList, visit: Visit, text: string, isShown: boolean): void {
  list.noteWritten(text);
  if (!isShown) return;
  if (text.trim() === '' || visit.drawsText()) addPiece(list, visit, text, visit.element);
}

/** `bracket`: encloses the reading of a word, which is written above it. */
export function separate(list: LineList, visit: Visit, display: string, bracket: '(' | ')'): void {
  if (display === 'contents') return;
  if (display === 'inline') {
    if (mayLeaveGap(visit)) list.noteEdge(visit.shared);
    return;
  }
  list.noteWritten(' ');
  if (display.startsWith('inline')) list.noteEdge(visit.shared);
  else if (display === 'ruby-text') list.addText(bracket);
  else if (display !== 'ruby') list.breakText();
}

/** Returns how the text of an element continues that before it, as a value of `display`. */
export function flowOf(visit: Visit, inside: Surroundings): string {
  const display = visit.display();
  // The parts of a formula are blocks, but on one line.
  if (visit.facts.isMath) return display === 'block math' && visit.tag === 'math' ? 'block' : 'inline math';
  if (isHiddenApart(visit, inside)) return 'contents';
  if (inside.isInLine && isPartOfLine(visit.element, display)) return 'inline-block';
  if (display !== 'ruby-text') return display;
  if (!inside.isTextShown || !visit.isVisible() || (textContentOf(visit.element) ?? '').trim() === '') return 'inline';
  // The name of a control lacks the reading, so the control has it as its own line.
  return inside.isInActionable ? 'block' : display;
}

/**
 * True for a box that nobody sees and that takes no place in the line, such as text for screen readers. One with more
 * children may be kept for the next snapshot, which needs whole lines.
 */
function isHiddenApart(visit: Visit, { isTextShown, clipping }: Surroundings): boolean {
  if (isTextShown && clipping === 'none') return false;
  const position = visit.position();
  return (position === 'absolute' || position === 'fixed') && childCountOf(visit.element) < LEAST_KEPT_CHILDREN;
}

/** True for rows and cells, and for blocks without height, which are placed over each other. */
function isPartOfLine(element: Element, display: string): boolean {
  return display.startsWith('table-') || (display === 'block' && measured(element, hasNoHeight));
}

function hasNoHeight(element: Element): boolean {
  return boundsOf(element).height === 0;
}

/** True if users may see a gap beside an inline box, or if it has content that is not text. */
function mayLeaveGap({ facts, shared }: Visit): boolean {
  return shared.mayBeSpaced || facts.isReplaced || !shared.isInPlace;
}

export function isBlock(display: string): boolean {
  return display !== 'contents' && !display.startsWith('ruby') && !display.startsWith('inline');
}
