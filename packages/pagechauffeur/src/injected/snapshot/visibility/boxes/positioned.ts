import { flatParent } from '../../../tree/composed-tree.ts';
import { shadowRootsBelow } from '../../../tree/composed-walk.ts';
import { attributeOf, checkVisibility, childrenOf, documentElementOf, localNameOf, queryAll } from '../../../native.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { elementsInDocument } from '../../../tree/document-queries.ts';
import { isTransformed } from './transform.ts';
import type { StyleRules } from '../../../styles/style-rules.ts';

/** Values of `display` with which a box can be positioned or clip its content. */
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

/** Tags whose boxes are treated as neither positioned nor clipping. */
const tagsInPlace: ReadonlySet<string> = new Set(['button', 'input', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot']);

/** Selectors of elements that the browser's default style sheet may position. */
const PLACED = ['dialog', '[popover]', ':fullscreen'];
/** Matches inline styles that may position or transform the box, or place it in a grid. */
const RAISING = /position|transform|translate|rotate|scale|grid|all|\\/i;

interface Visited {
  readonly tag: string;
  display(): string;
  /** True if no style positions the element or clips its content. */
  isInPlace(): boolean;
}

/** True if the element has a box that may be positioned or clip its content. */
export function hasBox(visit: Visited): boolean {
  return !visit.isInPlace() && !tagsInPlace.has(visit.tag) && boxDisplays.has(visit.display());
}

/** True if the box is positioned, transformed or placed in a grid, so it may be painted above others. */
export function isRaisedBox(element: Element): boolean {
  // Checked first, because `getComputedStyle` would compute the style of an unrendered element.
  if (!checkVisibility(element)) return false;
  const style = getComputedStyle(element);
  const isRaised = style.position !== 'static' || isTransformed(style) || style.gridRowStart !== 'auto';
  return isRaised && boxDisplays.has(style.display);
}

/** True if descendants with `position: fixed` are positioned in the element instead of the viewport. */
export function holdsFixedContent(style: CSSStyleDeclaration): boolean {
  const { transform, translate, rotate, scale, perspective, filter, backdropFilter, contain, willChange } = style;
  const values = [transform, translate, rotate, scale, perspective, filter, backdropFilter];
  return (
    values.some((value) => value !== 'none') || /paint|layout|strict|content/.test(contain) || MOVED.test(willChange)
  );
}

const MOVED = /transform|translate|rotate|scale|perspective|filter/;

/** True if an ancestor with this style contains and may clip the box of a descendant with this `position`. */
export function isContainingBlock(style: CSSStyleDeclaration, position: string): boolean {
  if (position === 'fixed') return holdsFixedContent(style);
  return position !== 'absolute' || style.position !== 'static' || holdsFixedContent(style);
}

/** True if a fixed element moves with the page, because an ancestor contains it. */
export function isHeldByAncestor(element: Element): boolean {
  for (let node = flatParent(element); node; node = flatParent(node)) if (holdsFixedContent(styleOf(node))) return true;
  return false;
}

/** The overflow of the root element applies to the viewport. That of the body does too, if the root has `visible`. */
export function isOfViewport(element: Element): boolean {
  const tag = localNameOf(element);
  if (tag === 'html') return true;
  const root = tag === 'body' ? documentElementOf(document) : null;
  return root !== null && getComputedStyle(root).overflowY === 'visible';
}

/** Returns the elements that may be painted above the normal flow: all elements if the style rules are unknown. */
export function elementsMaybeRaised(root: Document, rules: StyleRules | null): Iterable<Element> {
  const shadowRoots = shadowRootsBelow(root);
  if (rules === null) return [root, ...shadowRoots].flatMap((tree) => queryAll(tree, '*'));
  const placed = new Set([...PLACED.flatMap(elementsInDocument), ...rules.raised, ...rules.single]);
  for (const element of elementsInDocument('[style]'))
    if (RAISING.test(attributeOf(element, 'style') ?? '')) placed.add(element);
  // Styles in a shadow tree also apply to its host and to slotted elements.
  for (const tree of shadowRoots)
    for (const element of [tree.host, ...childrenOf(tree.host), ...queryAll(tree, '*')]) placed.add(element);
  return placed;
}
