import { styleOf } from '../../styles/computed-style.ts';
import type { GeneratedPart } from '../../aria/generated-text.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { boundsOf } from '../../native.ts';
import { colorOf, paintedOver } from './color.ts';
import { colorBehind } from './background.ts';
import { isReadable, legibilityOf } from './contrast.ts';
import { isContainingBlock } from './positioned.ts';
import { isIndentedAway, styleVisibility } from './css-visibility.ts';

/**
 * True if the text of a pseudo-element can be seen. Its box cannot be measured, so only its style shows whether it is
 * hidden, moved away or without size.
 */
export function drawsGenerated(element: Element, position: GeneratedPart): boolean {
  const style = getComputedStyle(element, position);
  const visibility = styleVisibility(element, style);
  if (visibility === 'none' || visibility === 'transparent') return false;
  if (style.display !== 'inline' && (hasFlatBox(style) || isIndentedAway(style))) return false;
  if (isBeforePage(element, style)) return false;
  if (style.backgroundImage !== 'none') return true;
  const behind = colorBehind(element);
  const own = colorOf(style.backgroundColor);
  const legibility = legibilityOf(element, style, own[3] > 0 ? paintedOver(own, behind) : behind);
  return own[3] === 1 ? legibility === 'readable' : isReadable(element, style, legibility);
}

function hasFlatBox({ overflowX, width, height, transform, scale }: CSSStyleDeclaration): boolean {
  if (overflowX !== 'visible' && (Number.parseFloat(width) <= 1 || Number.parseFloat(height) <= 1)) return true;
  if (/^0(?: |$)/.test(scale)) return true;
  if (transform === 'none') return false;
  const { m11, m12, m21, m22 } = new DOMMatrixReadOnly(transform);
  return m11 * m22 === m12 * m21;
}

/** True if `left` or `top` moves the box to where the page cannot be scrolled. */
function isBeforePage(element: Element, { position, left, top, width, height }: CSSStyleDeclaration): boolean {
  if (position !== 'absolute' && position !== 'fixed') return false;
  const origin = position === 'fixed' ? { x: 0, y: 0 } : originAround(element);
  const [right, bottom] = [
    Number.parseFloat(left) + Number.parseFloat(width),
    Number.parseFloat(top) + Number.parseFloat(height),
  ];
  return origin.x + right <= 0 || origin.y + bottom <= 0;
}

/** Position of the box that contains absolutely positioned children, in the page. */
function originAround(element: Element): { readonly x: number; readonly y: number } {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    if (!isContainingBlock(styleOf(node), 'absolute')) continue;
    const { left, top } = boundsOf(node);
    return { x: left + scrollX, y: top + scrollY };
  }
  return { x: 0, y: 0 };
}
