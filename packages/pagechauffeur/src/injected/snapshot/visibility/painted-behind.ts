import { flatParent, isInside, shadowRootOf } from '../../composed-tree.ts';
import { styleOf } from '../../computed-style.ts';
import { memoised } from '../../memo.ts';
import { boundsOf, checkVisibility, documentElementOf, elementsBelow, localNameOf } from '../../native.ts';
import { newRange } from '../../native-document.ts';
import { behindDocument, isBrokenBy, paintOf, type Paint, seenColors } from './background.ts';
import { type Color, colorOf, lacksContrastOn, paintedOver } from './color.ts';
import { clipsAll } from './clip-area.ts';
import { elementsInDocument } from './document-queries.ts';
import { notedRulesIn } from './noted-rules.ts';
import { isErased } from './erasing.ts';
import { isReplaced } from './opaque-image.ts';
import { MIN_OPACITY } from './opacity.ts';
import { holds, overlaps, type Sides } from './sides.ts';

/** Elements to search for something behind a text. In larger parts of a page, the layout decides. */
const MAX_SEARCHED = 3000;
const LAYERED = /grid|flex/;

/**
 * True if nothing between text of this color in the element and the background of an ancestor makes the text readable.
 * Expects text that looks like this background.
 */
export function isLostOnBackground(element: Element, color: string): boolean {
  const text = textBoxOf(element);
  const ground = groundOf(element, text);
  if (!ground) return false;
  const { scope, color: behind, isLayered } = ground;
  const own = colorOf(color);
  const seen = seenColors(element, own, behind);
  if (!lacksContrastOn(seen.text, seen.behind)) return false;
  const painted = paintedIn(scope);
  if (!painted) return !isLayered;
  return painted.every(
    ({ element: other, box, paint }) =>
      !overlaps(box, text) ||
      isInside(element, other) ||
      isInside(other, element) ||
      (paint.isKnown && lacksContrastOn(own, paintedOver(paint.color, behind))),
  );
}

/** Generated text has no box that can be measured, so the element's box stands for it. */
function textBoxOf(element: Element): Sides {
  const range = newRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  return box.width > 0 ? box : boundsOf(element);
}

interface Ground {
  /** The ancestor that paints the background. */
  readonly scope: Element;
  readonly color: Color;
  /** True if boxes next to an ancestor may be painted behind the text. */
  readonly isLayered: boolean;
}

/** Finds the opaque background of an ancestor behind the text. Returns `null` if an image is behind it, for example. */
function groundOf(element: Element, text: Sides): Ground | null {
  const layers: Color[] = [];
  const { color: canvas, isKnown } = behindDocument(document);
  const found = (scope: Element, color: Color, isLayered: boolean): Ground => ({
    scope,
    color: layers.toReversed().reduce((below, layer) => paintedOver(layer, below), color),
    isLayered,
  });
  let isLayered = false;
  let inner = element;
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { color, isKnown: isPaintKnown } = paintOf(node);
    const isBroken = node !== inner && isBrokenBy(inner, node);
    inner = node;
    const isBehind = color[3] > 0 && !isBroken && (isOfCanvas(node) || holds(boundsOf(node), text));
    if (!isPaintKnown) return null;
    if (isBehind && color[3] === 1) return found(node, color, isLayered);
    if (isBehind) layers.push(color);
    const { position, display, transform } = styleOf(node);
    isLayered ||= position !== 'static' || transform !== 'none' || LAYERED.test(display);
  }
  const root = documentElementOf(document);
  return root && isKnown ? found(root, canvas, isLayered) : null;
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
}

/** Returns the elements in the scope that paint more than text. `null` if there are too many to search. */
const paintedIn: (scope: Element) => readonly Painted[] | null = memoised((scope: Element) => {
  const elements = elementsBelow(scope);
  if (elements.length > MAX_SEARCHED) return null;
  const generating = new Set(notedRulesIn(document).boxed.flatMap(elementsInDocument));
  const painted: Painted[] = [];
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index];
    if (!element || !checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) continue;
    const style = styleOf(element);
    if (isErased(element, style) || (style.clipPath !== 'none' && clipsAll(style.clipPath))) continue;
    const paint = generating.has(element) || paintsMore(element) ? UNKNOWN : paintOf(element);
    if (!paint.isKnown || paint.color[3] >= MIN_OPACITY) painted.push({ element, box: boundsOf(element), paint });
  }
  return painted;
});

const UNKNOWN: Paint = { color: [0, 0, 0, 0], isKnown: false };

const SHAPES: ReadonlySet<string> = new Set('circle ellipse foreignObject image path polygon rect use'.split(' '));

/** True for images, shapes, and hosts of shadow roots. */
function paintsMore(element: Element): boolean {
  if (element instanceof SVGElement) return SHAPES.has(localNameOf(element));
  if (isReplaced(element) || element instanceof HTMLVideoElement || element instanceof HTMLObjectElement) return true;
  return shadowRootOf(element) !== null;
}
