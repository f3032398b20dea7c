import type { Box, Point } from '../contract.ts';
import { isFocusable } from '../element/controls.ts';
import { contains, localNameOf, textContentOf } from '../native.ts';
import { newRange } from '../native-document.ts';
import { reactsThroughContainer } from '../snapshot/clickable/listened.ts';
import { nestedItemOf } from '../snapshot/clickable/nested-items.ts';
import { boxOf, lineBoxesOf, pointAt } from './point/geometry.ts';
import { elementAtPoint } from './point/hit-target.ts';

/** A text or an image of an item. */
interface Content {
  readonly node: Element | Text;
  readonly isInControl: boolean;
}

/** In CSS pixels. Smaller boxes are hidden text for screen readers. */
const MIN_SIDE = 4;
/** Maximum points to try. */
const MAX_POINTS = 3;
/** Maximum texts and images to read. */
const MAX_CONTENTS = 200;
/** Maximum height of a row, as a multiple of the height of its text. */
const ROW_LINES = 3;

/**
 * Returns where to click an item of which only a part reacts, as offsets from the top left corner of its box. In the
 * middle of an item with nested items is one of those. In the middle of a wide row may be nothing.
 */
export function ownPositionsOf(item: Element): readonly Point[] {
  const nested = nestedItemOf(item);
  const content = nested === null ? contentBesideMiddle(item) : contentBefore(nested, item);
  const { x, y } = boxOf(item);
  const positions: Point[] = [];
  for (const node of content) {
    const [line] = firstLineOf(node);
    const middle = line && pointAt(line, 0.5, 0.5);
    if (middle) positions.push({ x: middle.x - x, y: middle.y - y });
    if (positions.length === MAX_POINTS) break;
  }
  return positions;
}

/** Returns the texts before the nested items, best first: outside of controls, in controls. Images come last. */
function contentBefore(nested: Element, item: Element): readonly Content['node'][] {
  const contents = contentOf(item, nested);
  const texts = contents.filter(isText);
  const ordered = [...texts.filter(({ isInControl }) => !isInControl), ...texts, ...contents];
  return [...new Set(ordered.map(({ node }) => node))];
}

/**
 * Returns the text of a row, or the only image of an item, if the middle of its box is beside it and the listener is on
 * a container, which may only react to that content.
 */
function contentBesideMiddle(item: Element): readonly Content['node'][] {
  if (isFocusable(item) || !reactsThroughContainer(item)) return [];
  const box = boxOf(item);
  const middle = elementAtPoint(pointAt(box, 0.5, 0.5));
  if (middle === null || !contains(item, middle)) return [];
  const contents = contentOf(item, null).filter(({ isInControl }) => !isInControl);
  const text = contents.find(isText);
  if (text) {
    const [line] = firstLineOf(text.node);
    return line && box.height <= line.height * ROW_LINES && contains(middle, text.node) ? [text.node] : [];
  }
  const [image, ...others] = contents.filter(({ node }) => node instanceof Element);
  const hasBackground = getComputedStyle(item).backgroundImage !== 'none';
  return image && others.length === 0 && !hasBackground && contains(middle, image.node) ? [image.node] : [];
}

function isText({ node }: Content): boolean {
  return node instanceof Text && /[\p{L}\p{N}]/u.test(textContentOf(node) ?? '');
}

/** Returns texts and images in document order, up to `end`. Iterative, because pages can be nested deeply. */
function contentOf(item: Element, end: Element | null): readonly Content[] {
  const contents: Content[] = [];
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let control: Element | null = null;
  let image: Element | null = null;
  for (let node = walker.nextNode(); node && node !== end && contents.length < MAX_CONTENTS; node = walker.nextNode()) {
    if (image && contains(image, node)) continue;
    if (control && !contains(control, node)) control = null;
    if (node instanceof Element && isFocusable(node)) control ??= node;
    image = node instanceof Element && IMAGES.has(localNameOf(node)) ? node : null;
    const content = node instanceof Text ? node : image;
    if (content) contents.push({ node: content, isInControl: control !== null });
  }
  return contents;
}

const IMAGES: ReadonlySet<string> = new Set(['canvas', 'img', 'svg']);

function firstLineOf(node: Element | Text): Box[] {
  if (node instanceof Element) return lineBoxesOf(node).slice(0, 1);
  const range = newRange();
  range.selectNode(node);
  const lines = Array.from(range.getClientRects());
  return lines.filter(({ width, height }) => Math.min(width, height) >= MIN_SIDE).slice(0, 1);
}
