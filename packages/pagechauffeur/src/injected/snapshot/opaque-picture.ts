import { getter } from '../native.ts';
import { colorOf } from './color.ts';

/** The picture is drawn this small to look for transparent pixels. */
const SAMPLE_SIDE = 8;
/** Pictures with borders of empty space inside their box. */
const LOOSE_FIT = /contain|none|scale-down/;

const contentDocumentOf = getter<HTMLIFrameElement, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
/** The answer for an image depends on its address only. */
const knownBySource = new Map<string, boolean>();
const MOST_KNOWN = 200;

/** True for elements whose content is a picture or a document of its own. */
export function isReplaced(element: Element): boolean {
  return (
    element instanceof HTMLImageElement || element instanceof HTMLCanvasElement || element instanceof HTMLIFrameElement
  );
}

/** True if the content is known to be opaque: a picture without transparent pixels, or a frame of this site with a background. */
export function isOpaquePicture(element: Element, { objectFit }: CSSStyleDeclaration): boolean {
  if (element instanceof HTMLIFrameElement) return hasOpaqueDocument(element);
  if (element instanceof HTMLCanvasElement) return isDrawnOpaque(element);
  if (!(element instanceof HTMLImageElement) || !element.complete || LOOSE_FIT.test(objectFit)) return false;
  const source = element.currentSrc;
  const known = knownBySource.get(source) ?? isDrawnOpaque(element);
  if (knownBySource.size < MOST_KNOWN) knownBySource.set(source, known);
  return known;
}

function hasOpaqueDocument(frame: HTMLIFrameElement): boolean {
  const inner = contentDocumentOf(frame);
  return hasBackground(inner?.documentElement) || hasBackground(inner?.body);
}

function hasBackground(element: Element | null | undefined): boolean {
  return element !== null && element !== undefined && colorOf(getComputedStyle(element).backgroundColor)[3] === 1;
}

// The pixels of another site's picture cannot be read, so it does not count.
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
