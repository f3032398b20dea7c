import { flatParent } from '../../composed-tree.ts';
import { measured } from '../../dependencies.ts';
import { offsetHeightOf, offsetWidthOf } from '../../native.ts';
import { clipMarginOf } from './clipped-content.ts';
import { hasBox, isOfViewport } from './positioned.ts';
import type { Visit } from '../visit.ts';

/**
 * Content that an ancestor hides because it clips overflow and is at most 1 px wide or high. `flow`: content that is
 * not positioned relative to an outer ancestor; `positioned`: all content except `position: fixed`.
 */
export type Clipping = 'none' | 'flow' | 'positioned';

/** Returns the clipping of the element's content. `inherited` is that of the element. */
export function clippingAt(visit: Visit, inherited: Clipping): Clipping {
  if (visit.isInPlace()) return inherited;
  const arrived = inherited === 'none' ? inherited : cutOf(visit.style.position, inherited);
  return isCutting(visit) ? own(visit, arrived) : arrived;
}

function cutOf(position: string, inherited: Clipping): Clipping {
  if (position === 'static') return inherited;
  if (position === 'fixed' || (position === 'absolute' && inherited === 'flow')) return 'none';
  return 'positioned';
}

function own({ style }: Visit, arrived: Clipping): Clipping {
  const holdsPositioned = style.position !== 'static' || style.transform !== 'none';
  return holdsPositioned ? 'positioned' : arrived === 'none' ? 'flow' : arrived;
}

// Text for screen readers only is usually clipped to 1 px.
function isCutting(visit: Visit): boolean {
  const { element, style } = visit;
  const clips = style.overflowY !== 'visible' || /paint|strict|content/.test(style.contain);
  if (!hasBox(visit) || !clips || clipMarginOf(style) > 0 || !(element instanceof HTMLElement)) return false;
  return measured(element, isFlat) && !isOfViewport(element);
}

function isFlat(element: HTMLElement): boolean {
  return offsetHeightOf(element) <= 1 || offsetWidthOf(element) <= 1;
}

/** True if the closest ancestor that clips to 1 px or less has no width or height, as in a collapsed section. */
export function isInEmptyBox(element: Element): boolean {
  for (let node = flatParent(element); node; node = flatParent(node)) {
    if (!(node instanceof HTMLElement) || (offsetHeightOf(node) > 1 && offsetWidthOf(node) > 1)) continue;
    const { overflowY, display } = getComputedStyle(node);
    if (overflowY === 'visible' || display === 'contents') continue;
    return offsetHeightOf(node) === 0 || offsetWidthOf(node) === 0;
  }
  return false;
}
