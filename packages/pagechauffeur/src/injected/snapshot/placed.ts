import { shadowRootsBelow } from '../composed-walk.ts';
import { checkVisibility, childrenOf, queryAll } from '../native.ts';
import type { StyleRules } from './style-rules.ts';

/** Display values of boxes that can be positioned or clip their content. */
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

/** Tags whose boxes are treated as never positioned and never clipping. */
const tagsInPlace: ReadonlySet<string> = new Set(['button', 'input', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot']);

/** Elements that the browser's style sheet may take out of the flow, and elements with inline style. */
const PLACED = '[style], dialog, [popover], :fullscreen';

/** The element that the walk visits. */
interface Visited {
  readonly tag: string;
  /** The computed `display`. */
  display(): string;
  /** True if no style takes it out of the flow or clips its content. */
  isInPlace(): boolean;
}

/** True if the element has its own box that may be positioned or clip its content. */
export function hasBox(visit: Visited): boolean {
  return !visit.isInPlace() && !tagsInPlace.has(visit.tag) && boxDisplays.has(visit.display());
}

/** True if the element's box is painted above the normal flow. */
export function isRaisedBox(element: Element): boolean {
  // For an element that is not rendered, `getComputedStyle` would compute the style just for this check.
  if (!checkVisibility(element)) return false;
  const style = getComputedStyle(element);
  return (style.position !== 'static' || style.transform !== 'none') && boxDisplays.has(style.display);
}

/** Returns the elements below a node that may be painted above the flow: all of them if the page's rules are not known. */
export function elementsMaybeRaised(root: ParentNode, rules: StyleRules | null): Iterable<Element> {
  const shadowRoots = shadowRootsBelow(root);
  if (rules === null) return [root, ...shadowRoots].flatMap((tree) => queryAll(tree, '*'));
  const placed = new Set([...queryAll(root, PLACED), ...rules.raised, ...rules.single]);
  // The style of a shadow tree also applies to its host and to slotted elements.
  for (const tree of shadowRoots)
    for (const element of [tree.host, ...childrenOf(tree.host), ...queryAll(tree, '*')]) placed.add(element);
  return placed;
}
