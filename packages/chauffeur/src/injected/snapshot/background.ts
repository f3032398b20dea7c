import { flatParent } from '../composed-tree.ts';
import { styleOf } from '../computed-style.ts';
import { memoised } from '../memo.ts';
import { isFaint } from './faint.ts';

/** The canvas that a page is drawn on, unless its style asks for a dark one. */
const CANVAS = 'rgb(255, 255, 255)';
const STACKING = /grid|flex/;

/** The colour behind the text of an element, if only the boxes around it were there. */
export function colorBehind(element: Element): string {
  const asked: { color: string }[] = [];
  let color = '';
  for (let node: Element | null = element; node && color === ''; node = flatParent(node)) {
    const known = knownColor(node);
    color = known.color;
    if (color !== '') break;
    asked.push(known);
    const { backgroundColor } = styleOf(node);
    if (!isFaint(backgroundColor)) color = backgroundColor;
  }
  color ||= CANVAS;
  for (const known of asked) known.color = color;
  return color;
}

/** What was found out about an element; `''` at first. */
const knownColor = memoised((_element: Element) => ({ color: '' }));

/** Whether that colour is what is behind the text: no picture, nothing stacked or taken out of the flow can be between them. */
export function isNothingBetween(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node)) {
    const { backgroundColor, backgroundImage, position, display, transform, colorScheme } = styleOf(node);
    if (backgroundImage !== 'none') return false;
    if (!isFaint(backgroundColor)) return true;
    if (position !== 'static' || transform !== 'none' || STACKING.test(display) || colorScheme.includes('dark'))
      return false;
  }
  return true;
}
