import { flatParent } from '../../../tree/composed-tree.ts';
import { measured } from '../../../dependencies.ts';
import { offsetHeightOf, offsetWidthOf } from '../../../native.ts';
import { clipMarginOf } from './clipped-content.ts';
import { hasBox, holdsFixedContent, isOfViewport } from './positioned.ts';
import type { Visit } from '../../visit.ts';

/**
 * Content that an ancestor hides because it clips overflow and is at most 1 px wide or high. `flow`: content that is not
 * positioned relative to an outer ancestor; `positioned`: all content except `position: fixed`; `all`: that, too.
 */
export type Clipping = 'none' | 'flow' | 'positioned' | 'all';

/** Returns the clipping of the element's content. `inherited` is that of the element. */
export function clippingAt(visit: Visit, inherited: Clipping): Clipping {
  if (visit.isInPlace()) return inherited;
  const { style } = visit;
  const around = inherited === 'none' ? inherited : clippingForPosition(style.position, inherited);
  const isClipped = around !== 'none' || clipsToPixel(visit);
  if (!isClipped || around === 'all') return around;
  if (holdsFixedContent(style)) return 'all';
  return style.position === 'static' && around !== 'positioned' ? 'flow' : 'positioned';
}

/** Returns the clipping of an element that may be positioned outside of the ancestor that clips. */
function clippingForPosition(position: string, inherited: Clipping): Clipping {
  const isOutside = position === 'fixed' ? inherited !== 'all' : position === 'absolute' && inherited === 'flow';
  return isOutside ? 'none' : inherited;
}

// Text for screen readers only is usually clipped to 1 px.
function clipsToPixel(visit: Visit): boolean {
  const { element, style } = visit;
  const clips = style.overflowY !== 'visible' || /paint|strict|content/.test(style.contain);
  if (!hasBox(visit) || !clips || clipMarginOf(style) > 0 || !(element instanceof HTMLElement)) return false;
  return measured(element, isOnePixel) && !isOfViewport(element);
}

function isOnePixel(element: HTMLElement): boolean {
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
