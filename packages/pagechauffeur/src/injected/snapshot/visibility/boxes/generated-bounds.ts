import { flatParent } from '../../../tree/composed-tree.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { memoised } from '../../../memo.ts';
import {
  boundsOf,
  offsetHeightOf,
  offsetWidthOf,
  scrollHeightOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
} from '../../../native.ts';
import type { GeneratedPart } from '../../../aria/generated-text.ts';
import { isContainingBlock, isOfViewport } from './positioned.ts';
import { EVERYTHING, type Sides } from './sides.ts';
import { isTransformed, transformedBox } from './transform.ts';

/** Where the box of a pseudo-element is. The browser does not tell, so it is computed from the style. */
export interface GeneratedBounds {
  /** Contains the box, relative to the viewport. */
  readonly sides: Sides;
  /** True if the sides are those of the box itself. */
  readonly isExact: boolean;
  /** In CSS pixels: the smaller side of the box, without transforms of ancestors. Infinity for inline boxes. */
  readonly thickness: number;
}

const UNKNOWN: GeneratedBounds = { sides: EVERYTHING, isExact: false, thickness: Infinity };

export function generatedBounds(element: Element, part: GeneratedPart, style: CSSStyleDeclaration): GeneratedBounds {
  if (style.offsetPath !== 'none' || isInPerspective(element, style)) return UNKNOWN;
  const isPlaced = isPlacedOutOfFlow(style);
  const holder = isPlaced ? containingBlockOf(element, style.position) : boxAround(element);
  const size = style.display === 'inline' ? null : borderBoxSize(style);
  // Transforms have no effect on inline boxes.
  const own = size && transformedBox(style, size.width, size.height);
  const flow = isPlaced ? placedSides(holder, style, size) : holder && flowSides(holder, part, { style, size });
  if (!flow) return UNKNOWN;
  const local = own && size ? transformedSides(flow, own, size) : flow;
  if (!Object.values(local).every(Number.isFinite)) return UNKNOWN;
  const thickness = own ? Math.min(own.right - own.left, own.bottom - own.top) : Infinity;
  if (holder && !isUpright(holder)) return { sides: turnedSides(holder, local), isExact: false, thickness };
  const { x, y } = holder ? scaleOf(holder) : NO_SCALE;
  const origin = holder ? boundsOf(holder) : originOf(style.position);
  const sides = {
    left: origin.left + local.left * x,
    top: origin.top + local.top * y,
    right: origin.left + local.right * x,
    bottom: origin.top + local.bottom * y,
  };
  return { sides, isExact: isPlaced, thickness };
}

/** True for `position: absolute` and `fixed`. */
function isPlacedOutOfFlow({ position }: CSSStyleDeclaration): boolean {
  return position === 'absolute' || position === 'fixed';
}

/** True if the distance of the box from the viewer changes its size. */
function isInPerspective(element: Element, { transform, translate, rotate }: CSSStyleDeclaration): boolean {
  const isDeep = transform.startsWith('matrix3d') || /\S+ \S+ \S/.test(translate) || rotate.includes(' ');
  return isDeep && styleOf(element).perspective !== 'none';
}

/** Returns `null` for the viewport and for the page. */
function containingBlockOf(element: Element, position: string): Element | null {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const style = styleOf(node);
    if (style.display !== 'contents' && isContainingBlock(style, position)) return node;
  }
  return null;
}

function boxAround(element: Element): Element | null {
  let node: Element | null = element;
  while (node && styleOf(node).display === 'contents') node = flatParent(node);
  return node;
}

function originOf(position: string): { readonly left: number; readonly top: number } {
  return position === 'fixed' ? { left: 0, top: 0 } : { left: -scrollX, top: -scrollY };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function borderBoxSize(style: CSSStyleDeclaration): Size {
  const [width, height] = [Number.parseFloat(style.width), Number.parseFloat(style.height)];
  if (style.boxSizing === 'border-box') return { width, height };
  return {
    width: width + sumOf(style.paddingLeft, style.paddingRight, style.borderLeftWidth, style.borderRightWidth),
    height: height + sumOf(style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth),
  };
}

function sumOf(...lengths: readonly string[]): number {
  return lengths.reduce((sum, length) => sum + Number.parseFloat(length), 0);
}

/**
 * Returns the sides relative to the border box of the containing block. Computed offsets are relative to its padding
 * edge, also if they are `auto`.
 */
function placedSides(holder: Element | null, style: CSSStyleDeclaration, size: Size | null): Sides | null {
  if (!size) return null;
  let [left, top] = [sumOf(style.left, style.marginLeft), sumOf(style.top, style.marginTop)];
  if (holder) {
    const { borderLeftWidth, borderTopWidth } = styleOf(holder);
    left += Number.parseFloat(borderLeftWidth);
    top += Number.parseFloat(borderTopWidth);
    if (!isOfViewport(holder)) {
      left -= scrollLeftOf(holder);
      top -= scrollTopOf(holder);
    }
  }
  return { left, top, right: left + size.width, bottom: top + size.height };
}

/**
 * Returns what contains the box if it is in the flow of the element: the element's box and its overflow, extended by
 * negative margins and relative offsets. A block before the content is at the top.
 */
function flowSides(
  holder: Element,
  part: GeneratedPart,
  { style, size }: { readonly style: CSSStyleDeclaration; readonly size: Size | null },
): Sides {
  const { width, height } = sizeOf(holder);
  const [scrolledX, scrolledY] = isOfViewport(holder) ? [0, 0] : [scrollLeftOf(holder), scrollTopOf(holder)];
  const isRelative = style.position === 'relative';
  const [x, y] = isRelative ? [Number.parseFloat(style.left), Number.parseFloat(style.top)] : [0, 0];
  const [marginLeft, marginTop, marginRight, marginBottom] = [
    style.marginLeft,
    style.marginTop,
    style.marginRight,
    style.marginBottom,
  ].map((margin) => Math.max(0, -Number.parseFloat(margin)));
  const around = styleOf(holder);
  const overhang = size ? Math.max(0, size.width - width) : 0;
  const bottom = Math.max(height, scrollHeightOf(holder));
  const leading =
    part === '::before' && size && BLOCKS.has(style.display) && BLOCK_CONTAINERS.has(around.display)
      ? sumOf(around.borderTopWidth, around.paddingTop) + Math.max(0, Number.parseFloat(style.marginTop)) + size.height
      : bottom;
  return {
    left: x - scrolledX - (marginLeft ?? 0) - overhang,
    top: y - scrolledY - (marginTop ?? 0),
    right: x + Math.max(width, scrollWidthOf(holder)) + (marginRight ?? 0) + overhang,
    bottom: y + Math.min(bottom, leading) + (marginBottom ?? 0),
  };
}

const BLOCKS: ReadonlySet<string> = new Set(['block', 'flex', 'flow-root', 'grid', 'list-item', 'table']);
const BLOCK_CONTAINERS: ReadonlySet<string> = new Set(['block', 'flow-root', 'inline-block', 'list-item']);

/** `own`: the transformed box, relative to its place before. That place is anywhere inside the sides. */
function transformedSides(flow: Sides, own: Sides, { width, height }: Size): Sides {
  return {
    left: flow.left + own.left,
    top: flow.top + own.top,
    right: flow.right + own.right - width,
    bottom: flow.bottom + own.bottom - height,
  };
}

/** Before transforms. */
function sizeOf(element: Element): Size {
  if (element instanceof HTMLElement) return { width: offsetWidthOf(element), height: offsetHeightOf(element) };
  const { width, height } = boundsOf(element);
  return { width, height };
}

const NO_SCALE = { x: 1, y: 1 };

/** How much transforms and `zoom` enlarge a CSS pixel. */
function scaleOf(element: Element): { readonly x: number; readonly y: number } {
  const { width, height } = sizeOf(element);
  const box = boundsOf(element);
  return { x: width > 0 ? box.width / width : 1, y: height > 0 ? box.height / height : 1 };
}

/** True if neither the element nor an ancestor is rotated, skewed or mirrored. */
const isUpright: (element: Element) => boolean = memoised((element: Element) => {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const style = styleOf(node);
    if (!isTransformed(style)) continue;
    if (!UPRIGHT.test(style.transform) || style.rotate !== 'none' || style.scale.includes('-')) return false;
  }
  return true;
});

const UPRIGHT = /^(?:none|matrix\([\d.e]+(?:e-\d+)?, 0, 0, [\d.e]+(?:e-\d+)?,.*)$/;

/** Returns what contains the sides however the element is turned around its center. */
function turnedSides(element: Element, { left, top, right, bottom }: Sides): Sides {
  const { width, height } = sizeOf(element);
  const box = boundsOf(element);
  const [across, down] = [
    Math.max(Math.abs(left - width / 2), Math.abs(right - width / 2)),
    Math.max(Math.abs(top - height / 2), Math.abs(bottom - height / 2)),
  ];
  // However a box is turned, the box around it is at least as wide and high together.
  const scale = width + height > 0 ? (box.width + box.height) / (width + height) : 1;
  const radius = Math.hypot(across, down) * scale;
  const [centerX, centerY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return { left: centerX - radius, top: centerY - radius, right: centerX + radius, bottom: centerY + radius };
}
