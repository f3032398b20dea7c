import { flatParent } from '../composed-tree.ts';
import { documentElementOf, offsetHeightOf, offsetWidthOf } from '../native.ts';
import { hasBox } from './placed.ts';
import type { Visit } from './visit.ts';

/**
 * What a box around that is too small to show anything leaves unseen: nothing, all but what is positioned
 * against something further out, or all but what is fixed to the viewport.
 */
export type Cut = 'none' | 'flow' | 'positioned';

/** The cut that holds inside an element. */
export function cutAt(visit: Visit, around: Cut): Cut {
  if (visit.isInPlace()) return around;
  const arrived = around === 'none' ? around : cutOf(visit.style.position, around);
  return isCutting(visit) ? own(visit, arrived) : arrived;
}

/** What is left of a cut for an element of this position. */
function cutOf(position: string, around: Cut): Cut {
  if (position === 'static') return around;
  if (position === 'fixed' || (position === 'absolute' && around === 'flow')) return 'none';
  return 'positioned';
}

function own({ style }: Visit, arrived: Cut): Cut {
  const holdsPositioned = style.position !== 'static' || style.transform !== 'none';
  return holdsPositioned ? 'positioned' : arrived === 'none' ? 'flow' : arrived;
}

// One pixel is what remains of text that is only there for screen readers.
function isCutting(visit: Visit): boolean {
  const { element, tag, style } = visit;
  if (!hasBox(visit) || style.overflowY === 'visible' || !(element instanceof HTMLElement)) return false;
  if (offsetHeightOf(element) > 1 && offsetWidthOf(element) > 1) return false;
  return !isOfViewport(tag);
}

// What the root says of overflow, or the body where the root says nothing, is about the viewport.
function isOfViewport(tag: string): boolean {
  if (tag === 'html') return true;
  const root = tag === 'body' ? documentElementOf(document) : null;
  return root !== null && getComputedStyle(root).overflowY === 'visible';
}

/** Whether the nearest box around an element that is too small to show anything has no size at all, as a part that is folded away. */
export function isInEmptyBox(element: Element): boolean {
  for (let node = flatParent(element); node; node = flatParent(node)) {
    if (!(node instanceof HTMLElement) || (offsetHeightOf(node) > 1 && offsetWidthOf(node) > 1)) continue;
    const { overflowY, display } = getComputedStyle(node);
    if (overflowY === 'visible' || display === 'contents') continue;
    return offsetHeightOf(node) === 0 || offsetWidthOf(node) === 0;
  }
  return false;
}
