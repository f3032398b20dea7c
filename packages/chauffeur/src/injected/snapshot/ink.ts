import { flatParent } from '../composed-tree.ts';
import { colorBehind, isNothingBetween } from './background.ts';
import { isFaint, LEAST_FONT_SIZE } from './faint.ts';

/** Whether text in an element leaves marks: letters of some size, in a colour that is seen on what is behind them. */
export function drawsText(element: Element, style: CSSStyleDeclaration): boolean {
  const { color, fontSize, webkitTextFillColor } = style;
  if (Number.parseFloat(fontSize) < LEAST_FONT_SIZE) return false;
  // Text may be the hole through which a picture behind it is seen.
  if (isFaint(webkitTextFillColor)) return isCutOutOfBackground(element);
  if (webkitTextFillColor !== color) return true;
  return !isSame(color, colorBehind(element)) || !isNothingBetween(element);
}

function isCutOutOfBackground(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node))
    if (getComputedStyle(node).backgroundClip.includes('text')) return true;
  return false;
}

/** So much may each part of two colours differ that nobody tells apart. */
const INDISTINCT = 4;

function isSame(color: string, background: string): boolean {
  const [parts, others] = [partsOf(color), partsOf(background)];
  return (
    parts !== null &&
    others !== null &&
    parts.every((part, index) => Math.abs(part - (others[index] ?? 999)) <= INDISTINCT)
  );
}

const OPAQUE = /^rgb\((\d+), (\d+), (\d+)\)$/;
const partsByColor = new Map<string, readonly number[] | null>();

// A page has few colours, and much text in each.
function partsOf(color: string): readonly number[] | null {
  const known = partsByColor.get(color);
  if (known !== undefined) return known;
  const parts = OPAQUE.exec(color)?.slice(1).map(Number) ?? null;
  if (partsByColor.size < MOST_COLORS) partsByColor.set(color, parts);
  return parts;
}

const MOST_COLORS = 1000;
