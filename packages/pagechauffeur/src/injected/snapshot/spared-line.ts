import type { WireNode } from '../contract.ts';
import { boundsOf } from '../native.ts';
import { type Actionability, hasHandler } from './actionable.ts';
import type { Visit } from './visit.ts';

/** The line of a generic element, with the lines below it. */
export interface LineInQuestion {
  readonly visit: Visit;
  readonly name: string;
  readonly actionability: Actionability;
  readonly lines: readonly WireNode[];
}

/** Whether a line is spared because it tells nothing that is not told below it, or stands for nothing that can be seen. */
export function isSpared({ visit, name, actionability, lines }: LineInQuestion): boolean {
  if (actionability === 'none') return lines.length === 1 && isNamed(lines[0], name);
  if (name !== '') return false;
  if (lines.length === 0) return hasNoSize(visit.element);
  // A wrapper that only shows the hand, or listens, around buttons and fields does what these do.
  const isWrapper = actionability === 'listening' || (actionability === 'clickable' && !hasHandler(visit.element));
  return isWrapper && lines.every(isActionableLine);
}

function isNamed(line: WireNode | undefined, name: string): boolean {
  return typeof line === 'object' && name !== '' && line[1] === name;
}

/** Whether a line is that of an element that can be acted on. */
export function isActionableLine(line: WireNode | undefined): boolean {
  return typeof line === 'object' && (line[2] ?? 0) !== 0;
}

function hasNoSize(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width === 0 || height === 0;
}
