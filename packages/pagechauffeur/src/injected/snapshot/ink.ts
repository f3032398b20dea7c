import { flatParent } from '../composed-tree.ts';
import { colorBehind, isNothingBetween } from './background.ts';
import { colorOf, isLostOn } from './color.ts';
import { isFaint, LEAST_FONT_SIZE } from './faint.ts';

/** A shadow that is farther from its letters than this many CSS pixels, or blurred more, does not make them readable. */
const NEAR = 20;
const shadows = /(\w+\([^)]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g;

/** Whether text in an element leaves marks: letters of some size, in a colour that is seen on what is behind them. */
export function drawsText(element: Element, style: CSSStyleDeclaration): boolean {
  const { fontSize, webkitTextFillColor } = style;
  if (Number.parseFloat(fontSize) < LEAST_FONT_SIZE) return false;
  // Text may be the hole through which a picture behind it is seen.
  if (isFaint(webkitTextFillColor)) return isOutlined(element, style) || isCutOutOfBackground(element);
  if (!isLostOn(colorOf(webkitTextFillColor), colorBehind(element))) return true;
  return isOutlined(element, style) || !isNothingBetween(element);
}

/** Whether letters are seen by what is drawn around them. */
function isOutlined(element: Element, style: CSSStyleDeclaration): boolean {
  const { textShadow, webkitTextStrokeWidth, webkitTextStrokeColor } = style;
  const isSeen = (color: string): boolean => !isFaint(color) && !isLostOn(colorOf(color), colorBehind(element));
  if (Number.parseFloat(webkitTextStrokeWidth) > 0 && isSeen(webkitTextStrokeColor)) return true;
  return [...textShadow.matchAll(shadows)].some(
    ([, color = '', ...sizes]) => sizes.every((size) => Math.abs(Number(size)) <= NEAR) && isSeen(color),
  );
}

function isCutOutOfBackground(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node))
    if (getComputedStyle(node).backgroundClip.includes('text')) return true;
  return false;
}
