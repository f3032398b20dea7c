import { flatParent } from '../composed-tree.ts';
import { backgroundBehind } from './background.ts';
import { isFaint, LEAST_FONT_SIZE } from './veil.ts';

/** Whether text in an element leaves marks: letters of some size, in a colour that is seen on what is behind them. */
export function drawsText(element: Element, style: CSSStyleDeclaration): boolean {
  const { color, fontSize, webkitTextFillColor } = style;
  if (Number.parseFloat(fontSize) < LEAST_FONT_SIZE) return false;
  // Text may be the hole through which a picture behind it is seen.
  if (isFaint(webkitTextFillColor)) return isCutOutOfBackground(element);
  return webkitTextFillColor !== color || !isSame(color, backgroundBehind(element)?.color);
}

function isCutOutOfBackground(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node))
    if (getComputedStyle(node).backgroundClip.includes('text')) return true;
  return false;
}

/** So much may each part of two colours differ that nobody tells apart. */
const INDISTINCT = 4;

function isSame(color: string, background: string | undefined): boolean {
  if (background === undefined) return false;
  const [parts, others] = [partsOf(color), partsOf(background)];
  return (
    parts !== null &&
    others !== null &&
    parts.every((part, index) => Math.abs(part - (others[index] ?? 999)) <= INDISTINCT)
  );
}

const OPAQUE = /^rgb\((\d+), (\d+), (\d+)\)$/;

function partsOf(color: string): readonly number[] | null {
  return OPAQUE.exec(color)?.slice(1).map(Number) ?? null;
}
