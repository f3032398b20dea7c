import { elementAtPoint, reaches } from '../../../acting/point/hit-target.ts';
import { flatParent, isInside } from '../../../tree/composed-tree.ts';
import { MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { markIncomplete } from '../../../dependencies.ts';
import { memoised } from '../../../memo.ts';
import {
  boundsOf,
  checkVisibility,
  childrenOf,
  clientHeightOf,
  clientWidthOf,
  scrollHeightOf,
  scrollWidthOf,
} from '../../../native.ts';
import { newRange } from '../../../native-document.ts';
import { fadingAway } from '../../../styles/fading.ts';
import { paintOf } from './background.ts';
import { type Color, colorOf, lacksContrastOn } from './color.ts';
import { elementsInDocument } from '../../../tree/document-queries.ts';
import { notedRulesIn } from '../../../styles/noted-rules.ts';
import { colorOfImage, isOpaque, isReplaced, mayPaintOpaquely, opaquePartsOf } from './opaque-parts.ts';
import { isOfCanvas } from './painted-behind.ts';
import { colorOfDrawing } from './svg-text.ts';
import { isUprightPolygon, shapeBox } from '../boxes/clip-area.ts';
import { coverageOf } from './erasing.ts';
import { elementsMaybeRaised, isContainingBlock, isRaisedBox } from '../boxes/positioned.ts';
import { areaOf, coverTogether, EVERYTHING, holds, intersectionOf, overlaps, type Sides } from '../boxes/sides.ts';
import { isTransformed, transformOf } from '../boxes/transform.ts';
import { isInTopLayer, isPaintedOver, type Layer, layerOf, startsContext } from '../boxes/stacking.ts';
import type { StyleRules } from '../../../styles/style-rules.ts';
import { generatedBounds } from '../boxes/generated-bounds.ts';

/** An opaque box that may cover other elements, in CSS pixels relative to the viewport. */
interface Cover extends Sides {
  readonly element: Element;
  readonly layer: Layer;
  /** `null` for images, and for gradients of several colors. */
  readonly color: Color | null;
}

interface Styled {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
}

interface PaintedAt {
  readonly isClear: boolean;
  readonly layer: Layer | null | undefined;
}

/**
 * Only the `MOST` largest covers are compared. After every `MAX_KNOWN` covers found, boxes smaller than those are skipped
 * without a closer look.
 */
const MAX_KNOWN = 300;
const MOST = 64;
/** In CSS pixels. Smaller boxes, such as badges, do not hide text. */
const [MIN_WIDTH, MIN_HEIGHT] = [40, 10];

/** The opaque boxes that are painted over other parts of the page. */
export class Occlusion {
  readonly isNone: boolean;
  readonly #whole: readonly Cover[];
  readonly #boxes: readonly Cover[];
  readonly #pointerLayers: readonly Element[];
  readonly #range = newRange();

  /** Leaves out covers inside elements that are `ignored` or fading away. */
  constructor(rules: StyleRules | null, ignored: ReadonlySet<Element>) {
    const covers = coversAmong(elementsMaybeRaised(document, rules), ignored);
    this.#pointerLayers = pointerLayers();
    this.isNone = covers.length + this.#pointerLayers.length === 0;
    this.#whole = covers.filter(isWhole);
    this.#boxes = largestOf(covers.filter((cover) => !isWhole(cover)));
    current(document).occlusion = this;
  }

  /**
   * True if no cover overlaps the element or its overflow. A box does not cover its own content, except by a generated box.
   * Does not check descendants positioned outside the element, or placed behind an ancestor by `z-index`.
   */
  leaveClear(element: Element): boolean {
    if (this.isNone) return true;
    const mayCover = (cover: Cover): boolean => cover.layer.isGenerated === true || !isInside(element, cover.element);
    if (this.#isOutsidePointerLayers(element) || this.#whole.some(mayCover)) return false;
    const { left, top, right, bottom } = boundsOf(element);
    const isOver = (sides: Sides): boolean => this.#boxes.some((cover) => overlaps(cover, sides) && mayCover(cover));
    if (isOver({ left, top, right, bottom })) return false;
    // Content overflows to the right or below.
    const [width, height] = [scrollWidthOf(element), scrollHeightOf(element)];
    return !isOver({ left, top, right: Math.max(right, left + width), bottom: Math.max(bottom, top + height) });
  }

  #isOutsidePointerLayers(element: Element): boolean {
    return this.#pointerLayers.length > 0 && !this.#pointerLayers.some((layer) => isInside(element, layer));
  }

  /** True if covers hide the whole text node, or if it has the color of a box behind it. */
  hidesText(text: Text, holder: Element, painted: PaintedAt): boolean {
    if (painted.isClear) return false;
    const measure = (): Sides => {
      this.#range.selectNode(text);
      return this.#range.getBoundingClientRect();
    };
    return this.#areOver(holder, painted, { measure }) || this.#isLostOnBox(holder, painted, measure);
  }

  #isLostOnBox(holder: Element, { layer }: PaintedAt, measure: () => Sides): boolean {
    const color = colorOf(styleOf(holder).webkitTextFillColor);
    const boxes = [...this.#whole, ...this.#boxes];
    if (!boxes.some((box) => looksLike(color, box))) return false;
    const sides = measure();
    const behind = boxes.filter(
      (box) =>
        overlaps(box, sides) &&
        !isPaintedOver(box.layer, layer ?? null) &&
        (box.layer.isGenerated === true || !isInside(holder, box.element)),
    );
    return behind.some(
      (box) =>
        holds(box, sides) &&
        looksLike(color, box) &&
        behind.every((other) => looksLike(color, other) || !isPaintedOver(other.layer, box.layer)) &&
        !paintsOver(holder, box.element),
    );
  }

  /**
   * True if covers hide the whole element, or if a layer over the whole viewport takes its clicks. Covers do not count if
   * a click on them reaches the element.
   */
  covers(element: Element, painted: PaintedAt): boolean {
    if (painted.isClear) return false;
    if (this.#isBehindPointerLayer(element)) return true;
    const measure = (): Sides => boundsOf(element);
    const mayCover = (cover: Cover): boolean =>
      !reaches(cover.element, element) && styleOf(cover.element).pointerEvents !== 'none';
    return this.#areOver(element, painted, { measure, mayCover });
  }

  #isBehindPointerLayer(element: Element): boolean {
    if (!this.#isOutsidePointerLayers(element)) return false;
    const own = layerOf(element);
    return this.#pointerLayers.some((layer) => {
      const over = layerOf(layer);
      return over !== null && isPaintedOver(over, own);
    });
  }

  #areOver(
    element: Element,
    { layer }: PaintedAt,
    { measure, mayCover = () => true }: { measure: () => Sides; mayCover?: (cover: Cover) => boolean },
  ): boolean {
    markIncomplete();
    const isOver = (cover: Cover): boolean => isPaintedOver(cover.layer, layer ?? null) && mayCover(cover);
    if (this.#whole.some(isOver)) return true;
    if (this.#boxes.length === 0) return false;
    const sides = measure();
    const over = this.#boxes.filter((cover) => overlaps(cover, sides) && staysUnder(element, cover) && isOver(cover));
    return over.some((cover) => holds(cover, sides)) || coverTogether(over, sides);
  }
}

/** Where to look for layers that take clicks, as fractions of the viewport. */
const PROBES = [
  [0.5, 0.5],
  [0.02, 0.02],
  [0.98, 0.02],
  [0.02, 0.98],
  [0.98, 0.98],
] as const;

/** Returns fixed layers over the whole viewport, such as an open dialog and its backdrop, if they take all clicks. */
function pointerLayers(): readonly Element[] {
  // Frames without a size cover nothing.
  if (innerWidth <= SCROLL_BAR || innerHeight <= SCROLL_BAR) return NONE;
  const layers = new Set<Element>();
  for (const [across, down] of PROBES) {
    const hit = elementAtPoint({ x: innerWidth * across, y: innerHeight * down });
    const layer = hit && fixedLayerAround(hit);
    if (!layer) return NONE;
    layers.add(layer);
  }
  return [...layers];
}

function fixedLayerAround(hit: Element): Element | null {
  const path: Element[] = [];
  for (let node: Element | null = hit; node; node = flatParent(node)) {
    path.push(node);
    if (styleOf(node).position === 'fixed') return path.some(takesAllClicks) ? node : null;
  }
  return null;
}

/** False for a layer that lets clicks through and only contains controls. */
function takesAllClicks(element: Element): boolean {
  if (styleOf(element).pointerEvents === 'none') return false;
  const { width, height } = boundsOf(element);
  return width >= innerWidth - SCROLL_BAR && height >= innerHeight - SCROLL_BAR;
}

/** Maximum width of a scroll bar in CSS pixels. A fixed layer does not cover it. */
const SCROLL_BAR = 20;

/** The covers of the current reading. */
const current = memoised((_document: Document): { occlusion: Occlusion | null } => ({ occlusion: null }));

/** Like `leaveClear` of the current reading. */
export function isLeftClear(element: Element): boolean {
  return current(document).occlusion?.leaveClear(element) ?? true;
}

function looksLike(text: Color, { color }: Cover): boolean {
  return color !== null && lacksContrastOn(text, color);
}

/** True if an ancestor of the text that does not contain the box paints a background. */
function paintsOver(holder: Element, box: Element): boolean {
  for (let node: Element | null = holder; node && !isInside(box, node); node = flatParent(node)) {
    const { color, isKnown } = paintOf(node);
    if (!isKnown || color[3] >= MIN_OPACITY) return true;
  }
  return false;
}

/** True if a negative `z-index` puts the element behind the opaque box of an ancestor. */
export function isBehindItsHolder({ element, style }: Styled): boolean {
  if (!(Number(style.zIndex) < 0)) return false;
  const bounds = boundsOf(element);
  for (let node = flatParent(element); node && !isOfCanvas(node); node = flatParent(node)) {
    const ancestorStyle = styleOf(node);
    if (startsContext(ancestorStyle, node)) return false;
    if (isOpaque(ancestorStyle) && holds(boundsOf(node), bounds)) return true;
  }
  return false;
}

function coversAmong(elements: Iterable<Element>, ignored: ReadonlySet<Element>): readonly Cover[] {
  const covers: Cover[] = [];
  let [leastArea, most, searched] = [0, MAX_KNOWN, 0];
  for (const element of elements) {
    // Parts of a drawing cover only its other parts.
    if (element instanceof SVGElement && element.ownerSVGElement) continue;
    const isRaised = isRaisedBox(element);
    if (!isRaised && !elementsWithGeneratedBoxes(document).has(element)) continue;
    if (leastArea > 0 && areaOf(boundsOf(element)) <= leastArea && !isInTopLayer(element)) continue;
    const found = [...(isRaised ? coversOf(element) : NONE), ...generatedCoversOf(element)];
    if (isRaised && found.length === 0 && searched < MAX_SEARCHED) {
      const content = contentIn(element);
      searched += content.length;
      found.push(...content.flatMap((inner) => coversOf(inner, element)));
    }
    if (found.length === 0 || isLeftOut(element, ignored)) continue;
    covers.push(...found);
    if (covers.length < most) continue;
    leastArea = leastAreaOf(covers);
    most += MAX_KNOWN;
  }
  return covers;
}

function leastAreaOf(covers: readonly Cover[]): number {
  const least = largestOf(covers).at(-1);
  return least ? areaOf(least) : 0;
}

function largestOf(covers: readonly Cover[]): readonly Cover[] {
  return covers.toSorted((a, b) => areaOf(b) - areaOf(a)).slice(0, MOST);
}

function isLeftOut(element: Element, ignored: ReadonlySet<Element>): boolean {
  const fading = fadingAway(document);
  for (let node: Element | null = element; node; node = flatParent(node))
    if (ignored.has(node) || fading.has(node)) return true;
  return false;
}

function hasOpaqueBackdrop(element: Element): boolean {
  return isInTopLayer(element) && isOpaque(getComputedStyle(element, '::backdrop'));
}

/** Maximum elements inside raised boxes to check, and maximum levels of a box. */
const MAX_SEARCHED = 2000;
const MAX_DEPTH = 3;
/** A box with more children is usually a list or a page, whose items are smaller than what they could cover. */
const MAX_CHILDREN = 12;

/** Returns elements in the flow of a raised box, such as the panel of a menu. They are painted with the box. */
function contentIn(box: Element): readonly Element[] {
  if (!isMovedOver(styleOf(box))) return NONE;
  const content: Element[] = [];
  let level: readonly Element[] = [box];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.flatMap((element) => {
      const children = childrenOf(element);
      return children.length > MAX_CHILDREN ? [] : children.filter((child) => !isRaisedBox(child));
    });
    content.push(...level);
  }
  return content;
}

/** Maximum levels from a box to the one that is placed over other content. */
const MAX_MOVER_LEVELS = 4;

/** Returns the closest box from `element` up that is placed over other content; the element itself if there is none. */
function moverOf(element: Element): Element {
  let node: Element | null = element;
  for (let level = 0; node && level < MAX_MOVER_LEVELS; level += 1) {
    if (isMovedOver(styleOf(node))) return node;
    node = flatParent(node);
  }
  return element;
}

/** `raised`: the raised box that contains the element, if that is in its flow. */
function coversOf(element: Element, raised?: Element): readonly Cover[] {
  const style = styleOf(element);
  const paints = mayPaintOpaquely(element, style);
  if (!paints && !isInTopLayer(element)) return NONE;
  const mover = raised ?? moverOf(element);
  const isFixed = styleOf(mover).position === 'fixed';
  const mayCover = paints && isMovedOver(styleOf(mover));
  if (!mayCover && !(isFixed && hasOpaqueBackdrop(element))) return NONE;
  if (!checkVisibility(element, { visibilityProperty: true })) return NONE;
  const layer = layerOf(element);
  if (!layer) return NONE;
  if (isFixed && hasOpaqueBackdrop(element)) return [{ element, layer, color: null, ...EVERYTHING }];
  if (style.clip !== 'auto' || !isSolid(element)) return NONE;
  const parts = opaquePartsOf(element, style).map((part) => shownPart(flatParent(element), style, part));
  return coversFrom({ element, layer, isFixed, color: colorOfBox(element) }, parts);
}

function colorOfBox(element: Element): Color | null {
  if (isReplaced(element)) return colorOfImage(element);
  if (element instanceof SVGSVGElement) return colorOfDrawing(element);
  const { color, isKnown } = paintOf(element);
  return isKnown && color[3] === 1 ? color : null;
}

/** Returns the opaque boxes of `::before` and `::after`, which may cover the element's own content. */
function generatedCoversOf(element: Element): readonly Cover[] {
  if (!elementsWithGeneratedBoxes(document).has(element) || !checkVisibility(element)) return NONE;
  const ownLayer = layerOf(element);
  const isPositioned = styleOf(element).position !== 'static';
  return PSEUDO_ELEMENTS.flatMap((part) => {
    const style = getComputedStyle(element, part);
    const { content, zIndex, position, visibility, backgroundColor, backgroundImage } = style;
    const isFixed = position === 'fixed';
    if (content === 'none' || content === 'normal' || !(isFixed || (position === 'absolute' && isPositioned)))
      return [];
    if (!isOpaque(style) || visibility !== 'visible' || !paintsFully(style) || !isHolderSolid(element)) return [];
    const outer = ownLayer && !ownLayer.isContext ? ownLayer.outer : ownLayer;
    const layer = {
      element,
      z: Number(zIndex) || 0,
      isContext: isFixed || zIndex !== 'auto',
      outer,
      depth: outer ? outer.depth + 1 : 0,
      isGenerated: true,
    };
    const color = backgroundImage === 'none' ? colorOf(backgroundColor) : null;
    const { sides, isExact } = generatedBounds(element, part, style);
    if (!isExact) return [];
    return coversFrom({ element, layer, isFixed, color }, [isFixed ? sides : shownPart(element, style, sides)]);
  });
}

const elementsWithGeneratedBoxes: (root: Document) => ReadonlySet<Element> = memoised(
  (root: Document) => new Set(notedRulesIn(root).boxed.flatMap(elementsInDocument)),
);

const PSEUDO_ELEMENTS = ['::before', '::after'] as const;

/**
 * Leaves out small boxes. On a page that can scroll, a fixed element counts only if it covers the viewport, because
 * content under a fixed bar can be scrolled into view.
 */
function coversFrom(
  { element, layer, isFixed, color }: Pick<Cover, 'element' | 'layer' | 'color'> & { readonly isFixed: boolean },
  parts: readonly Sides[],
): readonly Cover[] {
  const viewport = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  if (isFixed && canScroll(document))
    return parts.some((part) => holds(part, viewport)) ? [{ element, layer, color, ...EVERYTHING }] : NONE;
  const isLarge = ({ left, top, right, bottom }: Sides): boolean =>
    parts.length > 1
      ? Math.min(right - left, bottom - top) >= MIN_HEIGHT
      : right - left >= MIN_WIDTH && bottom - top >= MIN_HEIGHT;
  return parts.filter(isLarge).map((part) => ({ element, layer, color, ...part }));
}

const canScroll: (root: Document) => boolean = memoised((root: Document) => {
  const element = root.scrollingElement;
  if (!element) return false;
  return scrollHeightOf(element) > clientHeightOf(element) || scrollWidthOf(element) > clientWidthOf(element);
});

const NONE: readonly never[] = [];

/** True if the element may overlap others: it is positioned, transformed, placed in a grid, or has a negative margin. */
function isMovedOver(style: CSSStyleDeclaration): boolean {
  const { position, top, left, marginTop, marginRight, marginBottom, marginLeft, gridRowStart } = style;
  // Scrolling reveals what a sticky box covers.
  if (position === 'sticky') return false;
  if (position === 'absolute' || position === 'fixed' || gridRowStart !== 'auto') return true;
  if (isTransformed(style)) return true;
  if ([marginTop, marginRight, marginBottom, marginLeft].some((margin) => margin.startsWith('-'))) return true;
  return position === 'relative' && (Number.parseFloat(top) || Number.parseFloat(left) || 0) !== 0;
}

/** False if the element or an ancestor is partly transparent, blended, cut to a shape or rotated. */
function isSolid(element: Element): boolean {
  return paintsFully(styleOf(element)) && isHolderSolid(flatParent(element));
}

/** True if the element and its ancestors paint the boxes in it fully and without depth. */
function isHolderSolid(holder: Element | null): boolean {
  for (let node = holder; node; node = flatParent(node)) {
    const style = styleOf(node);
    if (style.transformStyle !== 'flat' || style.perspective !== 'none' || !paintsFully(style)) return false;
  }
  return true;
}

function paintsFully(style: CSSStyleDeclaration): boolean {
  const { opacity, filter, mixBlendMode, clipPath, maskImage } = style;
  if (Number(opacity) <= 1 - MIN_OPACITY || mixBlendMode !== 'normal' || !isStraight(style)) return false;
  if (clipPath !== 'none' && !STRAIGHT_CUT.test(clipPath) && !isUprightPolygon(clipPath)) return false;
  return COLOR_FILTERS.test(filter) && (maskImage === 'none' || coverageOf(style) === 'full');
}

/** Matches filters that change colors only. */
const COLOR_FILTERS =
  /^(?:none|(?:(?:brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\([^)]*\) ?|opacity\(1\) ?)+)$/;
const STRAIGHT_CUT = /^inset\([^r]*\)$/;

/** True if the transformed box has horizontal and vertical sides, and shows its front. */
function isStraight(style: CSSStyleDeclaration): boolean {
  if (!isTransformed(style)) return true;
  const { m11, m12, m13, m14, m21, m22, m23, m24, m33, m44 } = transformOf(style);
  const isUpright = areZero(m12, m21) || areZero(m11, m22);
  // With a hidden back, a box that is turned to the back is not painted.
  const isPainted = m44 > 0 && (m33 > 0 || style.backfaceVisibility === 'visible');
  return isUpright && isPainted && areZero(m13, m14, m23, m24);
}

function areZero(...parts: readonly number[]): boolean {
  return parts.every((part) => Math.abs(part) < ROUNDING);
}

/** Sines of right angles are not exactly 0. */
const ROUNDING = 1e-6;

/** Returns the part of a box that neither its own `clip-path` nor `holder` or an ancestor of that clips. */
function shownPart(holder: Element | null, style: CSSStyleDeclaration, box: Sides): Sides {
  const { clipPath } = style;
  let { left, top, right, bottom } = clipPath === 'none' ? box : intersectionOf(box, shapeBox(clipPath, box, 1));
  let { position } = style;
  for (let node = holder; node; node = flatParent(node)) {
    const around = styleOf(node);
    if (around.clipPath !== 'none')
      ({ left, top, right, bottom } = intersectionOf(
        { left, top, right, bottom },
        shapeBox(around.clipPath, boundsOf(node), 1),
      ));
    if (!isContainingBlock(around, position)) continue;
    ({ position } = around);
    if (around.overflowX === 'visible' || node instanceof HTMLHtmlElement || node instanceof HTMLBodyElement) continue;
    const ancestorBox = boundsOf(node);
    [left, top] = [Math.max(left, ancestorBox.left), Math.max(top, ancestorBox.top)];
    [right, bottom] = [Math.min(right, ancestorBox.right), Math.min(bottom, ancestorBox.bottom)];
  }
  return { left, top, right, bottom };
}

function isWhole({ left }: Sides): boolean {
  return left === -Infinity;
}

/**
 * True if scrolling cannot reveal the element: it scrolls together with the cover, or the cover hides its whole scroll
 * container.
 */
function staysUnder(element: Element, cover: Cover): boolean {
  const anchor = anchorOf(flatParent(cover.element));
  let own = anchorOf(element);
  while (own && own !== anchor) {
    if (!isScrolling(own) || !holds(cover, boundsOf(own))) return false;
    own = anchorOf(flatParent(own));
  }
  return own === anchor;
}

/** Returns the closest scrolling, fixed or sticky element, from `element` up; `null` for the page itself. */
function anchorOf(element: Element | null): Element | null {
  return element && anchorAt(element).anchor;
}

const anchorAt = memoised((element: Element): { anchor: Element | null } => {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { position } = styleOf(node);
    if (position === 'fixed' || position === 'sticky' || isScrolling(node)) return { anchor: node };
  }
  return { anchor: null };
});

function isScrolling(element: Element): boolean {
  if (element instanceof HTMLHtmlElement || element instanceof HTMLBodyElement) return false;
  if (!/auto|scroll/.test(styleOf(element).overflow)) return false;
  return scrollHeightOf(element) > clientHeightOf(element) || scrollWidthOf(element) > clientWidthOf(element);
}
