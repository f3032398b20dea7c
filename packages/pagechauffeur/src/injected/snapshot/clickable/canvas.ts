import { elementAtPoint } from '../../acting/point/hit-target.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { markIncomplete, measured } from '../../dependencies.ts';
import { boundsOf, childrenOf, elementCountOf, parentElementOf, queryAll, textContentOf } from '../../native.ts';
import { isSeen } from '../../element/visibility.ts';
import { isFilledByDrawing, listensToPointer, reactsThroughContainer } from './listened.ts';

/**
 * In CSS pixels². A smaller canvas, such as a sparkline in a table, only gets a line if a container is known to listen for
 * clicks.
 */
const MIN_AREA = 10_000;
/** In CSS pixels, on the shorter side. */
const MIN_SIDE = 8;

/**
 * True for a canvas that users see and can point at. Pages often handle its clicks on the document or on a container, and
 * only the script knows what is drawn where. Leaves out a canvas that others cover, as in drawings of several layers, and
 * one whose container has a ref for the whole drawing.
 */
export function isPointedCanvas(element: Element): boolean {
  if (!isSeen(element) || !measured(element, hasSizeToPoint)) return false;
  markIncomplete();
  return isOnTop(element) && !isInListeningDrawing(element);
}

function hasSizeToPoint(element: Element): boolean {
  const { width, height } = boundsOf(element);
  if (Math.min(width, height) < MIN_SIDE) return false;
  return width * height >= MIN_AREA || reactsThroughContainer(element);
}

function isInListeningDrawing(element: Element): boolean {
  for (let node = flatParent(element); node; node = flatParent(node)) if (isFilledByDrawing(node)) return true;
  return false;
}

/** True for an element that listens for a large drawing in it or under it, such as the container of a chart. */
export function isListeningDrawing(element: Element): boolean {
  return !(element instanceof HTMLCanvasElement) && isFilledByDrawing(element) && measured(element, hasLargeArea);
}

/**
 * True for a rating of stars over which lie the same stars, cut off at a width: the point of a click chooses the value.
 */
export function isLayeredRating(element: Element): boolean {
  const count = elementCountOf(element);
  if (count < 2 || count > MAX_RATING_ELEMENTS || !listensToPointer(element)) return false;
  return queryAll(element, '[style*="width:"]').some((layer) => {
    const parent = parentElementOf(layer);
    return parent !== null && childrenOf(parent).some((other) => other !== layer && isCopy(layer, other));
  });
}

const MAX_RATING_ELEMENTS = 60;

/** True for two layers with the same symbols, of which one clips its content. */
function isCopy(layer: Element, other: Element): boolean {
  const text = textContentOf(layer) ?? '';
  if (/[\p{L}\p{N}]/u.test(text) || text !== (textContentOf(other) ?? '')) return false;
  const count = elementCountOf(layer);
  return (
    (count > 1 || text.trim() !== '') &&
    count === elementCountOf(other) &&
    getComputedStyle(layer).overflowX !== 'visible'
  );
}

function hasLargeArea(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width * height >= MIN_AREA;
}

/** Where to hit the canvas, as fractions of its width and height. */
const PROBES = [0.5, 0.25, 0.75];

/** Nothing can be hit outside the viewport, so a canvas there counts as uncovered. */
function isOnTop(element: Element): boolean {
  const { left, top, right, bottom, width, height } = boundsOf(element);
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return true;
  let isInView = false;
  for (const across of PROBES)
    for (const down of PROBES) {
      const hit = elementAtPoint({ x: left + width * across, y: top + height * down });
      if (hit === element) return true;
      isInView ||= hit !== null;
    }
  return !isInView;
}

/** Returns the size in CSS pixels, such as `300×150`. */
export function canvasSize(element: Element): string {
  return measured(element, sizeText);
}

function sizeText(element: Element): string {
  const { width, height } = boundsOf(element);
  return `${Math.round(width)}×${Math.round(height)}`;
}
