import { flatParent } from '../../../tree/composed-tree.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { animationsIn } from '../../../styles/fading.ts';
import { memoised } from '../../../memo.ts';
import {
  attributeOf,
  boundsOf,
  clientHeightOf,
  clientWidthOf,
  firstElementOf,
  frameElementOf,
  lastElementOf,
  offsetHeightOf,
  offsetWidthOf,
  queryAll,
  scrollHeightOf,
  scrollWidthOf,
} from '../../../native.ts';
import { clipRectOf, pixelsOf, shapeBox } from './clip-area.ts';
import { holdsFixedContent, isContainingBlock, isHeldByAncestor, isOfViewport } from './positioned.ts';
import { referencedBox } from './referenced-shapes.ts';
import { isInTopLayer, isTopLayerTag } from './stacking.ts';
import { isTransformed, transformOf } from './transform.ts';
import {
  boxAroundPoints,
  EVERYTHING,
  holds,
  intersectionOf,
  isBounded,
  isVisible,
  overlaps,
  type Sides,
  viewportBox,
} from './sides.ts';

/** In CSS pixels. Content that overflows less, such as the descenders of letters, hides no text. */
const MIN_OVERFLOW = 4;

/** Where ancestors let the content of an element be painted. Content that users can scroll to counts as inside. */
interface Clips {
  readonly flow: Sides;
  /** For descendants with `position: absolute`, which may leave an ancestor that clips its overflow. */
  readonly absolute: Sides;
  readonly fixed: Sides;
}

const UNCLIPPED: Clips = { flow: EVERYTHING, absolute: EVERYTHING, fixed: EVERYTHING };

/** True if the box, which belongs to the content of the element, is outside what ancestors let be painted. */
export function isClippedAway(box: Sides, element: Element, position = 'static'): boolean {
  return !isVisible(intersectionOf(shownAreaIn(element, position), box)) && !isMoving(element);
}

/** Returns where a box in the element with this `position` may be visible. */
export function shownAreaIn(element: Element, position: string): Sides {
  return areaFor(position, clipsIn(element));
}

/**
 * True if a box that hides overflow leaves out the element, and not even a script can scroll it into view, because it is
 * to the left of the box or above. A positioned element, such as a link to the content, may appear on focus.
 */
export function isBeforeItsClips(element: Element): boolean {
  const { left, top, right, bottom } = boundsOf(element);
  const { position } = styleOf(element);
  if (right <= left || bottom <= top || position === 'absolute' || position === 'fixed') return false;
  const parent = flatParent(element);
  if (!parent) return false;
  const limits = limitsIn(parent);
  return (limits.isOutside || right <= limits.left || bottom <= limits.top) && !isMoving(element);
}

/** Content of an element that ends before these sides is out of reach. `isOutside`: all content is. */
interface Limits {
  readonly left: number;
  readonly top: number;
  readonly isOutside: boolean;
}

const UNLIMITED: Limits = { left: -Infinity, top: -Infinity, isOutside: false };

function limitsIn(element: Element): Limits {
  const path: Element[] = [];
  let limits: Limits | null = null;
  for (let node: Element | null = element; node && limits === null; node = containingBlockOf(node)) {
    limits = knownLimits(node).limits;
    if (limits === null) path.push(node);
  }
  limits ??= UNLIMITED;
  for (const node of path.toReversed()) knownLimits(node).limits = limits = limitsOf(node, limits);
  return limits;
}

const knownLimits = memoised((_element: Element): { limits: Limits | null } => ({ limits: null }));

function containingBlockOf(element: Element): Element | null {
  const { position } = styleOf(element);
  let node = flatParent(element);
  while (node && !isContainingBlock(styleOf(node), position)) node = flatParent(node);
  return node;
}

function limitsOf(element: Element, outer: Limits): Limits {
  if (isOfViewport(element)) return outer;
  const style = styleOf(element);
  const [clips, scrolls] = [clipsContent(style), canBeScrolled(element, style)];
  if (!clips && !scrolls) return outer;
  const { left, top, right, bottom } = boundsOf(element);
  const isFixedX = clips && scrollWidthOf(element) <= clientWidthOf(element);
  const isFixedY = clips && scrollHeightOf(element) <= clientHeightOf(element);
  if (!scrolls) {
    const inner = { left: isFixedX ? left : -Infinity, top: isFixedY ? top : -Infinity };
    return { left: Math.max(outer.left, inner.left), top: Math.max(outer.top, inner.top), isOutside: outer.isOutside };
  }
  // Content can be scrolled into view there, so only that box counts further out.
  const isEmpty = (isFixedX && right <= left) || (isFixedY && bottom <= top);
  return { ...UNLIMITED, isOutside: outer.isOutside || isEmpty || right <= outer.left || bottom <= outer.top };
}

/** True if the element hides overflow and has some, so that parts of its content may be invisible. */
export function hidesOverflow(element: Element): boolean {
  const style = styleOf(element);
  const [hidesX, hidesY] = [hides(style.overflowX, style), hides(style.overflowY, style)];
  if (hidesX && scrollWidthOf(element) > clientWidthOf(element) + MIN_OVERFLOW) return true;
  if (hidesY && scrollHeightOf(element) > clientHeightOf(element) + MIN_OVERFLOW) return true;
  // Overflow at the start does not count as scrollable, for example if content is aligned to the end.
  const box = boundsOf(element);
  return [firstElementOf(element), lastElementOf(element)].some((child) => {
    if (!child) return false;
    const { left, top } = boundsOf(child);
    return left < box.left - MIN_OVERFLOW || top < box.top - MIN_OVERFLOW;
  });
}

/** True if the element clips its content at its edge, and users cannot scroll it. */
export function clipsContent({ overflowX, overflowY, contain }: CSSStyleDeclaration): boolean {
  return HIDDEN.has(overflowX) || HIDDEN.has(overflowY) || CONTAINED.test(contain);
}

/** True if a part of the element's box is outside what its ancestors let be painted. */
export function exceedsClips(element: Element, box: Sides): boolean {
  const parent = flatParent(element);
  // What clips the parent has been checked there.
  if (!parent || holds(boundsOf(parent), box)) return false;
  const { left, top, right, bottom } = areaFor(styleOf(element).position, clipsIn(parent));
  return (
    box.left < left - MIN_OVERFLOW ||
    box.top < top - MIN_OVERFLOW ||
    box.right > right + MIN_OVERFLOW ||
    box.bottom > bottom + MIN_OVERFLOW
  );
}

const HIDDEN: ReadonlySet<string> = new Set(['hidden', 'clip']);
const CONTAINED = /paint|strict|content/;

function hides(overflow: string, { contain }: CSSStyleDeclaration): boolean {
  return HIDDEN.has(overflow) || (overflow === 'visible' && CONTAINED.test(contain));
}

function clipsIn(element: Element): Clips {
  const path: Element[] = [];
  let clips: Clips | null = null;
  for (let node: Element | null = element; node && clips === null; node = flatParent(node)) {
    clips = knownClips(node).clips;
    if (clips === null) path.push(node);
  }
  clips ??= clipsOfDocument(document);
  for (const node of path.toReversed()) knownClips(node).clips = clips = clipsOf(node, clips);
  return clips;
}

/** True if only a part of the frame that shows this document is visible. */
export function isCroppedFrame(): boolean {
  return clipsOfDocument(document) !== UNCLIPPED;
}

const clipsOfDocument: (root: Document) => Clips = memoised((root: Document) => {
  const area = frameArea(root);
  return area === EVERYTHING ? UNCLIPPED : { flow: area, absolute: area, fixed: area };
});

/**
 * Returns the part of the frame that the page around it shows. Text of a frame that can scroll can be moved there. That
 * page's elements are from another realm, so `instanceof` fails.
 */
function frameArea(root: Document): Sides {
  const frame = frameElementOf(window);
  const scroller = root.scrollingElement;
  if (!frame || !scroller) return EVERYTHING;
  const [x, y] = [boundsOf(frame).left + frame.clientLeft, boundsOf(frame).top + frame.clientTop];
  const whole = { left: x, top: y, right: x + innerWidth, bottom: y + innerHeight };
  const style = getComputedStyle(frame);
  let shown = style.clipPath === 'none' ? whole : intersectionOf(whole, shapeBox(style.clipPath, boundsOf(frame), 1));
  let { position } = style;
  for (let node = frame.parentElement; node && position !== 'fixed'; node = node.parentElement) {
    const around = getComputedStyle(node);
    if (position === 'absolute' && around.position === 'static') continue;
    ({ position } = around);
    if (/auto|scroll/.test(around.overflow) || node === node.ownerDocument.body) break;
    if (/hidden|clip/.test(around.overflow)) shown = intersectionOf(shown, boundsOf(node));
  }
  const isLocked = attributeOf(frame, 'scrolling') === 'no';
  const [scrollsX, scrollsY] = [
    !isLocked && scrollWidthOf(scroller) > clientWidthOf(scroller),
    !isLocked && scrollHeightOf(scroller) > clientHeightOf(scroller),
  ];
  if (!isLocked && holds(shown, whole)) return EVERYTHING;
  return {
    left: scrollsX ? -Infinity : shown.left - x,
    right: scrollsX ? Infinity : shown.right - x,
    top: scrollsY ? -Infinity : shown.top - y,
    bottom: scrollsY ? Infinity : shown.bottom - y,
  };
}

const knownClips = memoised((_element: Element): { clips: Clips | null } => ({ clips: null }));

function areaFor(position: string, { flow, absolute, fixed }: Clips): Sides {
  return position === 'fixed' ? fixed : position === 'absolute' ? absolute : flow;
}

function clipsOf(element: Element, outer: Clips): Clips {
  const style = styleOf(element);
  const { display, position } = style;
  if (display === 'contents' || display.startsWith('table-row')) return outer;
  if (isTopLayerTag(element) && isInTopLayer(element)) return UNCLIPPED;
  // Scrolling the page does not show more of a fixed element.
  const isOnViewport = position === 'fixed' && !isHeldByAncestor(element);
  const around = isOnViewport ? intersectionOf(outer.fixed, viewportBox()) : areaFor(position, outer);
  const shape = paintedShape(element, style);
  const flow = intersectionOf(shape, display === 'inline' ? around : scrollableArea(element, style, around));
  const holdsFixed = holdsFixedContent(style);
  const holdsAbsolute = holdsFixed || position !== 'static' || isOfViewport(element);
  if (flow === outer.flow && shape === EVERYTHING && !holdsAbsolute) return outer;
  return {
    flow,
    absolute: holdsAbsolute ? flow : intersectionOf(shape, outer.absolute),
    fixed: holdsFixed ? flow : intersectionOf(shape, outer.fixed),
  };
}

/** Returns the part of the area that shows content of the element, whatever its scroll position. */
function scrollableArea(element: Element, style: CSSStyleDeclaration, area: Sides): Sides {
  const { overflowX, overflowY } = style;
  if (overflowX === 'visible' && overflowY === 'visible' && !CONTAINED.test(style.contain)) return area;
  if (isOfViewport(element)) return HIDDEN.has(overflowX) ? intersectionOf(area, viewportColumn()) : area;
  const box = contentBox(element, style);
  const isShown = overlaps(area, box);
  const [isFreeX, isFreeY] = [
    isShown && isScrolled(overflowX) && scrollWidthOf(element) > clientWidthOf(element),
    isShown && isScrolled(overflowY) && scrollHeightOf(element) > clientHeightOf(element),
  ];
  const [clipsX, clipsY] = [overflowX, overflowY].map((overflow) => isScrolled(overflow) || hides(overflow, style));
  return {
    left: isFreeX ? -Infinity : clipsX ? Math.max(area.left, box.left) : area.left,
    right: isFreeX ? Infinity : clipsX ? Math.min(area.right, box.right) : area.right,
    top: isFreeY ? -Infinity : clipsY ? Math.max(area.top, box.top) : area.top,
    bottom: isFreeY ? Infinity : clipsY ? Math.min(area.bottom, box.bottom) : area.bottom,
  };
}

function canBeScrolled(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): boolean {
  return (
    (isScrolled(overflowY) && scrollHeightOf(element) > clientHeightOf(element)) ||
    (isScrolled(overflowX) && scrollWidthOf(element) > clientWidthOf(element))
  );
}

/** A page that cannot be scrolled sideways. It may be locked for a while in the other direction, as under a dialog. */
function viewportColumn(): Sides {
  return { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity };
}

function isScrolled(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

/** Returns the box without its borders, extended by `overflow-clip-margin`. */
function contentBox(element: Element, style: CSSStyleDeclaration): Sides {
  const { left, top, right, bottom } = boundsOf(element);
  const margin = clipMarginOf(style);
  const inset = (border: string): number =>
    style.overflowClipMargin.includes('border-box') ? 0 : Number.parseFloat(border);
  return {
    left: left + inset(style.borderLeftWidth) - margin,
    top: top + inset(style.borderTopWidth) - margin,
    right: right - inset(style.borderRightWidth) + margin,
    bottom: bottom - inset(style.borderBottomWidth) + margin,
  };
}

/** In CSS pixels. `hidden` ignores the margin. */
export function clipMarginOf({ overflowX, overflowY, overflowClipMargin }: CSSStyleDeclaration): number {
  if (overflowX === 'hidden' || overflowY === 'hidden') return 0;
  return Number(/([\d.]+)px/.exec(overflowClipMargin)?.[1] ?? 0);
}

/** Returns what `clip-path`, `clip` and a mask leave of the element. */
function paintedShape(element: Element, style: CSSStyleDeclaration): Sides {
  const { clipPath, clip, maskImage, position } = style;
  const isClipped = clip !== 'auto' && (position === 'absolute' || position === 'fixed');
  const isMasked = isPlacedMask(style);
  if (clipPath === 'none' && !isClipped && maskImage === 'none') return EVERYTHING;
  const shapeOf = (box: Sides, scale: number): Sides => {
    let shape = clipPath === 'none' ? EVERYTHING : shapeBox(clipPath, box, scale);
    if (isMasked) shape = intersectionOf(shape, maskBox(style, box, scale));
    if (element instanceof HTMLElement)
      for (const value of [clipPath, maskImage])
        shape = intersectionOf(shape, referencedBox(element, value, box, scale));
    return isClipped ? intersectionOf(shape, clipRectOf(clip, box, scale)) : shape;
  };
  const box = boundsOf(element);
  if (isTransformed(style))
    return element instanceof HTMLElement ? transformedShape(element, style, shapeOf) : EVERYTHING;
  const scale = element instanceof HTMLElement && offsetWidthOf(element) > 0 ? box.width / offsetWidthOf(element) : 1;
  return shapeOf(box, scale);
}

/** Returns the box around a shape that the element's own transform moves. The box is clipped before it is transformed. */
function transformedShape(
  element: HTMLElement,
  style: CSSStyleDeclaration,
  shapeOf: (box: Sides, scale: number) => Sides,
): Sides {
  const [width, height] = [offsetWidthOf(element), offsetHeightOf(element)];
  const shape = shapeOf({ left: 0, top: 0, right: width, bottom: height }, 1);
  const matrix = transformOf(style, width, height);
  const [a, b, c, d] = [matrix.a, matrix.b, matrix.c, matrix.d];
  const box = boundsOf(element);
  const scale = box.width / (Math.abs(a) * width + Math.abs(c) * height);
  if (!matrix.is2D || !Number.isFinite(scale) || !isBounded(shape)) return EVERYTHING;
  // The center of the element stays the center of the box around it.
  const [centerX, centerY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const corners = [shape.left, shape.right].flatMap((right) =>
    [shape.top, shape.bottom].map((down) => ({ x: right - width / 2, y: down - height / 2 })),
  );
  return boxAroundPoints(
    corners.map(({ x, y }) => ({ x: centerX + (a * x + c * y) * scale, y: centerY + (b * x + d * y) * scale })),
  );
}

/** True if a mask consists of one image at one place. */
export function isPlacedMask({ maskImage, maskRepeat, maskSize, maskPosition }: CSSStyleDeclaration): boolean {
  if (maskImage === 'none' || maskRepeat !== 'no-repeat') return false;
  return LENGTHS.test(maskSize) && LENGTHS.test(maskPosition);
}

const LENGTHS = /^-?[\d.]+(?:px|%) -?[\d.]+(?:px|%)$/;

// A percentage of the position is one of the space that the image leaves.
function maskBox({ maskSize, maskPosition }: CSSStyleDeclaration, box: Sides, scale: number): Sides {
  const [wide = '', high = ''] = maskSize.split(' ');
  const [x = '', y = ''] = maskPosition.split(' ');
  const [boxWidth, boxHeight] = [box.right - box.left, box.bottom - box.top];
  const [width, height] = [pixelsOf(wide, boxWidth, scale), pixelsOf(high, boxHeight, scale)];
  const left = box.left + pixelsOf(x, boxWidth - width, scale);
  const top = box.top + pixelsOf(y, boxHeight - height, scale);
  return { left, top, right: left + width, bottom: top + height };
}

/** True for a ticker: an animation moves the content, so that it is visible at another time. */
function isMoving(element: Element): boolean {
  const moving = movingElements(document);
  for (let node: Element | null = moving.size > 0 ? element : null; node; node = flatParent(node))
    if (moving.has(node)) return true;
  return false;
}

const movingElements: (root: Document) => ReadonlySet<Element> = memoised((root: Document) => {
  const moving = new Set(queryAll(root, 'marquee'));
  for (const { effect, playState } of animationsIn(root))
    if (playState === 'running' && effect instanceof KeyframeEffect && effect.target) moving.add(effect.target);
  return moving;
});
