import { getter } from '../../native.ts';
import { areAlike, type Color, colorOf } from './color.ts';

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
  const { isOpaque, color } = pixelsOf(element);
  return isOpaque ? color : null;
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
