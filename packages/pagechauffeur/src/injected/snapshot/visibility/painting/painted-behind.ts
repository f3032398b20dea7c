import { mayHaveGeneratedText, generatesImage } from '../../../aria/generated-text.ts';
import { flatParent, isInside, shadowRootOf } from '../../../tree/composed-tree.ts';
import { MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { memoised } from '../../../memo.ts';
import { boundsOf, checkVisibility, documentElementOf, elementsBelow, localNameOf } from '../../../native.ts';
import { newRange, treeScopeOf } from '../../../native-document.ts';
import { behindDocument, isBrokenBy, paintOf, type Paint, seenColors } from './background.ts';
import { clipsAll } from '../boxes/clip-area.ts';
import { type Color, colorOf, lacksContrastOn, paintedOver } from './color.ts';
import { isErased } from './erasing.ts';
import { edgesOf, isReplaced, reachOf } from './opaque-parts.ts';
import { isInTopLayer } from '../boxes/stacking.ts';
import { grown, holds, overlaps, type Sides, intersectionOf } from '../boxes/sides.ts';
import { shownAreaIn } from '../boxes/clipped-content.ts';
import { generatedBounds } from '../boxes/generated-bounds.ts';

/** Elements to search for something behind a text. In larger parts of a page, the layout decides. */
const MAX_SEARCHED = 3000;
const LAYERED = /grid|flex/;

/**
 * True if nothing between text of this color in the element and the background of an ancestor makes the text readable.
 * Expects text that looks like this background. When in doubt, the text counts as readable.
 */
export function isLostOnBackground(element: Element, color: string): boolean {
  const text = textBoxOf(element);
  const ground = groundOf(element, text);
  if (!ground) return false;
  const { scope, color: behind, isLayered, isBlended } = ground;
  const own = colorOf(color);
  const seen = seenColors(element, own, behind);
  if (!seen || !lacksContrastOn(seen.text, seen.behind)) return false;
  // Boxes in a shadow tree may be behind text that a slot shows.
  const isHost = shadowRootOf(element) !== null;
  const root = isLayered || isBlended ? documentElementOf(document) : null;
  const boxes = boxesIn(root ?? scope);
  if (!boxes) return !isLayered;
  const painted = boxes.flatMap(({ element: other, box }) =>
    overlaps(box, text) || mayHaveGeneratedText(other) ? paintedBy(other) : [],
  );
  return painted.every(
    ({ element: other, box, paint, isBackground, isRaised, isInFlow }) =>
      !overlaps(box, text) ||
      (isInFlow === true && isInFlowOf(element, other)) ||
      (isBackground && isInside(element, other)) ||
      (other !== element && !isHost && isInside(other, element)) ||
      (!isRaised && !isBlended && root !== null && !isInside(other, scope)) ||
      (!isBlended && paint.isKnown && lacksContrastOn(own, paintedOver(paint.color, behind))),
  );
}

/** Text of `::before` and text in a slot have no box that can be measured. A box around them stands for it. */
function textBoxOf(element: Element): Sides {
  const range = newRange();
  range.selectNodeContents(element);
  let box = range.getBoundingClientRect();
  for (let node: Element | null = element; node && box.width === 0; node = flatParent(node)) box = boundsOf(node);
  return box;
}

interface Ground {
  /** The ancestor that paints the background. */
  readonly scope: Element;
  readonly color: Color;
  /** True if boxes next to an ancestor may be painted behind the text. */
  readonly isLayered: boolean;
  /** True if the text blends with what is behind it. */
  readonly isBlended: boolean;
}

/** Finds the opaque background of an ancestor behind the text. Returns `null` if an image is behind it, for example. */
function groundOf(element: Element, text: Sides): Ground | null {
  const layers: Color[] = [];
  const { color: canvas, isKnown } = behindDocument(document);
  let [isLayered, isBlended] = [false, false];
  const found = (scope: Element, color: Color): Ground => ({
    scope,
    color: layers.toReversed().reduce((below, layer) => paintedOver(layer, below), color),
    isLayered,
    isBlended,
  });
  let inner = element;
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { position, display, transform, mixBlendMode, backdropFilter, borderImageSource } = styleOf(node);
    const { color, isKnown: isPaintKnown } = paintOf(node);
    if (!isPaintKnown || backdropFilter !== 'none' || borderImageSource !== 'none') return null;
    const isBroken = node !== inner && isBrokenBy(inner, node);
    inner = node;
    const isBehind = color[3] > 0 && !isBroken && (isOfCanvas(node) || holds(boundsOf(node), text));
    isBlended ||= mixBlendMode !== 'normal';
    if (isBehind && color[3] === 1) {
      isBlended ||= isBlendedAbove(node);
      return found(node, color);
    }
    if (isBehind) layers.push(color);
    if (position === 'fixed' && hasBackdrop(node)) return null;
    isLayered ||= position !== 'static' || transform !== 'none' || LAYERED.test(display);
  }
  const root = documentElementOf(document);
  return root && isKnown ? found(root, canvas) : null;
}

function isBlendedAbove(element: Element): boolean {
  for (let node = flatParent(element); node; node = flatParent(node))
    if (styleOf(node).mixBlendMode !== 'normal') return true;
  return false;
}

function hasBackdrop(element: Element): boolean {
  if (!isInTopLayer(element)) return false;
  const { backgroundColor, backgroundImage } = getComputedStyle(element, '::backdrop');
  return colorOf(backgroundColor)[3] >= MIN_OPACITY || backgroundImage !== 'none';
}

/** True if the background also fills the page around the element. */
export function isOfCanvas(element: Element): boolean {
  if (element instanceof HTMLHtmlElement) return true;
  const root = element instanceof HTMLBodyElement ? documentElementOf(document) : null;
  return root !== null && paintOf(root).color[3] === 0 && paintOf(root).isKnown;
}

interface Painted {
  readonly element: Element;
  readonly box: Sides;
  readonly paint: Paint;
  /** False for edges and generated boxes, which may also be behind text of descendants. */
  readonly isBackground: boolean;
  readonly isRaised: boolean;
  /** True for a generated box that is beside the content of the element. */
  readonly isInFlow?: boolean;
}

/** In CSS pixels. Outlines and shadows reach no further than this outside a box. */
const REACH = 400;

/** Returns the elements in the scope with all that they may paint. `null` if there are too many to search. */
const boxesIn: (scope: Element) => readonly { readonly element: Element; readonly box: Sides }[] | null = memoised(
  (scope: Element) => {
    const elements = withShadowTrees(scope);
    return elements && elements.map((element) => ({ element, box: grown(boundsOf(element), REACH) }));
  },
);

/** Returns the element and its descendants, also in shadow trees. */
function withShadowTrees(scope: Element): readonly Element[] | null {
  const elements = [scope];
  const waiting: ParentNode[] = [scope];
  for (let root = waiting.pop(); root; root = waiting.pop()) {
    const below = elementsBelow(root);
    if (elements.length + below.length > MAX_SEARCHED) return null;
    if (root instanceof Element) waiting.push(...rootsOf(root));
    for (let index = 0; index < below.length; index += 1) {
      const element = below[index];
      if (!element) continue;
      elements.push(element);
      waiting.push(...rootsOf(element));
    }
  }
  return elements;
}

function rootsOf(host: Element): readonly ShadowRoot[] {
  const root = shadowRootOf(host);
  return root ? [root] : [];
}

const paintedBy: (element: Element) => readonly Painted[] = memoised((element: Element) => {
  if (!checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) return [];
  const style = styleOf(element);
  if (isErased(element, style) || (style.clipPath !== 'none' && clipsAll(style.clipPath))) return [];
  const isRaised = style.position !== 'static' || style.transform !== 'none' || style.zIndex !== 'auto';
  const paint = paintsMore(element, style) ? UNKNOWN : paintOf(element);
  const painted: Painted[] = generatedBy(element);
  if (!paint.isKnown || paint.color[3] >= MIN_OPACITY)
    painted.push({ element, box: boundsOf(element), paint, isBackground: true, isRaised });
  for (const box of edgesOf(style, () => boundsOf(element)))
    painted.push({ element, box, paint: UNKNOWN, isBackground: false, isRaised });
  return painted;
});

const UNKNOWN: Paint = { color: [0, 0, 0, 0], isKnown: false };

const SHAPES: ReadonlySet<string> = new Set(
  'circle ellipse foreignObject image line path polygon polyline rect use'.split(' '),
);

/** True for images, shapes, and boxes that change what is behind them. */
function paintsMore(element: Element, { backdropFilter, borderImageSource }: CSSStyleDeclaration): boolean {
  if (element instanceof SVGElement) return SHAPES.has(localNameOf(element));
  if (isReplaced(element) || element instanceof HTMLVideoElement || element instanceof HTMLObjectElement) return true;
  return backdropFilter !== 'none' || borderImageSource !== 'none';
}

function generatedBy(element: Element): Painted[] {
  if (treeScopeOf(element) === document && shadowRootOf(element) === null && !mayHaveGeneratedText(element)) return [];
  return PSEUDO_ELEMENTS.flatMap((part) => {
    const style = getComputedStyle(element, part);
    if (style.content === 'none' || style.content === 'normal' || !isShown(style)) return [];
    const color = colorOf(style.backgroundColor);
    const isKnown = !paintsImage(style);
    const hasEdges = style.boxShadow !== 'none' || style.outlineStyle !== 'none' || hasThickBorder(style);
    if (isKnown && !hasEdges && color[3] < MIN_OPACITY) return [];
    const { sides, isExact, thickness } = generatedBounds(element, part, style);
    const area = shownAreaIn(element, style.position);
    const reach = reachOf(style);
    const isInFlow = staysInFlow(style) && reach < THICK;
    const painted = (box: Sides, paint: Paint): Painted => ({
      element,
      box: intersectionOf(box, area),
      paint,
      isBackground: false,
      isRaised: true,
      isInFlow,
    });
    if (!isExact && hasEdges) return thickness + 2 * reach < THICK ? [] : [painted(grown(sides, reach), UNKNOWN)];
    const edges = hasEdges ? edgesOf(style, () => sides).map((edge) => painted(edge, UNKNOWN)) : [];
    const isPainted = thickness >= THICK && (!isKnown || color[3] >= MIN_OPACITY);
    return isPainted ? [painted(sides, { color, isKnown }), ...edges] : edges;
  });
}

/** True if the box paints more than a color behind its content. */
function paintsImage({ content, backgroundImage, boxShadow, borderImageSource }: CSSStyleDeclaration): boolean {
  if (backgroundImage !== 'none' || borderImageSource !== 'none') return true;
  return boxShadow.includes('inset') || generatesImage(content);
}

function hasThickBorder(style: CSSStyleDeclaration): boolean {
  const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth } = style;
  return (
    Math.max(...[borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].map(Number.parseFloat)) >= THICK
  );
}

function isShown({ display, visibility, opacity }: CSSStyleDeclaration): boolean {
  return display !== 'none' && visibility === 'visible' && Number(opacity) >= MIN_OPACITY;
}

const PSEUDO_ELEMENTS = ['::before', '::after'] as const;
/** In CSS pixels. Thinner borders and boxes, such as lines and bullets, are behind no text. */
const THICK = 10;

/** True if content of the same flow is beside the box, not on it. */
function staysInFlow({
  position,
  float,
  transform,
  translate,
  marginLeft,
  marginRight,
  marginTop,
  marginBottom,
}: CSSStyleDeclaration): boolean {
  if (position !== 'static' || float !== 'none' || transform !== 'none' || translate !== 'none') return false;
  return ![marginLeft, marginRight, marginTop, marginBottom].some((margin) => margin.startsWith('-'));
}

/** True if the element is in the flow of an outer one, without an overlap with other parts of that flow. */
function isInFlowOf(element: Element, outer: Element): boolean {
  if (!isInside(element, outer)) return false;
  let node = element;
  for (let parent: Element | null; node !== outer; node = parent) {
    parent = flatParent(node);
    if (!parent || !staysInFlow(styleOf(node))) return false;
  }
  return !styleOf(outer).display.endsWith('grid');
}
