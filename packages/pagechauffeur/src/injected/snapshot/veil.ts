import { flatParent } from '../composed-tree.ts';
import { fadesIn } from '../fading.ts';
import { boundsOf, clientHeightOf, clientWidthOf, scrollLeftOf, scrollTopOf } from '../native.ts';
import { newRange } from '../native-document.ts';
import { FAINTEST, isFaint } from './faint.ts';

/** The visibility of text in a rendered element. `doubtful`: visible only if the text's own box is in view. */
export type Visibility = 'clear' | 'doubtful' | 'none';

/** If an element starts this many CSS pixels outside the document, its text may be out of view. */
const FAR = 100;
/** With letter spacing reduced by this many CSS pixels, letters may overlap completely. */
const TIGHT = 4;
/** Below this zoom, text may be unreadable. */
const LEAST_ZOOM = 0.5;
/** Computed shapes of a `clip-path` without an area. */
const emptyShapes =
  /^(circle\(0|ellipse\((0|\S+ 0)|polygon\((\S+ \S+)(, \3)+\)|rect\(0px 0px 0px 0px|xywh\(\S+ \S+ (0|\S+ 0))/;
const insetSides = /^inset\(((?:-?[\d.]+(?:%|px)\s*){1,4})/;
const colors = /\b(?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)/g;
const emptyFilter = /opacity\(0(?:\.0[0-4]?\d*)?\)/;

/** How a style affects the visibility of text, apart from where the box is. `placed`: its box must be in view. */
export type StyleVisibility = Visibility | 'faint' | 'placed';

/** Returns how a style alone affects the visibility of text. `faint`: invisible unless it fades in. */
export function styleVisibility(style: CSSStyleDeclaration): StyleVisibility {
  const { opacity, filter, contentVisibility, clipPath, maskImage, textIndent, position, zoom, transform } = style;
  if (contentVisibility === 'hidden') return 'none';
  if (Number(opacity) < FAINTEST) return 'faint';
  if (filter !== 'none' && emptyFilter.test(filter)) return 'none';
  if (clipPath !== 'none' && clipsAll(clipPath)) return 'none';
  if (maskImage !== 'none' && isEmptyMask(style)) return 'none';
  if (transform.startsWith('matrix3d') && style.backfaceVisibility === 'hidden' && isTurnedAway(transform))
    return 'none';
  if (Number(zoom) < LEAST_ZOOM || isPiledUp(style)) return 'doubtful';
  if (textIndent !== '0px' && Number.parseFloat(textIndent) <= -FAR) return 'doubtful';
  return position !== 'static' || isMoved(style) ? 'placed' : 'clear';
}

/** True if a computed `clip-path` clips everything: a shape without an area, or insets whose percentages meet. */
export function clipsAll(clipPath: string): boolean {
  if (emptyShapes.test(clipPath)) return true;
  const sides = insetSides.exec(clipPath)?.[1]?.trim().split(/\s+/).map(percentageOf);
  if (!sides) return false;
  const [top = 0, right = top, bottom = top, left = right] = sides;
  return top + bottom >= 100 || left + right >= 100;
}

/** Insets in pixels are taken for 0. */
function percentageOf(length: string): number {
  return length.endsWith('%') ? Number.parseFloat(length) : 0;
}

function isMoved({
  transform,
  translate,
  scale,
  rotate,
  marginLeft,
  marginTop,
  clipPath,
}: CSSStyleDeclaration): boolean {
  const isTransformed = transform !== 'none' || translate !== 'none' || scale !== 'none' || rotate !== 'none';
  return isTransformed || marginLeft.startsWith('-') || marginTop.startsWith('-') || clipPath !== 'none';
}

/** An element with its style. */
interface Styled {
  readonly element: Element;
  readonly shared: { readonly textVisibility: StyleVisibility; readonly position: string };
}

/** Returns how the element's own style and place affect the visibility of its text. */
export function textVisibilityOf({ element, shared }: Styled): Visibility {
  const own = shared.textVisibility;
  if (own === 'faint') return fadesIn(element) ? 'clear' : 'none';
  if (own !== 'placed') return own;
  const bounds = boundsOf(element);
  // A fixed element right of or below the viewport cannot be scrolled into view.
  if (shared.position === 'fixed' && (bounds.left >= innerWidth || bounds.top >= innerHeight)) return 'none';
  return isOutOfView(bounds) || bounds.left + scrollX < -FAR || bounds.top + scrollY < -FAR ? 'doubtful' : 'clear';
}

/** True if letters or words may overlap. */
function isPiledUp({ letterSpacing, wordSpacing }: CSSStyleDeclaration): boolean {
  return Number.parseFloat(letterSpacing) <= -TIGHT || Number.parseFloat(wordSpacing) <= -FAR;
}

/** True if a computed 3D matrix shows the back of the element. */
function isTurnedAway(transform: string): boolean {
  return new DOMMatrixReadOnly(transform).m33 < 0;
}

// The picture of an image mask cannot be checked.
function isEmptyMask({ maskImage, maskSize }: CSSStyleDeclaration): boolean {
  return (
    /^0(?:px|%)/.test(maskSize) || (!maskImage.includes('url(') && (maskImage.match(colors) ?? ['']).every(isFaint))
  );
}

/** True if a doubtful text has a box that a user can see or scroll to. */
export function isTextInView(text: Text): boolean {
  const range = newRange();
  range.selectNode(text);
  return isBoxInView(range.getBoundingClientRect(), text);
}

/** True if the box of a frame can be seen or scrolled to. */
export function isFrameInView(element: Element): boolean {
  return clientWidthOf(element) > 1 && clientHeightOf(element) > 1 && isBoxInView(boundsOf(element), element);
}

function isBoxInView(bounds: DOMRect, node: Element | Text): boolean {
  if (!isOutOfView(bounds)) return true;
  return bounds.width > 1 && bounds.height > 1 && isScrolledAround(node);
}

// A page scrolls only down and to the right.
function isOutOfView({ right, bottom, width, height }: DOMRect): boolean {
  return width <= 1 || height <= 1 || right + scrollX <= 0 || bottom + scrollY <= 0;
}

/** True if an ancestor is scrolled, so the content can be scrolled back into view. */
export function isScrolledAround(node: Element | Text): boolean {
  for (let parent = flatParent(node); parent; parent = flatParent(parent)) {
    if (scrollLeftOf(parent) > 0 || scrollTopOf(parent) > 0) return true;
  }
  return false;
}
