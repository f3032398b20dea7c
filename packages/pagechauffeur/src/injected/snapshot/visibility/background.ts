import { flatParent } from '../../composed-tree.ts';
import { styleOf } from '../../computed-style.ts';
import { memoised } from '../../memo.ts';
import { getter } from '../../native.ts';
import { type Color, colorOf, blendedOver } from './color.ts';

/** The default background, except for pages with a dark color scheme. */
const CANVAS: Color = [255, 255, 255, 1];
const STACKING = /grid|flex/;
const frameElementOf = getter<Window, Element | null>(window, 'frameElement');

/** Returns the color behind the element's text, computed only from the element and its ancestors. */
export function colorBehind(element: Element): Color {
  const pending: { known: KnownColor; own: Color }[] = [];
  let color: Color | null = null;
  for (let node: Element | null = element; node && color === null; node = flatParent(node)) {
    const known = knownColor(node);
    color = known.color;
    if (color !== null) break;
    const own = colorOf(styleOf(node).backgroundColor);
    pending.push({ known, own });
    if (own[3] === 1) color = own;
  }
  color ??= behindDocument(document).color;
  for (const { known, own } of pending.toReversed()) {
    if (own[3] > 0) color = blendedOver(own, color);
    known.color = color;
  }
  return color;
}

/**
 * True if filters invert the text but not its background. A filter on the element that paints the background, or on its
 * ancestors, inverts both.
 */
export function isInvertedOnBackground(element: Element): boolean {
  const pending: { known: KnownInversion; inverts: boolean }[] = [];
  let isInverted: boolean | null = null;
  for (let node: Element | null = element; node && isInverted === null; node = flatParent(node)) {
    const known = knownInversion(node);
    isInverted = known.isInverted;
    if (isInverted !== null) break;
    const { backgroundColor, filter } = styleOf(node);
    if (colorOf(backgroundColor)[3] === 1) isInverted = known.isInverted = false;
    else pending.push({ known, inverts: INVERTING.test(filter) });
  }
  isInverted ??= behindDocument(document).isInverted;
  for (const { known, inverts } of pending.toReversed()) known.isInverted = isInverted = isInverted !== inverts;
  return isInverted;
}

interface KnownInversion {
  isInverted: boolean | null;
}

const knownInversion = memoised((_element: Element): KnownInversion => ({ isInverted: null }));

/** Matches `invert()` by 60 % or more, which turns light colors dark. */
const INVERTING = /\binvert\((?:1|0?\.[6-9]\d*)\)/;

interface KnownColor {
  color: Color | null;
}

const knownColor = memoised((_element: Element): KnownColor => ({ color: null }));

/** The background behind a document without its own. */
interface Backdrop {
  readonly color: Color;
  /** True if filters invert the document but not this color. */
  readonly isInverted: boolean;
  /** False if something else may be behind the document, such as an image. */
  readonly isKnown: boolean;
}

/**
 * Computes the background of a frame from the page that contains it. That page's elements are from another realm, so
 * `instanceof` fails.
 */
const behindDocument: (root: Document) => Backdrop = memoised((_root: Document) => {
  let isInverted = false;
  const layers: Color[] = [];
  let isKnown = true;
  for (let node = frameElementOf(window); node; node = node.parentElement) {
    const { backgroundColor, backgroundImage, position, filter } = getComputedStyle(node);
    const own = colorOf(backgroundColor);
    if (backgroundImage !== 'none') isKnown = false;
    if (own[3] > 0) layers.push(own);
    if (own[3] === 1) break;
    if (position !== 'static') isKnown = false;
    if (INVERTING.test(filter)) isInverted = !isInverted;
  }
  return {
    color: layers.toReversed().reduce((below, layer) => blendedOver(layer, below), CANVAS),
    isInverted,
    isKnown,
  };
});

/** Describes the background of a frame. It changes with the page that contains the frame. */
export function frameBackdrop(): string {
  const { color, isInverted, isKnown } = behindDocument(document);
  return [...color, isInverted, isKnown].join();
}

/** True if `colorBehind` is reliable: no background image and no stacked or positioned element can be in between. */
export function isNothingBetween(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { backgroundColor, backgroundImage, position, display, transform, colorScheme } = styleOf(node);
    if (backgroundImage !== 'none') return false;
    if (colorOf(backgroundColor)[3] === 1) return true;
    if (position !== 'static' || transform !== 'none' || STACKING.test(display) || colorScheme.includes('dark'))
      return false;
  }
  return behindDocument(document).isKnown;
}
