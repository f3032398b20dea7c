import { flatParent } from '../../tree/composed-tree.ts';
import { measured } from '../../dependencies.ts';
import { fadesIn } from '../../styles/fading.ts';
import { MIN_OPACITY, styleOf } from '../../styles/computed-style.ts';
import {
  bodyOf,
  boundsOf,
  clientHeightOf,
  clientWidthOf,
  documentElementOf,
  scrollLeftOf,
  scrollTopOf,
} from '../../native.ts';
import { memoised } from '../../memo.ts';
import { newRange } from '../../native-document.ts';
import { colorBehind, paintOf } from './painting/background.ts';
import { clipsAll } from './boxes/clip-area.ts';
import { exceedsClips, isClippedAway, isPlacedMask } from './boxes/clipped-content.ts';
import { hidesDifferences, isErased, opacityOfFilter } from './painting/erasing.ts';
import { isOpaqueImage } from './painting/opaque-parts.ts';
import { holdsFixedContent, isHeldByAncestor } from './boxes/positioned.ts';
import { generatedBounds } from './boxes/generated-bounds.ts';
import type { GeneratedPart } from '../../aria/generated-text.ts';
import { colorOf, paintedOver } from './painting/color.ts';
import { isReadable, legibilityOf } from './painting/contrast.ts';
import { refersToShapes } from './boxes/referenced-shapes.ts';
import { isIndentedAway, isIndentedFar } from './boxes/text-indent.ts';
import { isTransformedAway, isTurnedAway } from './boxes/depth.ts';
import { isTransformed } from './boxes/transform.ts';
import { grown, overlaps, type Sides, holds, viewportBox } from './boxes/sides.ts';

/** `doubtful`: text is visible only if its own box is in view. */
export type Visibility = 'clear' | 'doubtful' | 'none';

/** In CSS pixels. Text of an element that starts this far outside the document may be out of view. */
const FAR = 100;
/** In CSS pixels. Negative letter spacing of this size may pile up all letters. */
const TIGHT = 4;
/** Text with a lower `zoom` may be unreadable. */
const MIN_ZOOM = 0.5;
/** Text of a frame that is scaled down further is unreadable. */
const MIN_SCALE = 0.1;

/**
 * How a style affects the visibility of text. `transparent`: invisible unless it fades in; `moved`: visible if the box is in
 * view.
 */
export type StyleVisibility = Visibility | 'transparent' | 'moved';

/** Like `styleVisibility`, for a style in which all `hiding` properties have their initial values. */
export function inheritedVisibility(style: CSSStyleDeclaration): StyleVisibility {
  return isPiledUp(style) || isIndentedFar(style) ? 'doubtful' : 'clear';
}

/** Ignores the position of the box, which `textVisibilityOf` considers. */
export function styleVisibility(element: Element, style: CSSStyleDeclaration): StyleVisibility {
  const { opacity, filter, contentVisibility, clipPath, maskImage, position, zoom } = style;
  // These boxes have no effects of their own.
  if (style.display === 'contents') return inheritedVisibility(style);
  if (contentVisibility === 'hidden' && style.display !== 'inline') return 'none';
  if (opacity !== '1' && opacityWithin(element, Number(opacity) * opacityOfFilter(filter)) < MIN_OPACITY)
    return 'transparent';
  if (isErased(element, style) || (clipPath !== 'none' && clipsAll(clipPath))) return 'none';
  if (style.backfaceVisibility === 'hidden' && isTurnedAway(element, style)) return 'none';
  if (isTransformed(style) && isTransformedAway(element, style)) return 'none';
  if (SHAPE.test(clipPath) || isPlacedMask(style) || refersToShapes(maskImage)) return 'doubtful';
  if (Number(zoom) < MIN_ZOOM || isPiledUp(style) || isIndentedFar(style)) return 'doubtful';
  return position !== 'static' || isMoved(style) ? 'moved' : 'clear';
}

/** Multiplies the opacity of the element with those of its ancestors, except for those that fade in. */
function opacityWithin(element: Element, own: number): number {
  let product = own;
  for (let node = flatParent(element); node && product >= MIN_OPACITY; node = flatParent(node))
    if (!fadesIn(node)) product *= Number(styleOf(node).opacity);
  return product;
}

/** Matches shapes that may leave out text in a part of the box. */
const SHAPE = /^(?:(?:inset|circle|ellipse|polygon|path|shape)\(|url\("#)/;

function isMoved(style: CSSStyleDeclaration): boolean {
  const { marginLeft, marginTop, clipPath, offsetPath } = style;
  return (
    isTransformed(style) ||
    marginLeft.startsWith('-') ||
    marginTop.startsWith('-') ||
    clipPath !== 'none' ||
    offsetPath !== 'none'
  );
}

interface Styled {
  readonly element: Element;
  readonly shared: { readonly textVisibility: StyleVisibility; readonly position: string };
}

export function textVisibilityOf({ element, shared }: Styled): Visibility {
  const own = shared.textVisibility;
  if (own === 'transparent') return fadesIn(element) ? 'clear' : 'none';
  return own === 'moved' ? measured(element, movedVisibility, shared.position === 'fixed') : own;
}

function movedVisibility(element: Element, isFixed: boolean): Visibility {
  const bounds = boundsOf(element);
  if (isFixed && !holds(viewportBox(), bounds) && !isHeldByAncestor(element)) {
    // A fixed element right of or below the viewport cannot be scrolled into view.
    return bounds.left >= innerWidth || bounds.top >= innerHeight ? 'none' : 'doubtful';
  }
  const isFar = isOutOfView(bounds) || bounds.left + scrollX < -FAR || bounds.top + scrollY < -FAR;
  return isFar || exceedsClips(element, bounds) ? 'doubtful' : 'clear';
}

/** True if letters or words may overlap. */
function isPiledUp({ letterSpacing, wordSpacing }: CSSStyleDeclaration): boolean {
  return Number.parseFloat(letterSpacing) <= -TIGHT || Number.parseFloat(wordSpacing) <= -FAR;
}

/** True if the text is in view or can be scrolled into view. */
export function isTextInView(text: Text): boolean {
  return measured(text, isTextBoxInView);
}

function isTextBoxInView(text: Text): boolean {
  const range = newRange();
  range.selectNode(text);
  const box = range.getBoundingClientRect();
  const parent = flatParent(text);
  return isBoxInView(box, text) && !(parent && isClippedAway(box, parent));
}

/** True if the frame is in view or can be scrolled into view. */
export function isFrameInView(element: Element): boolean {
  return measured(element, isFrameBoxInView);
}

function isFrameBoxInView(element: Element): boolean {
  const [box, style] = [boundsOf(element), styleOf(element)];
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = style;
  const width = clientWidthOf(element) - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const height = clientHeightOf(element) - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
  if (width <= 1 || height <= 1) return false;
  if (box.width < clientWidthOf(element) * MIN_SCALE || element.currentCSSZoom < MIN_SCALE) return false;
  if (style.contentVisibility === 'hidden' || (hidesDifferences(style.filter) && isOpaqueFrame(element, style)))
    return false;
  return isBoxInView(box, element) && !isClippedAway(box, element);
}

function isOpaqueFrame(frame: Element, style: CSSStyleDeclaration): boolean {
  return paintOf(frame).color[3] === 1 || isOpaqueImage(frame, style);
}

function isBoxInView(bounds: DOMRect, node: Element | Text): boolean {
  if (!isOutOfView(bounds)) return true;
  return bounds.width > 1 && bounds.height > 1 && isInScrolledAncestor(node);
}

function isOutOfView(bounds: DOMRect): boolean {
  return bounds.width <= 1 || bounds.height <= 1 || isBeforeDocument(bounds);
}

/**
 * True if scrolling can never reach the box. Pages scroll down and right; right-to-left pages and those with vertical lines
 * from right to left scroll down and left.
 */
export function isBeforeDocument({ left, right, bottom }: Sides): boolean {
  if (bottom + scrollY <= 0) return true;
  return scrollsLeft(document) ? left + scrollX >= innerWidth : right + scrollX <= 0;
}

/** The direction and the writing mode of the body apply to the page. */
const scrollsLeft = memoised((root: Document): boolean => {
  const element = bodyOf(root) ?? documentElementOf(root);
  if (element === null) return false;
  const { direction, writingMode } = styleOf(element);
  return writingMode === 'horizontal-tb' ? direction === 'rtl' : writingMode.endsWith('-rl');
});

/** True if an ancestor is scrolled, so the content can be scrolled back into view. */
export function isInScrolledAncestor(node: Element | Text): boolean {
  for (let parent = flatParent(node); parent; parent = flatParent(parent)) {
    if (scrollLeftOf(parent) > 0 || scrollTopOf(parent) > 0) return true;
  }
  return false;
}

/**
 * True if the text of a pseudo-element can be seen. Its box cannot be measured, so only its style shows whether it is
 * hidden, moved away or without size. `isDoubtful`: text in the element may be out of view.
 */
export function drawsGenerated(element: Element, position: GeneratedPart, isDoubtful: boolean): boolean {
  const style = getComputedStyle(element, position);
  const visibility = styleVisibility(element, style);
  if (visibility === 'none' || visibility === 'transparent') return false;
  if (style.display !== 'inline' && (hasFlatBox(style) || isIndentedAway(style))) return false;
  if (
    position === '::marker'
      ? measured(element, isMarkerCut)
      : (isDoubtful || mayBeMovedAway(style)) && measured(element, isMovedAway, position)
  )
    return false;
  if (style.backgroundImage !== 'none') return true;
  const behind = colorBehind(element);
  const own = colorOf(style.backgroundColor);
  const legibility = legibilityOf(element, style, own[3] > 0 ? paintedOver(own, behind) : behind);
  return own[3] === 1 ? legibility === 'readable' : isReadable(element, style, legibility);
}

function hasFlatBox({ overflowX, width, height, transform, scale }: CSSStyleDeclaration): boolean {
  if (overflowX !== 'visible' && (Number.parseFloat(width) <= 1 || Number.parseFloat(height) <= 1)) return true;
  if (/^0(?: |$)/.test(scale)) return true;
  if (transform === 'none') return false;
  const { m11, m12, m21, m22 } = new DOMMatrixReadOnly(transform);
  return m11 * m22 === m12 * m21;
}

/** True if a marker outside of its item is left of the page or clipped. */
function isMarkerCut(item: Element): boolean {
  const { listStylePosition, direction } = styleOf(item);
  if (listStylePosition !== 'outside') return false;
  const { left, top, right, bottom } = boundsOf(item);
  const sides =
    direction === 'rtl'
      ? { left: right, right: right + MARKER, top, bottom }
      : { left: left - MARKER, right: left, top, bottom };
  return isClippedAway(sides, item) || (isBeforeDocument(sides) && !isInScrolledAncestor(item));
}

/** In CSS pixels: how much of a marker must be visible. */
const MARKER = 20;

function mayBeMovedAway(style: CSSStyleDeclaration): boolean {
  return style.position !== 'static' || (style.display !== 'inline' && isTransformed(style));
}

/** True if the page cannot be scrolled to where the style moves the box, or if ancestors clip it away. */
function isMovedAway(element: Element, part: GeneratedPart): boolean {
  const style = getComputedStyle(element, part);
  const { sides } = generatedBounds(element, part, style);
  const letters = grown(sides, -MARGIN);
  if (isClippedAway(letters, element, style.position)) return true;
  if (style.position === 'fixed' && !holdsFixedContent(styleOf(element)) && !isHeldByAncestor(element))
    return !overlaps(letters, viewportBox());
  return isBeforeDocument(sides) && !isInScrolledAncestor(element);
}

/** In CSS pixels. Letters are at least this far inside their line. */
const MARGIN = 2;
