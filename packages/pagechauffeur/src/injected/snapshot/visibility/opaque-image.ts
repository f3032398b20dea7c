import { getter } from '../../native.ts';
import { colorOf } from './color.ts';

/** In pixels. Images are scaled down to this size to check for transparent pixels. */
const SAMPLE_SIDE = 8;
/** Values of `object-fit` with which an image may not fill its box. */
const LOOSE_FIT = /contain|none|scale-down/;

const contentDocumentOf = getter<HTMLIFrameElement, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
const knownBySource = new Map<string, boolean>();
const MAX_KNOWN = 200;

/** True if the content is an image, a canvas or another document. */
export function isReplaced(element: Element): boolean {
  return (
    element instanceof HTMLImageElement || element instanceof HTMLCanvasElement || element instanceof HTMLIFrameElement
  );
}

/**
 * True if the content is known to be opaque: an image or canvas without transparent pixels, or a same-origin frame with
 * a background.
 */
export function isOpaqueImage(element: Element, { objectFit }: CSSStyleDeclaration): boolean {
  if (element instanceof HTMLIFrameElement) return hasOpaqueDocument(element);
  if (element instanceof HTMLCanvasElement) return isDrawnOpaque(element);
  if (!(element instanceof HTMLImageElement) || !element.complete || LOOSE_FIT.test(objectFit)) return false;
  const source = element.currentSrc;
  const known = knownBySource.get(source) ?? isDrawnOpaque(element);
  if (knownBySource.size < MAX_KNOWN) knownBySource.set(source, known);
  return known;
}

function hasOpaqueDocument(frame: HTMLIFrameElement): boolean {
  const inner = contentDocumentOf(frame);
  return hasBackground(inner?.documentElement) || hasBackground(inner?.body);
}

function hasBackground(element: Element | null | undefined): boolean {
  return element !== null && element !== undefined && colorOf(getComputedStyle(element).backgroundColor)[3] === 1;
}

// The pixels of a cross-origin image cannot be read, so it does not count as opaque.
function isDrawnOpaque(picture: HTMLImageElement | HTMLCanvasElement): boolean {
  if (picture.width === 0 || picture.height === 0) return false;
  const canvas = new OffscreenCanvas(SAMPLE_SIDE, SAMPLE_SIDE).getContext('2d', { willReadFrequently: true });
  if (!canvas) return false;
  try {
    canvas.drawImage(picture, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    const { data } = canvas.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    return data.every((value, index) => index % 4 !== 3 || value === 255);
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
