import { shadowRootsBelow } from '../composed-walk.ts';
import { checkVisibility, childrenOf, queryAll } from '../native.ts';
import { Placed, Veiled } from './style-facts.ts';
import type { StyleReach } from './style-reach.ts';

/** Display values of boxes that may be positioned or clip what they contain. */
const boxDisplays: ReadonlySet<string> = new Set([
  'block',
  'flex',
  'grid',
  'flow-root',
  'list-item',
  'inline-block',
  'inline-flex',
  'inline-grid',
  'table',
]);

/** Tags whose boxes stay where they are and show what they hold. */
const tagsInPlace: ReadonlySet<string> = new Set(['button', 'input', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot']);

/** What the browser's own style sheet takes out of the flow, and what says itself where it is. */
const PLACED = '[style], dialog, [popover], :fullscreen';

/** An element that the walk is at. */
interface Visited {
  readonly tag: string;
  /** The computed `display`. */
  display(): string;
  /** Whether it stands where the text around it puts it, and shows all that it contains. */
  isInPlace(): boolean;
}

/** Whether the element is shown as a box of its own, which may be positioned or clip what it contains. */
export function hasBox(visit: Visited): boolean {
  return !visit.isInPlace() && !tagsInPlace.has(visit.tag) && boxDisplays.has(visit.display());
}

/** Whether the element is a box that is painted above the flow. */
export function isRaisedBox(element: Element): boolean {
  // Of what is not rendered the browser would have to work out the style for this question alone.
  if (!checkVisibility(element)) return false;
  const style = getComputedStyle(element);
  return (style.position !== 'static' || style.transform !== 'none') && boxDisplays.has(style.display);
}

/** The elements below a node that may be raised out of the flow: all of them where it is not known how far the page's style reaches. */
export function elementsMaybeRaised(root: ParentNode, reach: StyleReach | null): Iterable<Element> {
  const shadowRoots = shadowRootsBelow(root);
  if (reach === null) return [root, ...shadowRoots].flatMap((tree) => queryAll(tree, '*'));
  const placed = new Set(queryAll(root, PLACED));
  for (const [element, facts] of reach) if ((facts & (Placed | Veiled)) !== 0) placed.add(element);
  // The style of a shadow tree reaches its host and what is slotted, too.
  for (const tree of shadowRoots)
    for (const element of [tree.host, ...childrenOf(tree.host), ...queryAll(tree, '*')]) placed.add(element);
  return placed;
}
