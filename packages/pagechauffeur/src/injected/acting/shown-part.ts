import { flatParent } from '../tree/composed-tree.ts';
import type { Box } from '../contract.ts';
import { boundsOf, documentElementOf, localNameOf } from '../native.ts';
import { insideViewport } from './geometry.ts';

/** Returns the part of a box that is neither outside the viewport nor clipped by an ancestor; null if there is none. */
export function shownPart(element: Element, box: Box): Box | null {
  let part = insideViewport(box);
  let { position } = getComputedStyle(element);
  for (let node = flatParent(element); node && part && position !== 'fixed'; node = flatParent(node)) {
    const style = getComputedStyle(node);
    // An ancestor clips an absolutely positioned element only if it is or contains the element's containing block.
    if (position === 'absolute' && style.position === 'static') continue;
    ({ position } = style);
    if (clips(style) && !scrollsThePage(node)) part = common(part, boundsOf(node));
  }
  return part;
}

function clips({ display, overflowX, overflowY }: CSSStyleDeclaration): boolean {
  return display !== 'contents' && display !== 'inline' && (overflowX !== 'visible' || overflowY !== 'visible');
}

function scrollsThePage(element: Element): boolean {
  return element === documentElementOf(document) || localNameOf(element) === 'body';
}

function common(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
