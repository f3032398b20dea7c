import { flatParent } from '../composed-tree.ts';
import { styleOf } from '../computed-style.ts';
import { memoised } from '../memo.ts';
import { type Color, colorOf, laidOn } from './color.ts';

/** The canvas that a page is drawn on, unless its style asks for a dark one. */
const CANVAS: Color = [255, 255, 255, 1];
const STACKING = /grid|flex/;

/** The colour behind the text of an element, if only the boxes around it were there. */
export function colorBehind(element: Element): Color {
  const asked: { known: KnownColor; own: Color }[] = [];
  let color: Color | null = null;
  for (let node: Element | null = element; node && color === null; node = flatParent(node)) {
    const known = knownColor(node);
    color = known.color;
    if (color !== null) break;
    const own = colorOf(styleOf(node).backgroundColor);
    asked.push({ known, own });
    if (own[3] === 1) color = own;
  }
  color ??= CANVAS;
  for (const { known, own } of asked.toReversed()) {
    if (own[3] > 0) color = laidOn(own, color);
    known.color = color;
  }
  return color;
}

interface KnownColor {
  color: Color | null;
}

/** What was found out about an element; null at first. */
const knownColor = memoised((_element: Element): KnownColor => ({ color: null }));

/** Whether that colour is what is behind the text: no picture, nothing stacked or taken out of the flow can be between them. */
export function isNothingBetween(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { backgroundColor, backgroundImage, position, display, transform, colorScheme } = styleOf(node);
    if (backgroundImage !== 'none') return false;
    if (colorOf(backgroundColor)[3] === 1) return true;
    if (position !== 'static' || transform !== 'none' || STACKING.test(display) || colorScheme.includes('dark'))
      return false;
  }
  return true;
}
