import { boundsOf } from '../native.ts';
import { emptyClipPath, isScrolledAround } from './veil.ts';
import type { Visit } from './visit.ts';

/** Display values of boxes that may be positioned or clip what they contain. */
const boxDisplays: ReadonlySet<string> = new Set([
  'block',
  'flex',
  'grid',
  'flow-root',
  'list-item',
  'inline-block',
  'inline-flex',
  'inline-grid',
  'table',
]);

/** Tags whose boxes stay where they are and show what they hold. */
const tagsInPlace: ReadonlySet<string> = new Set(['button', 'input', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot']);

/** Whether a box hides the text in it: transparent, clipped away, or moved out of the document. Boxes without size: see `cut.ts`. */
export function hidesText(visit: Visit): boolean {
  if (!visit.isSeen && visit.style.opacity === '0') return true;
  if (!hasBox(visit)) return false;
  const { element, style } = visit;
  const position = visit.position();
  if (style.overflowY !== 'visible' && isIndentedAway(style)) return true;
  return (position === 'absolute' || position === 'fixed') && (isClippedAway(style) || isOutsideDocument(element));
}

/** Whether the element is shown as a box of its own, which may be positioned or clip what it contains. */
export function hasBox(visit: Visit): boolean {
  return !visit.isInPlace() && !tagsInPlace.has(visit.tag) && boxDisplays.has(visit.display());
}

function isIndentedAway({ textIndent }: CSSStyleDeclaration): boolean {
  return textIndent !== '0px' && Number.parseFloat(textIndent) <= -100;
}

const emptyClip = /^rect\((0px|1px|auto),? (0px|1px|auto),? (0px|1px|auto),? (0px|1px|auto)\)$/;

function isClippedAway(style: CSSStyleDeclaration): boolean {
  const { clip, clipPath } = style;
  if (clip !== 'auto' && emptyClip.test(clip) && clip !== 'rect(auto, auto, auto, auto)') return true;
  return clipPath !== 'none' && emptyClipPath.test(clipPath);
}

function isOutsideDocument(element: Element): boolean {
  const { right, bottom, width, height } = boundsOf(element);
  if (width === 0 && height === 0) return false;
  if (right + scrollX > 0 && bottom + scrollY > 0) return false;
  return !isScrolledAround(element);
}
