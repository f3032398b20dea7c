import { measured } from '../../dependencies.ts';
import { boundsOf, clientWidthOf } from '../../native.ts';
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
  if (style.overflowY !== 'visible' && isIndentedAway(element, style)) return true;
  return (
    (position === 'absolute' || position === 'fixed') && (isClippedAway(style) || measured(element, isOutsideDocument))
  );
}

/** True if `text-indent` moves the first line of text out of the box. */
function isIndentedAway(element: Element, { textIndent, textWrapMode }: CSSStyleDeclaration): boolean {
  if (textIndent === '0px') return false;
  const indent = Number.parseFloat(textIndent);
  return indent <= -100 || (indent >= 100 && textWrapMode === 'nowrap' && measured(element, isAtMostWide, indent));
}

function isAtMostWide(element: Element, width: number): boolean {
  return clientWidthOf(element) <= width;
}

function isClippedAway({ clip, clipPath }: CSSStyleDeclaration): boolean {
  return (clip !== 'auto' && clipsToPixel(clip)) || (clipPath !== 'none' && clipsAll(clipPath));
}

function isOutsideDocument(element: Element): boolean {
  const bounds = boundsOf(element);
  if ((bounds.width === 0 && bounds.height === 0) || !isBeforeDocument(bounds)) return false;
  return !isInScrolledAncestor(element);
}
