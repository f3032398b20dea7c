import { styleOf } from '../../computed-style.ts';
import { boundsOf } from '../../native.ts';
import { EVERYTHING, type Sides } from './sides.ts';

/**
 * Returns the box of a positioned `::before` or `::after`, relative to the viewport. Returns everything if it cannot be
 * computed from the style. The offsets are computed values in pixels, relative to the padding edge or the viewport.
 */
export function generatedBox(element: Element, style: CSSStyleDeclaration): Sides {
  const { position, transform, left, top, width, height } = style;
  const own = styleOf(element);
  const isFixed = position === 'fixed';
  if (!isFixed && (position !== 'absolute' || own.position === 'static')) return EVERYTHING;
  if (transform !== 'none' || style.rotate !== 'none' || style.translate !== 'none' || style.scale !== 'none')
    return EVERYTHING;
  const box = isFixed ? { left: 0, top: 0 } : boundsOf(element);
  const x = box.left + (isFixed ? 0 : Number.parseFloat(own.borderLeftWidth)) + Number.parseFloat(left);
  const y = box.top + (isFixed ? 0 : Number.parseFloat(own.borderTopWidth)) + Number.parseFloat(top);
  return { left: x, top: y, right: x + Number.parseFloat(width), bottom: y + Number.parseFloat(height) };
}
