import { flatParent } from '../../../tree/composed-tree.ts';
import { isNearlyTransparent, MIN_FONT_SIZE, MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { measured } from '../../../dependencies.ts';
import { memoised } from '../../../memo.ts';
import { newRange } from '../../../native-document.ts';
import { isMaskedStyle } from '../../../aria/masked-text.ts';
import { colorBehind, paintOf, seenColors } from './background.ts';
import { areAlike, type Color, colorOf, lacksContrastOn, paintedOver } from './color.ts';
import { elementsInDocument } from '../../../tree/document-queries.ts';
import { notedRulesIn } from '../../../styles/noted-rules.ts';
import { firstElementOf, queryAll } from '../../../native.ts';
import { referencedBy } from '../boxes/referenced-shapes.ts';
import { colorOfGradients } from './opaque-parts.ts';
import { isLostOnBackground } from './painted-behind.ts';
import { isIndentedFar } from '../boxes/text-indent.ts';

/** In CSS pixels. Shadows with a larger offset or blur do not make text readable. */
const NEAR = 60;
const shadows = /(\w+\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g;

/** `doubtful`: text looks like the background of its ancestors, so only something in between can make it readable. */
export type Legibility = 'readable' | 'doubtful' | 'unreadable';

/** `behind`: the color behind the text, if a pseudo-element paints another one. */
export function legibilityOf(
  element: Element,
  style: CSSStyleDeclaration,
  behind: Color = colorBehind(element),
): Legibility {
  // The font size of a drawing is in its own units.
  if (element instanceof SVGElement) return legibilityOfSvg(element, style, behind);
  if (drawnSizeOf(style) < MIN_FONT_SIZE || isMaskedStyle(style)) return 'unreadable';
  const color = visibleColorOf(style);
  // Transparent text may show the background of an ancestor (`background-clip: text`).
  if (isNearlyTransparent(color))
    return isOutlined(element, style, behind) || isCutOutOfBackground(element) ? 'readable' : 'unreadable';
  const seen = seenColors(element, colorOf(color), behind);
  if (!seen || !lacksContrastOn(seen.text, seen.behind) || isOutlined(element, style, behind)) return 'readable';
  return 'doubtful';
}

/** A stroke of this width, as a fraction of the font size, covers the letters. It is painted over them by default. */
const COVERING_STROKE = 0.3;

function visibleColorOf(style: CSSStyleDeclaration): string {
  const { webkitTextFillColor, webkitTextStrokeWidth, webkitTextStrokeColor, fontSize } = style;
  const isThick = Number.parseFloat(webkitTextStrokeWidth) >= COVERING_STROKE * Number.parseFloat(fontSize);
  const isOver = isThick && !style.paintOrder.startsWith('stroke') && colorOf(webkitTextStrokeColor)[3] === 1;
  return isOver ? webkitTextStrokeColor : webkitTextFillColor;
}

/** Height of an "x" in most fonts, as a fraction of the font size. */
const X_HEIGHT = 0.5;

/** Returns the font size in CSS pixels. `font-size-adjust` sets the height of small letters as a fraction of it. */
function drawnSizeOf({ fontSize, fontSizeAdjust, fontFamily }: CSSStyleDeclaration): number {
  const shrunk = shrunkFonts(document);
  const share = shrunk.size === 0 ? 1 : (shrunk.get(firstFamilyIn(fontFamily)) ?? 1);
  const size = Number.parseFloat(fontSize) * share;
  if (fontSizeAdjust === 'none') return size;
  const height = Number(/[\d.]+(?:e-?\d+)?$/.exec(fontSizeAdjust)?.[0] ?? X_HEIGHT);
  return (size * height) / X_HEIGHT;
}

/** Loaded fonts whose `size-adjust` makes them smaller, with their share of the font size. */
const shrunkFonts: (root: Document) => ReadonlyMap<string, number> = memoised((root: Document) => {
  const shares = new Map<string, number>();
  for (const font of root.fonts) {
    // The types of the DOM lack this property.
    const share = Number.parseFloat(String(Reflect.get(font, 'sizeAdjust'))) / 100;
    if (share < 1 && font.status === 'loaded') shares.set(withoutQuotes(font.family), share);
  }
  return shares;
});

function firstFamilyIn(families: string): string {
  return withoutQuotes(families.split(',', 1)[0] ?? '');
}

function withoutQuotes(family: string): string {
  return family.replaceAll('"', '');
}

/** True if people can read text with this style in the element. `legibility`: that of the style. */
export function isReadable(element: Element, style: CSSStyleDeclaration, legibility: Legibility): boolean {
  if (legibility !== 'doubtful') return legibility === 'readable';
  return !measured(
    element,
    isLostOnBackground,
    element instanceof SVGElement ? plainPaintOf(element, visiblePaintOf(style)) : visibleColorOf(style),
  );
}

/** True if people can read the text directly in the element. `style` and `legibility` may be shared with others. */
export function isOwnTextReadable(element: Element, style: CSSStyleDeclaration, legibility: Legibility): boolean {
  const line = firstLineStyleOf(element);
  if (!line) return isReadable(element, style, legibility);
  const own = colorOf(line.backgroundColor);
  const behind = colorBehind(element);
  return isReadable(element, line, legibilityOf(element, line, own[3] > 0 ? paintedOver(own, behind) : behind));
}

/** Returns the style for the first line of the element's block, if that is its only line. */
function firstLineStyleOf(element: Element): CSSStyleDeclaration | null {
  const blocks = firstLineBlocks(document);
  if (blocks.size === 0) return null;
  let block: Element | null = element;
  while (block && !blocks.has(block)) block = flatParent(block);
  return block && measured(block, hasOneLine) ? getComputedStyle(block, '::first-line') : null;
}

const firstLineBlocks: (root: Document) => ReadonlySet<Element> = memoised(
  (root: Document) => new Set(notedRulesIn(root).firstLines.flatMap(elementsInDocument)),
);

function hasOneLine(block: Element): boolean {
  const range = newRange();
  range.selectNodeContents(block);
  const tops = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
  return tops.size === 1;
}

/** SVG text is painted with `fill` and `stroke`. */
function legibilityOfSvg(element: SVGElement, style: CSSStyleDeclaration, behind: Color): Legibility {
  const { stroke, strokeOpacity, strokeWidth } = style;
  const isStroked = Number.parseFloat(strokeWidth) > 0 && Number(strokeOpacity) >= MIN_OPACITY;
  const stroked = isStroked ? paintLegibility(element, stroke, behind) : 'unreadable';
  const filled = Number(style.fillOpacity) < MIN_OPACITY ? 'unreadable' : paintLegibility(element, style.fill, behind);
  if (isStroked && visiblePaintOf(style) === stroke) return stroked;
  return [filled, stroked].includes('readable') ? 'readable' : filled === 'unreadable' ? stroked : filled;
}

/** Returns the stroke if it covers the letters, otherwise the fill. */
function visiblePaintOf({ fill, stroke, strokeWidth, fontSize, paintOrder }: CSSStyleDeclaration): string {
  if (stroke === 'none' || stroke.startsWith('url(') || paintOrder.startsWith('stroke')) return fill;
  const isThick = Number.parseFloat(strokeWidth) >= COVERING_STROKE * Number.parseFloat(fontSize);
  return isThick && colorOf(stroke)[3] === 1 ? stroke : fill;
}

/** A paint is a color, or a gradient or pattern by reference with an optional fallback. */
function paintLegibility(element: SVGElement, paint: string, behind: Color): Legibility {
  const plain = plainPaintOf(element, paint);
  const server = plain.startsWith('url(') ? referencedBy(element, plain) : null;
  if (server) return paintsNothing(server) ? 'unreadable' : 'readable';
  const color = plain.replace(/^url\([^)]*\) ?/, '');
  if (color === 'none' || color === '' || isNearlyTransparent(color)) return 'unreadable';
  const seen = seenColors(element, colorOf(color), behind);
  return seen && lacksContrastOn(seen.text, seen.behind) ? 'doubtful' : 'readable';
}

/** Returns the color of a gradient whose stops all look the same, and other paints as they are. */
function plainPaintOf(element: SVGElement, paint: string): string {
  const server = paint.startsWith('url(') ? referencedBy(element, paint) : null;
  const styles = server instanceof SVGGradientElement ? queryAll(server, 'stop').map(styleOf) : [];
  const [first] = styles;
  const isPlain = first && styles.every(({ stopOpacity }) => stopOpacity === '1');
  return isPlain && areAlike(styles.map(({ stopColor }) => colorOf(stopColor))) ? first.stopColor : paint;
}

/** True for a gradient without a visible color. It may take its stops from another one. */
function paintsNothing(server: Element): boolean {
  if (!(server instanceof SVGGradientElement)) return false;
  if (server.href.baseVal !== '' && firstElementOf(server) === null) return false;
  return queryAll(server, 'stop').every((stop) => {
    const { stopOpacity, stopColor } = styleOf(stop);
    return Number(stopOpacity) * colorOf(stopColor)[3] < MIN_OPACITY;
  });
}

/** True if an outline or a shadow makes the text visible. */
function isOutlined(element: Element, style: CSSStyleDeclaration, behind: Color): boolean {
  const { textShadow, webkitTextStrokeWidth, webkitTextStrokeColor } = style;
  const isSeen = (color: string): boolean => !isNearlyTransparent(color) && !lacksContrastOn(colorOf(color), behind);
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
    const image = backgroundImage === 'none' ? null : colorOfGradients(styleOf(node));
    if (!parent || (backgroundImage !== 'none' && !image)) return true;
    const own = colorOf(backgroundColor);
    return !lacksContrastOn(image ? paintedOver(image, own) : own, colorBehind(parent));
  }
  return false;
}

/** False if the text is transparent, tiny, moved out of the field, or has the color of the field. */
export function drawsFieldText(field: Element, text: 'value' | 'placeholder'): boolean {
  const own = styleOf(field);
  if (isIndentedFar(own)) return false;
  const style = text === 'value' ? own : getComputedStyle(field, '::placeholder');
  const { webkitTextFillColor } = style;
  if (isNearlyTransparent(webkitTextFillColor) || drawnSizeOf(style) < MIN_FONT_SIZE) return false;
  if (text === 'placeholder' && isPlaceholderHidden(style)) return false;
  const { color, isKnown } = paintOf(field);
  return !isKnown || color[3] < 1 || !lacksContrastOn(colorOf(webkitTextFillColor), color);
}

// The browser sets `display: none` while the field has a value. The placeholder still tells what the field is for.
function isPlaceholderHidden({ visibility, opacity }: CSSStyleDeclaration): boolean {
  return visibility !== 'visible' || Number(opacity) < MIN_OPACITY;
}
