import { flatParent } from '../../../tree/composed-tree.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { memoised } from '../../../memo.ts';
import { attributeOf, documentElementOf, frameElementOf } from '../../../native.ts';
import { blended, type Color, colorOf, filtered, inverted, paintedOver } from './color.ts';
import { startsContext } from '../boxes/stacking.ts';
import { colorOfGradients, fillingShadowOf } from './opaque-parts.ts';

/** Default backgrounds by color scheme, as Chromium paints them. */
const CANVAS: Readonly<Record<'light' | 'dark', Color>> = { light: [255, 255, 255, 1], dark: [18, 18, 18, 1] };
const TRANSPARENT: Color = [0, 0, 0, 0];

/** What an element paints behind its content. */
export interface Paint {
  readonly color: Color;
  /** False if an image or a gradient is part of it. */
  readonly isKnown: boolean;
}

export const paintOf: (element: Element) => Paint = memoised((element: Element) => {
  const style = styleOf(element);
  const { backgroundColor, backgroundImage, backgroundClip, boxShadow } = style;
  const hasShadow = boxShadow !== 'none' && boxShadow.includes('inset');
  let color = colorOf(backgroundColor);
  if (color[3] === 0 && backgroundImage === 'none' && !hasShadow) return NO_PAINT;
  if (style.display === 'contents' || style.visibility !== 'visible' || backgroundClip.includes('text'))
    return NO_PAINT;
  const image = backgroundImage === 'none' ? TRANSPARENT : colorOfGradients(style);
  if (image) color = paintedOver(image, color);
  const shadow = hasShadow ? fillingShadowOf(element, style) : null;
  if (shadow === 'unknown') return { color, isKnown: false };
  if (shadow) color = paintedOver(shadow, color);
  return { color, isKnown: image !== null || shadow?.[3] === 1 };
});

const NO_PAINT: Paint = { color: TRANSPARENT, isKnown: true };

/** Returns the color behind the element's text, computed only from the element and its ancestors. */
export function colorBehind(element: Element): Color {
  const pending: { known: KnownColor; own: Color }[] = [];
  let color: Color | null = null;
  let inner = element;
  for (let node: Element | null = element; node && color === null; node = flatParent(node)) {
    const known = knownColor(node);
    const isBroken = node !== inner && isBrokenBy(inner, node);
    color = isBroken ? null : known.color;
    if (color !== null) break;
    const own = isBroken ? TRANSPARENT : paintOf(node).color;
    pending.push({ known: isBroken ? { color: null } : known, own });
    if (own[3] === 1) color = own;
    inner = node;
  }
  color ??= behindDocument(document).color;
  for (const { known, own } of pending.toReversed()) {
    if (own[3] > 0) color = paintedOver(own, color);
    known.color = color;
  }
  return color;
}

interface KnownColor {
  color: Color | null;
}

const knownColor = memoised((_element: Element): KnownColor => ({ color: null }));

/** True if the outer box is inline and contains a block, behind which it paints nothing. */
export function isBrokenBy(inner: Element, outer: Element): boolean {
  if (outer instanceof SVGElement) return false;
  if (paintOf(outer).color[3] === 0 || styleOf(outer).display !== 'inline') return false;
  return !/inline|contents/.test(styleOf(inner).display);
}

/** Text and what is behind it, as filters and blend modes show them. */
export interface SeenColors {
  readonly text: Color;
  readonly behind: Color;
}

/**
 * Applies the filters and blend modes of the element and its ancestors to the color of its text. Returns `null` if a filter
 * has an unknown effect.
 */
export function seenColors(element: Element, text: Color, behind: Color): SeenColors | null {
  const isInverted = behindDocument(document).isInverted;
  if (!isInverted && !hasEffects(element)) return { text, behind };
  let seen: SeenColors = { text, behind };
  let holdsBackground = false;
  const change = (apply: (color: Color) => Color): void => {
    seen = { text: apply(seen.text), behind: holdsBackground ? apply(seen.behind) : seen.behind };
  };
  for (let node: Element | null = element; node; node = flatParent(node)) {
    holdsBackground ||= paintOf(node).color[3] === 1;
    const { filter, mixBlendMode, display } = styleOf(node);
    if (display === 'contents') continue;
    if (UNKNOWN_FILTER.test(filter)) return null;
    if (filter !== 'none') change((color) => filtered(color, filter));
    if (mixBlendMode === 'normal') continue;
    const below = backdropOf(node);
    change((color) => blended(mixBlendMode, color, below));
  }
  if (isInverted && !holdsBackground) change(inverted);
  return seen;
}

/** Returns the color with which an element blends: that of its stacking context, which may be transparent. */
function backdropOf(element: Element): Color {
  const layers: Color[] = [];
  for (let node = flatParent(element); node; node = flatParent(node)) {
    const { color } = paintOf(node);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1 || startsContext(styleOf(node), node)) break;
  }
  return layers.toReversed().reduce((below, layer) => paintedOver(layer, below), TRANSPARENT);
}

/** True if a filter or a blend mode may change the color of the element's text. */
function hasEffects(element: Element): boolean {
  const pending: { has: boolean | null }[] = [];
  let has: boolean | null = null;
  for (let node: Element | null = element; node && has === null; node = flatParent(node)) {
    const known = knownEffects(node);
    has = known.has;
    if (has !== null) break;
    pending.push(known);
    const { filter, mixBlendMode } = styleOf(node);
    if (filter !== 'none' || mixBlendMode !== 'normal') has = true;
  }
  for (const known of pending) known.has = has ?? false;
  return has ?? false;
}

const knownEffects = memoised((_element: Element): { has: boolean | null } => ({ has: null }));

/** Shadows and SVG filters. */
const UNKNOWN_FILTER = /drop-shadow|url\(/;

/** Matches `invert()` by 60 % or more, which turns light colors dark. */
const INVERTING = /\binvert\((?:1|0?\.[6-9]\d*)\)/;

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
export const behindDocument: (root: Document) => Backdrop = memoised((root: Document) => {
  let isInverted = false;
  const layers: Color[] = [];
  const frame = frameElementOf(window);
  const scheme = colorSchemeOf(root);
  // A frame is opaque if its color scheme differs from that of the page.
  if (frame && colorSchemeOf(frame.ownerDocument) !== scheme)
    return { color: CANVAS[scheme], isInverted: false, isKnown: true };
  let isKnown = frame !== null || window.parent === window;
  for (let node = frame; node; node = node.parentElement) {
    const style = getComputedStyle(node);
    const own = colorOf(style.backgroundColor);
    if (style.backgroundImage !== 'none' || mayBeOver(node, style)) isKnown = false;
    if (own[3] > 0) layers.push(own);
    if (own[3] === 1) break;
    if (INVERTING.test(style.filter)) isInverted = !isInverted;
  }
  return {
    color: layers.toReversed().reduce((below, layer) => paintedOver(layer, below), CANVAS[scheme]),
    isInverted,
    isKnown,
  };
});

/** True if something else in the page may be between the element's own background and a frame in it. */
function mayBeOver(element: Element, { position, display, boxShadow }: CSSStyleDeclaration): boolean {
  if (position !== 'static' || /grid|flex/.test(display) || boxShadow.includes('inset')) return true;
  return ['::before', '::after'].some((part) => !/^(?:none|normal)$/.test(getComputedStyle(element, part).content));
}

/** Describes the background of a frame. It changes with the page that contains the frame. */
export function frameBackdrop(): string {
  const { color, isInverted, isKnown } = behindDocument(document);
  return [...color, isInverted, isKnown].join();
}

const SCHEME = 'meta[name="color-scheme" i]';

// The document around a frame is from another realm.
function colorSchemeOf(root: Document): 'light' | 'dark' {
  const element = documentElementOf(root);
  const declared = element ? getComputedStyle(element).colorScheme : 'normal';
  const meta = declared === 'normal' ? Document.prototype.querySelector.call(root, SCHEME) : null;
  const schemes = meta ? (attributeOf(meta, 'content') ?? '') : declared;
  if (!/\bdark\b/.test(schemes)) return 'light';
  return /\blight\b/.test(schemes) && !matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark';
}
