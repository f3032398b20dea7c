import { flatParent } from '../../composed-tree.ts';
import { measured } from '../../dependencies.ts';
import { fadesIn } from '../../fading.ts';
import { styleOf } from '../../computed-style.ts';
import {
  boundsOf,
  childCountOf,
  clientHeightOf,
  clientWidthOf,
  documentElementOf,
  localNameOf,
  scrollLeftOf,
  scrollTopOf,
} from '../../native.ts';
import { elementById, treeScopeOf } from '../../tree-scope.ts';
import { memoised } from '../../memo.ts';
import { newRange } from '../../native-document.ts';
import { clipsAll } from './clip-area.ts';
import { MIN_OPACITY, isNearlyTransparent } from './opacity.ts';

/** `doubtful`: text is visible only if its own box is in view. */
export type Visibility = 'clear' | 'doubtful' | 'none';

/** In CSS pixels. Text of an element that starts this far outside the document may be out of view. */
const FAR = 100;
/** In CSS pixels. Negative letter spacing of this size may pile up all letters. */
const TIGHT = 4;
/** Text with a lower `zoom` may be unreadable. */
const MIN_ZOOM = 0.5;
const colors = /\b(?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)/g;
const emptyFilter = /opacity\(0(?:\.0[0-4]?\d*)?\)/;

/**
 * How a style affects the visibility of text. `faint`: invisible unless it fades in; `placed`: visible if the box is in
 * view.
 */
export type StyleVisibility = Visibility | 'faint' | 'placed';

/** Properties that may hide or move text, with their initial values. They are not inherited. */
export const HIDING_PROPERTIES = {
  'backface-visibility': 'visible',
  'clip-path': 'none',
  'content-visibility': 'visible',
  filter: 'none',
  'margin-left': '0px',
  'margin-top': '0px',
  'mask-image': 'none',
  opacity: '1',
  position: 'static',
  rotate: 'none',
  scale: 'none',
  transform: 'none',
  translate: 'none',
  zoom: '1',
} as const;

/** Like `styleVisibility`, for a style in which all of {@link HIDING_PROPERTIES} have their initial values. */
export function inheritedVisibility(style: CSSStyleDeclaration): StyleVisibility {
  return isPiledUp(style) || isIndentedFar(style) ? 'doubtful' : 'clear';
}

/** Ignores the position of the box, which `textVisibilityOf` considers. */
export function styleVisibility(element: Element, style: CSSStyleDeclaration): StyleVisibility {
  const { opacity, filter, contentVisibility, clipPath, maskImage, position, zoom, transform } = style;
  if (contentVisibility === 'hidden') return 'none';
  if (Number(opacity) < MIN_OPACITY) return 'faint';
  if (filter !== 'none' && (emptyFilter.test(filter) || isFlooded(element, filter))) return 'none';
  if (clipPath !== 'none' && (clipsAll(clipPath) || isClippedByNothing(element, clipPath))) return 'none';
  if (maskImage !== 'none' && isEmptyMask(style)) return 'none';
  if (style.backfaceVisibility === 'hidden' && isTurnedAway(element, transform)) return 'none';
  if (Number(zoom) < MIN_ZOOM || isPiledUp(style) || isIndentedFar(style)) return 'doubtful';
  return position !== 'static' || isMoved(style) ? 'placed' : 'clear';
}

/** True if the `clip-path` refers to an empty `<clipPath>`. */
function isClippedByNothing(element: Element, clipPath: string): boolean {
  const clip = referenced(element, clipPath);
  return clip !== null && localNameOf(clip) === 'clipPath' && childCountOf(clip) === 0;
}

/** True if an SVG filter paints something else instead of the element. */
function isFlooded(element: Element, filter: string): boolean {
  const last = referenced(element, filter)?.lastElementChild;
  return last !== null && last !== undefined && REPLACING.has(localNameOf(last));
}

/** Filter primitives that ignore their input. With one as the last, nothing of the element is painted. */
const REPLACING: ReadonlySet<string> = new Set(['feFlood', 'feImage', 'feTurbulence']);

/** Returns the element that a value such as `url("#clip")` refers to. */
function referenced(element: Element, value: string): Element | null {
  const id = /^url\("#([^"]+)"\)$/.exec(value)?.[1];
  const scope = id === undefined ? null : treeScopeOf(element);
  return scope && id !== undefined ? elementById(scope, id) : null;
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

interface Styled {
  readonly element: Element;
  readonly shared: { readonly textVisibility: StyleVisibility; readonly position: string };
}

export function textVisibilityOf({ element, shared }: Styled): Visibility {
  const own = shared.textVisibility;
  if (own === 'faint') return fadesIn(element) ? 'clear' : 'none';
  return own === 'placed' ? measured(element, placedVisibility, shared.position === 'fixed') : own;
}

function placedVisibility(element: Element, isFixed: boolean): Visibility {
  const bounds = boundsOf(element);
  // A fixed element right of or below the viewport cannot be scrolled into view.
  if (isFixed && (bounds.left >= innerWidth || bounds.top >= innerHeight)) return 'none';
  return isOutOfView(bounds) || bounds.left + scrollX < -FAR || bounds.top + scrollY < -FAR ? 'doubtful' : 'clear';
}

function isIndentedFar({ textIndent }: CSSStyleDeclaration): boolean {
  return textIndent !== '0px' && Number.parseFloat(textIndent) <= -FAR;
}

/** True if letters or words may overlap. */
function isPiledUp({ letterSpacing, wordSpacing }: CSSStyleDeclaration): boolean {
  return Number.parseFloat(letterSpacing) <= -TIGHT || Number.parseFloat(wordSpacing) <= -FAR;
}

/** True if 3D transforms turn the element's back to the viewer. */
function isTurnedAway(element: Element, transform: string): boolean {
  let matrix = matrixOf(transform);
  for (let node = flatParent(element); node; node = flatParent(node)) {
    const { transformStyle, transform: parentTransform } = styleOf(node);
    if (transformStyle !== 'preserve-3d') break;
    matrix = matrixOf(parentTransform).multiply(matrix);
  }
  return matrix.m33 < 0;
}

function matrixOf(transform: string): DOMMatrixReadOnly {
  return new DOMMatrixReadOnly(transform === 'none' ? '' : transform);
}

// Does not check the content of an image mask.
function isEmptyMask({ maskImage, maskSize }: CSSStyleDeclaration): boolean {
  return (
    /^0(?:px|%)/.test(maskSize) ||
    (!maskImage.includes('url(') && (maskImage.match(colors) ?? ['']).every(isNearlyTransparent))
  );
}

/** True if the text is in view or can be scrolled into view. */
export function isTextInView(text: Text): boolean {
  return measured(text, isTextBoxInView);
}

function isTextBoxInView(text: Text): boolean {
  const range = newRange();
  range.selectNode(text);
  return isBoxInView(range.getBoundingClientRect(), text);
}

/** True if the frame is in view or can be scrolled into view. */
export function isFrameInView(element: Element): boolean {
  return measured(element, isFrameBoxInView);
}

function isFrameBoxInView(element: Element): boolean {
  return clientWidthOf(element) > 1 && clientHeightOf(element) > 1 && isBoxInView(boundsOf(element), element);
}

function isBoxInView(bounds: DOMRect, node: Element | Text): boolean {
  if (!isOutOfView(bounds)) return true;
  return bounds.width > 1 && bounds.height > 1 && isInScrolledAncestor(node);
}

function isOutOfView(bounds: DOMRect): boolean {
  return bounds.width <= 1 || bounds.height <= 1 || isBeforeDocument(bounds);
}

/** True if scrolling can never reach the box. Pages scroll down and right; right-to-left pages scroll down and left. */
export function isBeforeDocument({ left, right, bottom }: DOMRect): boolean {
  if (bottom + scrollY <= 0) return true;
  return isRightToLeft(document) ? left + scrollX >= innerWidth : right + scrollX <= 0;
}

const isRightToLeft = memoised((root: Document): boolean => {
  const element = documentElementOf(root);
  return element !== null && styleOf(element).direction === 'rtl';
});

/** True if an ancestor is scrolled, so the content can be scrolled back into view. */
export function isInScrolledAncestor(node: Element | Text): boolean {
  for (let parent = flatParent(node); parent; parent = flatParent(parent)) {
    if (scrollLeftOf(parent) > 0 || scrollTopOf(parent) > 0) return true;
  }
  return false;
}
