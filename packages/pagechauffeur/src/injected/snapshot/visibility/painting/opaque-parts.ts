import { boundsOf, getter } from '../../../native.ts';
import { areAlike, type Color, colorOf, paintedOver } from './color.ts';
import { hidesDifferences, listOf } from './erasing.ts';
import { grown, overlaps, ringOf, type Sides } from '../boxes/sides.ts';
import { colorOfDrawing } from './svg-text.ts';

/** In CSS pixels. Thinner borders, outlines and shadows cannot hide a line of text. */
const MIN_THICKNESS = 10;
/** In CSS pixels. Shadows with more blur do not count as opaque. */
const SHARPEST_BLUR = 2;

/** Returns the boxes that the element paints opaquely: the whole box, or only its border, outline and shadows. */
export function opaquePartsOf(element: Element, style: CSSStyleDeclaration): readonly Sides[] {
  const box = boundsOf(element);
  const edges = [outlineOf(box, style), ...shadowsOf(box, style)].flat();
  if (isOpaque(style) || isOpaqueImage(element, style) || colorOfDrawing(element))
    return [withoutCorners(box, style), ...edges];
  return [...borderOf(box, style), ...edges];
}

/** A cheap check before `opaquePartsOf`. */
export function mayPaintOpaquely(element: Element, style: CSSStyleDeclaration): boolean {
  return isReplaced(element) || element instanceof SVGSVGElement || isOpaque(style) || hasThickEdge(style);
}

/** True if the background hides what is behind the element. */
export function isOpaque(style: CSSStyleDeclaration): boolean {
  const { backgroundColor, backgroundClip, backdropFilter } = style;
  if (hidesDifferences(backdropFilter)) return true;
  return (colorOf(backgroundColor)[3] === 1 || isOpaqueGradient(style)) && !/text|content/.test(backgroundClip);
}

function isOpaqueGradient({ backgroundImage, backgroundSize }: CSSStyleDeclaration): boolean {
  const stops = FULL_SIZE.test(backgroundSize) ? stopsOf(backgroundImage) : NONE;
  return stops.length > 1 && stops.every((stop) => stop[3] === 1);
}

/** Matches sizes with which a gradient fills the whole box. */
const FULL_SIZE = /^(?:auto|cover|contain|100%(?: (?:auto|100%))?)$/;

/** Returns the color of gradients whose stops all look the same. `null` for other images. */
export function colorOfGradients({ backgroundImage, backgroundSize }: CSSStyleDeclaration): Color | null {
  if (listOf(backgroundSize).some((size) => !FULL_SIZE.test(size))) return null;
  let color: Color | null = [0, 0, 0, 0];
  for (const image of listOf(backgroundImage)
    .filter((layer) => layer !== 'none')
    .toReversed()) {
    const stops = stopsOf(image);
    const [first] = stops;
    color = color && first && areAlike(stops) ? paintedOver(first, color) : null;
  }
  return color;
}

/** Empty for images that are not gradients. */
function stopsOf(image: string): readonly Color[] {
  return gradient.test(image) ? (image.match(gradientColors) ?? []).map(colorOf) : NONE;
}

const gradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)$/;
const gradientColors = /(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)/g;

function hasThickEdge(style: CSSStyleDeclaration): boolean {
  const { boxShadow, outlineStyle, outlineWidth, borderTopWidth } = style;
  if (boxShadow !== 'none' || Number.parseFloat(borderTopWidth) >= MIN_THICKNESS) return true;
  return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= MIN_THICKNESS;
}

/** Returns the boxes of thick borders, outlines and shadows outside the box that are visible, whatever their color. */
export function edgesOf(style: CSSStyleDeclaration, measure: () => Sides): readonly Sides[] {
  const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth, outlineStyle, boxShadow } = style;
  const widths = [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].map(Number.parseFloat);
  const [top = 0, right = 0, bottom = 0, left = 0] = widths;
  const isOutlined = outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= MIN_THICKNESS;
  if (Math.max(...widths) < MIN_THICKNESS && !isOutlined && boxShadow === 'none') return NONE;
  const box = measure();
  const edges = [
    { ...sidesOf(box), bottom: box.top + top },
    { ...sidesOf(box), left: box.right - right },
    { ...sidesOf(box), top: box.bottom - bottom },
    { ...sidesOf(box), right: box.left + left },
  ];
  if (isOutlined)
    edges.push(
      ...ringOf(grown(box, Number.parseFloat(style.outlineOffset) + Number.parseFloat(style.outlineWidth)), box),
    );
  for (const [, color = '', x, y, , spread, inset] of boxShadow.matchAll(shadow))
    if (inset === undefined && colorOf(color)[3] >= MIN_SHADOW)
      edges.push(...ringOf(moved(grown(box, Number(spread)), Number(x), Number(y)), box));
  return edges.filter((edge) => Math.min(edge.right - edge.left, edge.bottom - edge.top) >= MIN_THICKNESS);
}

/** Returns how far outlines, shadows and border images are painted outside the box, in CSS pixels. */
export function reachOf(style: CSSStyleDeclaration): number {
  const { borderImageSource, boxShadow, outlineStyle, outlineWidth, outlineOffset } = style;
  let reach = borderImageSource === 'none' ? 0 : BORDER_IMAGE_REACH;
  if (outlineStyle !== 'none')
    reach = Math.max(reach, Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset));
  for (const [, , x, y, blur, spread, inset] of boxShadow.matchAll(shadow))
    if (inset === undefined)
      reach = Math.max(reach, Math.max(Math.abs(Number(x)), Math.abs(Number(y))) + Number(blur) + Number(spread));
  return reach;
}

/** Border images rarely reach further. */
const BORDER_IMAGE_REACH = 100;

/** Alpha of shadows that make text on them readable. */
const MIN_SHADOW = 0.5;

// The edges of a `DOMRect` are getters on the prototype, which a spread does not copy.
function sidesOf({ left, top, right, bottom }: Sides): Sides {
  return { left, top, right, bottom };
}

/** Returns no boxes unless all sides have the same thickness and opaque color. */
function borderOf(box: Sides, style: CSSStyleDeclaration): readonly Sides[] {
  const { borderTopWidth, borderTopColor, borderTopStyle } = style;
  const width = Number.parseFloat(borderTopWidth);
  const isAlike =
    [style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].every((one) => one === borderTopWidth) &&
    [style.borderRightColor, style.borderBottomColor, style.borderLeftColor].every((one) => one === borderTopColor);
  if (!isAlike || borderTopStyle !== 'solid' || width < MIN_THICKNESS || colorOf(borderTopColor)[3] < 1) return NONE;
  return ringOf(box, grown(box, -width));
}

function outlineOf(box: Sides, style: CSSStyleDeclaration): readonly Sides[] {
  const { outlineStyle, outlineColor, outlineWidth, outlineOffset } = style;
  const [width, offset] = [Number.parseFloat(outlineWidth), Number.parseFloat(outlineOffset)];
  if (outlineStyle !== 'solid' || width < MIN_THICKNESS || colorOf(outlineColor)[3] < 1) return NONE;
  return ringOf(grown(box, offset + width), grown(box, offset));
}

const shadow =
  /((?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px (-?[\d.]+)px( inset)?/g;

// An outer shadow is not painted inside the box.
function shadowsOf(box: Sides, { boxShadow }: CSSStyleDeclaration): readonly (readonly Sides[])[] {
  if (boxShadow === 'none') return NONE;
  return [...boxShadow.matchAll(shadow)].map(([, color = '', x, y, blur, spread, inset]) => {
    if (colorOf(color)[3] < 1 || Number(blur) > SHARPEST_BLUR) return NONE;
    const cast = moved(grown(box, inset === undefined ? Number(spread) : -Number(spread)), Number(x), Number(y));
    const ring = inset === undefined ? ringOf(cast, box) : ringOf(box, cast);
    return ring.filter(({ left, top, right, bottom }) => Math.min(right - left, bottom - top) >= MIN_THICKNESS);
  });
}

/**
 * Returns the color of an inset shadow that fills the whole box. `unknown`: another large inset shadow, which may be behind
 * text.
 */
export function fillingShadowOf(element: Element, { boxShadow }: CSSStyleDeclaration): Color | 'unknown' | null {
  const box = boundsOf(element);
  let isLarge = false;
  for (const [, color = '', x, y, blur, spread, inset] of boxShadow.matchAll(shadow)) {
    if (inset === undefined) continue;
    isLarge ||= [x, y, blur, spread].some((size) => Math.abs(Number(size)) >= MIN_THICKNESS);
    if (Number(blur) > SHARPEST_BLUR) continue;
    const hole = moved(grown(box, -Number(spread)), Number(x), Number(y));
    if (hole.left >= hole.right || hole.top >= hole.bottom || !overlaps(box, hole)) return colorOf(color);
  }
  return isLarge ? 'unknown' : null;
}

function moved({ left, top, right, bottom }: Sides, x: number, y: number): Sides {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

/** Shrinks the box until rounded corners cut nothing off. */
function withoutCorners(box: Sides, { borderRadius }: CSSStyleDeclaration): Sides {
  if (borderRadius === '0px') return box;
  const radii = borderRadius
    .split(/[ /]+/)
    .map((size) => Number.parseFloat(size) * (size.endsWith('%') ? (box.right - box.left) / 100 : 1));
  return grown(box, Math.max(...radii) * -0.3);
}

const NONE: readonly never[] = [];

/** In pixels. Images are scaled down to this size to check for transparent pixels. */
const SAMPLE_SIDE = 8;
/** Values of `object-fit` with which an image may not fill its box. */
const LOOSE_FIT = /contain|none|scale-down/;

const contentDocumentOf = getter<HTMLIFrameElement, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
const knownBySource = new Map<string, Pixels>();
const MAX_KNOWN = 200;

/** True if the content is an image, a canvas or another document. */
export function isReplaced(element: Element): boolean {
  return (
    element instanceof HTMLImageElement || element instanceof HTMLCanvasElement || element instanceof HTMLIFrameElement
  );
}

/** What is known about the pixels of an image. `color`: if all pixels have the same. */
interface Pixels {
  readonly isOpaque: boolean;
  readonly color: Color | null;
}

const UNKNOWN: Pixels = { isOpaque: false, color: null };

/**
 * True if the content is known to be opaque: an image or canvas without transparent pixels, or a same-origin frame with
 * a background.
 */
export function isOpaqueImage(element: Element, { objectFit }: CSSStyleDeclaration): boolean {
  if (element instanceof HTMLImageElement && LOOSE_FIT.test(objectFit)) return false;
  return pixelsOf(element).isOpaque;
}

/** Returns the color of an opaque image, canvas or frame that shows only one. */
export function colorOfImage(element: Element): Color | null {
  const pixels = pixelsOf(element);
  return pixels.isOpaque ? pixels.color : null;
}

function pixelsOf(element: Element): Pixels {
  if (element instanceof HTMLIFrameElement) return pixelsOfDocument(contentDocumentOf(element));
  if (element instanceof HTMLCanvasElement) return drawnPixels(element);
  if (!(element instanceof HTMLImageElement) || !element.complete) return UNKNOWN;
  const source = element.currentSrc;
  const known = knownBySource.get(source) ?? drawnPixels(element);
  if (knownBySource.size < MAX_KNOWN) knownBySource.set(source, known);
  return known;
}

function pixelsOfDocument(inner: Document | null): Pixels {
  for (const element of [inner?.body, inner?.documentElement]) {
    const color = element ? colorOf(getComputedStyle(element).backgroundColor) : null;
    if (color?.[3] === 1) return { isOpaque: true, color: inner?.body?.childElementCount === 0 ? color : null };
  }
  return UNKNOWN;
}

// The pixels of a cross-origin image cannot be read, so it does not count as opaque.
function drawnPixels(picture: HTMLImageElement | HTMLCanvasElement): Pixels {
  if (picture.width === 0 || picture.height === 0) return UNKNOWN;
  const canvas = new OffscreenCanvas(SAMPLE_SIDE, SAMPLE_SIDE).getContext('2d', { willReadFrequently: true });
  if (!canvas) return UNKNOWN;
  try {
    canvas.drawImage(picture, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    const { data } = canvas.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    const pixels: Color[] = [];
    for (let index = 0; index < data.length; index += 4)
      pixels.push([data[index] ?? 0, data[index + 1] ?? 0, data[index + 2] ?? 0, (data[index + 3] ?? 0) / 255]);
    return {
      isOpaque: pixels.every(([, , , alpha]) => alpha === 1),
      color: areAlike(pixels) ? (pixels[0] ?? null) : null,
    };
  } catch (error) {
    if (error instanceof DOMException) return UNKNOWN;
    throw error;
  }
}
