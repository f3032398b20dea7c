import { composedParent, flatParent } from '../../../tree/composed-tree.ts';
import { styleOf } from '../../../styles/computed-style.ts';
import { memoised } from '../../../memo.ts';
import { hasAttribute, localNameOf, matches, rootOf } from '../../../native.ts';

/** An element that has its own position in the painting order of its stacking context. */
export interface Layer {
  readonly element: Element;
  readonly z: number;
  readonly isContext: boolean;
  /** `null` for the document's stacking context. */
  readonly outer: Layer | null;
  /** Number of stacking contexts around the element, without the document's. */
  readonly depth: number;
  /** True for `::before` and `::after`, which are painted after the element's own content. */
  readonly isGenerated?: boolean;
}

/** True if `upper` is painted above content in `lower`. */
export function isPaintedOver(upper: Layer, lower: Layer | null): boolean {
  const depth = Math.min(upper.depth, lower?.depth ?? -1);
  let [one, other] = [ancestorLayer(upper, depth), ancestorLayer(lower, depth)];
  // In-flow content is painted above negative `z-index` and below other positioned elements.
  if (one === other) return upper.depth > depth && (ancestorLayer(upper, depth + 1)?.z ?? 0) >= 0;
  while (one && other && one.outer !== other.outer) [one, other] = [one.outer, other.outer];
  if (!one || !other) return false;
  if (one.z !== other.z) return one.z > other.z;
  if (one.element === other.element) return one.isGenerated === true;
  const order = orderAmongSiblings(one.element, other.element);
  return order === 0 ? precedes(other.element, one.element) : order > 0;
}

/** Returns the layer itself or the layer around it at this depth. */
function ancestorLayer(layer: Layer | null, depth: number): Layer | null {
  let parent = layer;
  while (parent && parent.depth > depth) parent = parent.outer;
  return parent;
}

/** Returns the innermost layer that contains the element; `null` in the document's flow. */
export function layerOf(element: Element | null): Layer | null {
  const path: Element[] = [];
  for (let node = element; node; node = flatParent(node)) path.push(node);
  let layer: Layer | null = null;
  for (const node of path.toReversed()) layer = layerAt(node, layer);
  return layer;
}

/** Like `layerOf`, if the parent's layer is known. */
export function layerAt(element: Element, parent: Layer | null): Layer | null {
  const known = knownLayer(element);
  if (known.layer === undefined) known.layer = newLayer(element, parent);
  return known.layer ?? parent;
}

const knownLayer = memoised((_element: Element): { layer?: Layer | null } => ({}));

function newLayer(element: Element, parent: Layer | null): Layer | null {
  const style = styleOf(element);
  const isPositioned = style.position !== 'static';
  const isContext = startsContext(style, element);
  const isCell = !isPositioned && !isContext && isPlacedInGrid(style, element);
  if (!isPositioned && !isContext && !isCell) return null;
  const isOnTop = isPositioned && isInTopLayer(element);
  const outer = isOnTop ? null : parent && !parent.isContext ? parent.outer : parent;
  const z = isOnTop ? Infinity : isCell ? IN_FLOW : Number(style.zIndex) || 0;
  return { element, z, isContext, outer, depth: outer ? outer.depth + 1 : 0 };
}

/** Overlapping items of a grid are painted in order, above a negative `z-index` and below positioned elements. */
const IN_FLOW = -0.5;

function isPlacedInGrid({ gridRowStart }: CSSStyleDeclaration, element: Element): boolean {
  const parent = gridRowStart === 'auto' ? null : flatParent(element);
  return parent !== null && styleOf(parent).display.endsWith('grid');
}

export function startsContext(style: CSSStyleDeclaration, element: Element): boolean {
  const { position, zIndex, opacity, transform, filter, isolation, mixBlendMode, willChange, contain } = style;
  if (position === 'fixed' || position === 'sticky' || opacity !== '1' || transform !== 'none') return true;
  if (zIndex !== 'auto' && (position !== 'static' || isLaidOutItem(element))) return true;
  if (filter !== 'none' || isolation !== 'auto' || mixBlendMode !== 'normal') return true;
  if (/transform|opacity|filter|position|z-index/.test(willChange) || /paint|layout|strict|content/.test(contain))
    return true;
  return CONTEXT_PROPERTIES.some(([property, initial]) => style.getPropertyValue(property) !== initial);
}

/**
 * Other properties that start a stacking context, with their initial values. While an animation runs or fills, its property
 * is not in the style, so any animation counts.
 */
const CONTEXT_PROPERTIES = Object.entries({
  'animation-name': 'none',
  'backdrop-filter': 'none',
  'clip-path': 'none',
  'content-visibility': 'visible',
  'mask-image': 'none',
  perspective: 'none',
  rotate: 'none',
  scale: 'none',
  'transform-style': 'flat',
  translate: 'none',
  'view-transition-name': 'none',
  '-webkit-box-reflect': 'none',
});

function isLaidOutItem(element: Element): boolean {
  const parent = flatParent(element);
  return parent !== null && /flex|grid/.test(styleOf(parent).display);
}

/** A cheap check before `isInTopLayer`, which ignores full screen. */
export function isTopLayerTag(element: Element): boolean {
  return localNameOf(element) === 'dialog' || hasAttribute(element, 'popover');
}

export function isInTopLayer(element: Element): boolean {
  return matches(element, ':modal, :popover-open, :fullscreen');
}

/** Compares the CSS `order` of two items of a flex or grid container. */
function orderAmongSiblings(one: Element, other: Element): number {
  const parent = flatParent(one);
  if (!parent || parent !== flatParent(other) || !/flex|grid/.test(styleOf(parent).display)) return 0;
  return Number(styleOf(one).order) - Number(styleOf(other).order);
}

function precedes(one: Element, other: Element): boolean {
  const [first, second] = rootOf(one) === rootOf(other) ? [one, other] : [outermost(one), outermost(other)];
  return (Node.prototype.compareDocumentPosition.call(first, second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Returns the host in the document's own tree that contains the element. */
function outermost(element: Element): Element {
  let host = element;
  for (let node: Element | null = element; node; node = composedParent(node)) {
    if (rootOf(node) === document) return node;
    host = node;
  }
  return host;
}
