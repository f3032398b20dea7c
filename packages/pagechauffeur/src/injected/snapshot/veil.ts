import { flatParent } from '../composed-tree.ts';
import { fadesIn } from '../fading.ts';
import { boundsOf, scrollLeftOf, scrollTopOf } from '../native.ts';
import { newRange } from '../native-document.ts';
import { FAINTEST, isFaint } from './faint.ts';
import type { Visit } from './visit.ts';

/** Whether text in a rendered element can be seen: it can, it can in no way, or its own place has to be looked at. */
export type Visibility = 'clear' | 'doubtful' | 'none';

/** What begins so far outside of the document, in CSS pixels, may have its text there. */
const FAR = 100;
/** Letters that stand so many CSS pixels nearer than usual may all lie in one place. */
const TIGHT = 4;
/** What is made smaller than this may leave dots of the letters in it. */
const LEAST_ZOOM = 0.5;
/** A clip that leaves nothing, as the browser writes it. */
export const emptyClipPath: RegExp =
  /^(inset\((50%|[^)]*\b100%)|circle\(0|ellipse\((0|\S+ 0)|polygon\((\S+ \S+)(, \4)+\)|rect\(0px 0px 0px 0px|xywh\(\S+ \S+ (0|\S+ 0))/;
const colors = /\b(?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)/g;
const emptyFilter = /opacity\(0(?:\.0[0-4]?\d*)?\)/;

/** What an element's own style does to the sight of the text in it; where no style is about that, nothing is read. */
export function sightIn(visit: Visit): Visibility {
  if (!visit.mayBeVeiled()) return 'clear';
  const { style, element } = visit;
  const { opacity, filter, contentVisibility, clipPath, maskImage, textIndent, position, zoom } = style;
  if (contentVisibility === 'hidden' || (Number(opacity) < FAINTEST && !fadesIn(element))) return 'none';
  if (filter !== 'none' && emptyFilter.test(filter)) return 'none';
  if (clipPath !== 'none' && emptyClipPath.test(clipPath)) return 'none';
  if (maskImage !== 'none' && isEmptyMask(maskImage)) return 'none';
  if (Number(zoom) < LEAST_ZOOM || isPiledUp(style)) return 'doubtful';
  if (textIndent !== '0px' && Number.parseFloat(textIndent) <= -FAR) return 'doubtful';
  const bounds = boundsOf(element);
  // What is fixed to the viewport beside it never comes into it by scrolling.
  if (position === 'fixed' && (bounds.left >= innerWidth || bounds.top >= innerHeight)) return 'none';
  return isOutOfSight(bounds) || bounds.left + scrollX < -FAR || bounds.top + scrollY < -FAR ? 'doubtful' : 'clear';
}

/** Whether letters or words may lie on one another. */
function isPiledUp({ letterSpacing, wordSpacing }: CSSStyleDeclaration): boolean {
  return Number.parseFloat(letterSpacing) <= -TIGHT || Number.parseFloat(wordSpacing) <= -FAR;
}

// Of a picture it cannot be told.
function isEmptyMask(maskImage: string): boolean {
  return !maskImage.includes('url(') && (maskImage.match(colors) ?? ['']).every(isFaint);
}

/** Whether text that stands in a doubtful place has a box where a person can get to see it. */
export function isTextInSight(text: Text): boolean {
  const range = newRange();
  range.selectNode(text);
  const bounds = range.getBoundingClientRect();
  if (!isOutOfSight(bounds)) return true;
  return bounds.width > 1 && bounds.height > 1 && isScrolledAround(text);
}

// A page can be scrolled down and to the right only.
function isOutOfSight({ right, bottom, width, height }: DOMRect): boolean {
  return width <= 1 || height <= 1 || right + scrollX <= 0 || bottom + scrollY <= 0;
}

/** What was scrolled out of its container can be scrolled back. */
export function isScrolledAround(node: Element | Text): boolean {
  for (let parent = flatParent(node); parent; parent = flatParent(parent)) {
    if (scrollLeftOf(parent) > 0 || scrollTopOf(parent) > 0) return true;
  }
  return false;
}
