import { flatParent } from '../composed-tree.ts';
import { memoised } from '../memo.ts';
import { isFaint } from './veil.ts';

/** A plain colour that is behind what an element shows. */
interface Background {
  readonly color: string;
}

/** The colour behind the text of an element; null when a picture, something that is stacked, or a mixture may be there. */
export function backgroundBehind(element: Element): Background | null {
  const asked: { found: Background | null | undefined }[] = [];
  let background: Background | null | undefined;
  for (let node: Element | null = element; background === undefined; node = flatParent(node)) {
    if (node === null) {
      background = CANVAS;
      break;
    }
    const known = knownBackground(node);
    background = known.found === undefined ? ownBackground(node) : known.found;
    if (known.found === undefined) asked.push(known);
    else break;
  }
  for (const known of asked) known.found = background ?? null;
  return background ?? null;
}

const knownBackground = memoised((_element: Element): { found: Background | null | undefined } => ({
  found: undefined,
}));
const CANVAS: Background = { color: 'rgb(255, 255, 255)' };
const STACKING = /grid|flex/;

/** What an element itself puts behind its text; undefined when that shows what is behind the element. */
function ownBackground(element: Element): Background | null | undefined {
  const { backgroundColor, backgroundImage, position, display, transform, colorScheme } = getComputedStyle(element);
  if (backgroundImage !== 'none') return null;
  if (!isFaint(backgroundColor)) return backgroundColor.startsWith('rgb(') ? { color: backgroundColor } : null;
  // What is taken out of the flow may lie on anything, and what is dark by the browser's own style has no white behind it.
  if (position !== 'static' || transform !== 'none' || STACKING.test(display) || colorScheme.includes('dark'))
    return null;
  return undefined;
}
