import { attributeOf, childrenOf, localNameOf, queryAll } from '../../../native.ts';
import { isNearlyTransparent, MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { referencedBy } from '../boxes/referenced-shapes.ts';
import { type Color, colorOf, filtered, lacksContrastOn } from './color.ts';

/** In CSS pixels. More blur makes ordinary text unreadable. */
const MAX_BLUR = 10;

/** True if a filter, a mask or a `clip-path` by reference leaves nothing readable of the element, whatever it contains. */
export function isErased(element: Element, style: CSSStyleDeclaration): boolean {
  const { filter, clipPath, maskImage } = style;
  if (
    filter !== 'none' &&
    (opacityOfFilter(filter) < MIN_OPACITY || isBlurred(filter) || isErasedByFilter(element, filter))
  )
    return true;
  if (maskImage !== 'none' && (coverageOf(style) === 'empty' || isErasedByMask(element, maskImage))) return true;
  const clip = clipPath === 'none' ? null : referencedBy(element, clipPath);
  return clip !== null && localNameOf(clip) === 'clipPath' && childrenOf(clip).length === 0;
}

const [BLACK, WHITE]: readonly [Color, Color] = [
  [0, 0, 0, 1],
  [255, 255, 255, 1],
];

/** Returns a number from 0 to 1. */
export function opacityOfFilter(filter: string): number {
  return filter === 'none' ? 1 : filtered(WHITE, filter)[3];
}

function isBlurred(filter: string): boolean {
  return Number(/\bblur\(([\d.]+)px\)/.exec(filter)?.[1] ?? 0) >= MAX_BLUR;
}

/** True if nothing can be read through the filter: it blurs text, or makes black and white look the same. */
export function hidesDifferences(filter: string): boolean {
  return filter !== 'none' && (isBlurred(filter) || lacksContrastOn(filtered(BLACK, filter), filtered(WHITE, filter)));
}

/** True if the last primitive of an SVG filter paints nothing of its input. */
function isErasedByFilter(element: Element, filter: string): boolean {
  const last = referencedBy(element, filter)?.lastElementChild;
  return last ? (ERASING[localNameOf(last)]?.(last) ?? false) : false;
}

/** In CSS pixels. An offset of this size moves the text out of the filter region. */
const FAR_OFFSET = 1000;
/** In CSS pixels. Letters of ordinary text are thinner than twice this radius. */
const ERODED = 3;

/** Filter primitives that may erase their input. */
const ERASING: Readonly<Record<string, (primitive: Element) => boolean>> = {
  feFlood: () => true,
  feImage: () => true,
  feTurbulence: () => true,
  // The last row of the matrix computes the alpha channel.
  feColorMatrix: (matrix) => numbersOf(matrix, 'values').length === 20 && isZero(numbersOf(matrix, 'values').slice(15)),
  feComponentTransfer: (transfer) =>
    childrenOf(transfer).some(
      (change) => localNameOf(change) === 'feFuncA' && hasType(change) && isZero(alphaParametersOf(change)),
    ),
  feMorphology: (morphology) =>
    attributeOf(morphology, 'operator') !== 'dilate' &&
    numbersOf(morphology, 'radius').every((radius) => radius >= ERODED),
  feOffset: (offset) =>
    [...numbersOf(offset, 'dx'), ...numbersOf(offset, 'dy')].some((by) => Math.abs(by) >= FAR_OFFSET),
};

function hasType(transfer: Element): boolean {
  return /^(?:linear|table|discrete)$/.test(attributeOf(transfer, 'type') ?? '');
}

function alphaParametersOf(transfer: Element): readonly number[] {
  if (attributeOf(transfer, 'type') !== 'linear') return numbersOf(transfer, 'tableValues');
  const [slope = 1] = numbersOf(transfer, 'slope');
  return [slope, ...numbersOf(transfer, 'intercept')];
}

function numbersOf(element: Element, name: string): readonly number[] {
  return ((attributeOf(element, name) ?? '').match(/-?[\d.]+(?:e-?\d+)?/gi) ?? []).map(Number);
}

function isZero(numbers: readonly number[]): boolean {
  return numbers.length > 0 && numbers.every((number) => number === 0);
}

/** What a mask leaves of the element. `part`: a part, or unknown. */
type Coverage = 'empty' | 'full' | 'part';

/** How layers of a mask combine, by `mask-composite` of the upper one. */
const COMPOSITES: Readonly<Record<string, (upper: Coverage, lower: Coverage) => Coverage>> = {
  add: (upper, lower) => (upper === 'full' || lower === 'full' ? 'full' : upper === lower ? upper : 'part'),
  intersect: (upper, lower) => (upper === 'empty' || lower === 'empty' ? 'empty' : upper === lower ? upper : 'part'),
  subtract: (upper, lower) => (upper === 'empty' || lower === 'full' ? 'empty' : lower === 'empty' ? upper : 'part'),
  exclude: (upper, lower) => {
    if (upper === 'empty') return lower;
    if (lower === 'empty') return upper;
    return upper === 'full' && lower === 'full' ? 'empty' : 'part';
  },
};

export function coverageOf(style: CSSStyleDeclaration): Coverage {
  const images = listOf(style.maskImage);
  const [modes, sizes, clips, composites] = [style.maskMode, style.maskSize, style.maskClip, style.maskComposite].map(
    (value) => listOf(value),
  );
  const layers = images.map((image, index) =>
    layerCoverage({ image, mode: nth(modes, index), size: nth(sizes, index), clip: nth(clips, index) }),
  );
  let coverage = layers.at(-1) ?? 'full';
  for (let index = layers.length - 2; index >= 0; index -= 1)
    coverage = COMPOSITES[nth(composites, index)]?.(layers[index] ?? 'part', coverage) ?? 'part';
  return coverage;
}

interface MaskLayer {
  readonly image: string;
  readonly mode: string;
  readonly size: string;
  readonly clip: string;
}

function layerCoverage({ image, mode, size, clip }: MaskLayer): Coverage {
  if (/^0(?:px|%)|(?:^| )0(?:px|%)$/.test(size)) return 'empty';
  if (image === 'none' || image.startsWith('url(')) return image === 'none' ? 'empty' : 'part';
  const stops = image.match(colors) ?? [];
  if (stops.length === 0) return 'part';
  if (stops.every((stop) => isNearlyTransparent(stop) || (mode === 'luminance' && isBlack(colorOf(stop)))))
    return 'empty';
  const isWhole = stops.every((stop) => colorOf(stop)[3] === 1) && size === 'auto' && mode !== 'luminance';
  return isWhole && /border-box|no-clip/.test(clip) ? 'full' : 'part';
}

const colors = /\b(?:rgba?|color|oklab|oklch|lab|lch)\([^)]*\)/g;

function isBlack([red, green, blue, alpha]: Color): boolean {
  return Math.max(red, green, blue) * alpha <= 255 * MIN_OPACITY;
}

const ONE_REFERENCE = /^url\("#[^"]+"\)$/;

/** True if the shapes of an SVG `<mask>` are black or transparent. */
function isErasedByMask(element: Element, maskImage: string): boolean {
  const mask = referencedBy(element, maskImage);
  // A missing mask hides an element of HTML. Drawings ignore it.
  if (!mask) return element instanceof HTMLElement && ONE_REFERENCE.test(maskImage);
  if (localNameOf(mask) !== 'mask') return false;
  return queryAll(mask, '*').every((shape) => {
    const { fill, stroke } = styleOf(shape);
    return !['image', 'use', 'foreignObject'].includes(localNameOf(shape)) && isDark(fill) && isDark(stroke);
  });
}

function isDark(paint: string): boolean {
  return paint === 'none' || (!paint.startsWith('url(') && isBlack(colorOf(paint)));
}

/** Splits a computed value at commas outside parentheses. */
export function listOf(value: string): readonly string[] {
  return value.match(/(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+/g)?.map((part) => part.trim()) ?? [];
}

/** Shorter lists of layer properties repeat. */
function nth(values: readonly string[] | undefined, index: number): string {
  return values && values.length > 0 ? (values[index % values.length] ?? '') : '';
}
