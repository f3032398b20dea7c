import { measured } from '../../dependencies.ts';
import { boundsOf } from '../../native.ts';
import { hasBox } from './positioned.ts';
import { clipsAll, clipsToPixel } from './clip-area.ts';
import { isHiddenInDrawing, SVG_TEXT } from './svg-text.ts';
import { isBeforeDocument, isInScrolledAncestor } from './css-visibility.ts';
import type { Visit } from '../visit.ts';

/**
 * True if the element hides its text: it is transparent, clipped, or outside the document. `clipping.ts` handles boxes
 * without size.
 */
export function hidesText(visit: Visit): boolean {
  if (!visit.isSeen && visit.style.opacity === '0' && visit.display() !== 'contents') return true;
  if (SVG_TEXT.has(visit.tag) && isHiddenInDrawing(visit.element)) return true;
  if (!hasBox(visit)) return false;
  const { element, style } = visit;
  const position = visit.position();
  return (
    (position === 'absolute' || position === 'fixed') && (isClippedAway(style) || measured(element, isOutsideDocument))
  );
}

function isClippedAway({ clip, clipPath }: CSSStyleDeclaration): boolean {
  return (clip !== 'auto' && clipsToPixel(clip)) || (clipPath !== 'none' && clipsAll(clipPath));
}

function isOutsideDocument(element: Element): boolean {
  const bounds = boundsOf(element);
  // Content of a box without size may be anywhere.
  if (bounds.width === 0 || bounds.height === 0 || !isBeforeDocument(bounds)) return false;
  return !isInScrolledAncestor(element);
}
