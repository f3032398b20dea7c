import { flatParent } from '../../composed-tree.ts';
import { styleOf } from '../../computed-style.ts';
import { boundsOf, queryAll } from '../../native.ts';
import { colorBehind, isInvertedOnBackground, isNothingBetween } from './background.ts';
import { type Color, colorOf, inverted, lacksContrastOn } from './color.ts';
import { isNearlyTransparent, MIN_FONT_SIZE, MIN_OPACITY } from './opacity.ts';
import { overlaps } from './sides.ts';

/** In CSS pixels. Shadows with a larger offset or blur do not make text readable. */
const NEAR = 20;
const shadows = /(\w+\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g;

/**
 * False if the element's text is too small, or is known to look like its background. `behind`: the color behind the
 * text, if a pseudo-element paints another one.
 */
export function drawsText(element: Element, style: CSSStyleDeclaration, behind = colorBehind(element)): boolean {
  if (Number.parseFloat(style.fontSize) < MIN_FONT_SIZE) return false;
  if (element instanceof SVGElement) return drawsSvgText(element, style, behind);
  const { webkitTextFillColor } = style;
  // Transparent text may show the background of an ancestor (`background-clip: text`).
  if (isNearlyTransparent(webkitTextFillColor)) return isOutlined(element, style) || isCutOutOfBackground(element);
  const color = colorOf(webkitTextFillColor);
  // Filters matter only if the color or its inversion matches the background.
  const mayBeInverted = lacksContrastOn(color, behind) || lacksContrastOn(inverted(color), behind);
  if (!lacksContrastOn(mayBeInverted && isInvertedOnBackground(element) ? inverted(color) : color, behind)) return true;
  return isOutlined(element, style) || !isNothingBetween(element);
}

/** SVG text is painted with `fill` and `stroke`, often on a shape such as the bar of a chart. */
function drawsSvgText(element: SVGElement, style: CSSStyleDeclaration, behind: Color): boolean {
  const { fill, fillOpacity, stroke } = style;
  if (stroke !== 'none') return true;
  if (fill === 'none' || Number(fillOpacity) < MIN_OPACITY || isNearlyTransparent(fill)) return false;
  if (fill.startsWith('url(') || !lacksContrastOn(colorOf(fill), behind)) return true;
  return isInvertedOnBackground(element) || isOnShape(element) || !isNothingBetween(element);
}

const SHAPES = 'rect, path, circle, ellipse, polygon, image, use, foreignObject';

function isOnShape(text: SVGElement): boolean {
  const box = boundsOf(text);
  const drawing = text.ownerSVGElement;
  return drawing !== null && queryAll(drawing, SHAPES).some((shape) => overlaps(boundsOf(shape), box));
}

/** True if an outline or a shadow makes the text visible. */
function isOutlined(element: Element, style: CSSStyleDeclaration): boolean {
  const { textShadow, webkitTextStrokeWidth, webkitTextStrokeColor } = style;
  const isSeen = (color: string): boolean =>
    !isNearlyTransparent(color) && !lacksContrastOn(colorOf(color), colorBehind(element));
  if (Number.parseFloat(webkitTextStrokeWidth) > 0 && isSeen(webkitTextStrokeColor)) return true;
  return [...textShadow.matchAll(shadows)].some(
    ([, color = '', ...sizes]) => sizes.every((size) => Math.abs(Number(size)) <= NEAR) && isSeen(color),
  );
}

/**
 * True if transparent text shows an ancestor's background (`background-clip: text`) that differs from what is behind
 * it.
 */
function isCutOutOfBackground(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { backgroundClip, backgroundColor, backgroundImage } = styleOf(node);
    if (!backgroundClip.includes('text')) continue;
    const parent = flatParent(node);
    return backgroundImage !== 'none' || !parent || !lacksContrastOn(colorOf(backgroundColor), colorBehind(parent));
  }
  return false;
}

/** False if the text is transparent. */
export function drawsFieldText(field: Element, text: 'value' | 'placeholder'): boolean {
  const { webkitTextFillColor } = text === 'value' ? styleOf(field) : getComputedStyle(field, '::placeholder');
  return !isNearlyTransparent(webkitTextFillColor);
}
