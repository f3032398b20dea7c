import { controlOf, hasAriaName } from '../aria/references.ts';
import { popupsInLabel } from '../aria/label-popups.ts';
import { markIncomplete, measured } from '../dependencies.ts';
import { isEditingHost } from '../element/controls.ts';
import { memoised } from '../memo.ts';
import { attributeOf, hasAttribute, liveChildrenOf, localNameOf, parentNodeOf, boundsOf, queryAll } from '../native.ts';
import { roleOf } from '../aria/role.ts';
import { styleOf } from '../styles/computed-style.ts';
import { isNotRendered } from '../element/visibility.ts';
import { isLeftOutControl } from './clickable/hidden-controls.ts';
import { isBehindItsHolder, isLeftClear } from './visibility/painting/occlusion.ts';
import { clipsContent, hidesOverflow } from './visibility/boxes/clipped-content.ts';
import { type Clipping, clippingAt } from './visibility/boxes/clipping.ts';
import { hasBox, isOfViewport } from './visibility/boxes/positioned.ts';
import { isInTopLayer, isTopLayerTag, type Layer, layerAt, layerOf } from './visibility/boxes/stacking.ts';
import { isBeforeDocument, isInScrolledAncestor, textVisibilityOf } from './visibility/css-visibility.ts';
import type { Visit } from './visit.ts';
import { clipsAll, clipsToPixel } from './visibility/boxes/clip-area.ts';
import { isHiddenInDrawing, SVG_TEXT } from './visibility/painting/svg-text.ts';

/** State that an element shares with its descendants. */
export interface Surroundings {
  /** False if the element or an ancestor hides text, or if another line has the text already. */
  readonly isTextShown: boolean;
  readonly clipping: Clipping;
  /** True if text may be out of view. Its own box must then be checked. */
  readonly isDoubtful: boolean;
  /** True if elements receive no events: inside `inert`, or outside an open modal dialog. */
  readonly isInert: boolean;
  readonly isAriaHidden: boolean;
  readonly isClear: boolean;
  /** The layer that contains the content: `null` in the document's flow, `undefined` if nothing covers it. */
  readonly layer: Layer | null | undefined;
  /** True if an ancestor has a pointer cursor. */
  readonly isPointer: boolean;
  /** True inside an actionable element whose descendants count as part of it. */
  readonly isInActionable: boolean;
  /** True inside a table that is a part of a line, such as a fraction of a formula. */
  readonly isInLine: boolean;
  /**
   * The elements that the closest listener is for; `null` without a listener, or if the listener is only for its own
   * element.
   */
  readonly served: ReadonlySet<Element> | null;
  /** The innermost item around the element. */
  readonly item: Item | null;
  /** The popups in the label around the element, which are no part of the label; `null` without any. */
  readonly popups: ReadonlySet<Element> | null;
}

/** An actionable element whose icons may have their own click handlers, such as a list item. */
export interface Item {
  readonly element: Element;
  readonly role: string;
}

/** Computes the state of an element from its style, its attributes and its parent's state. */
export function surroundingsAt(visit: Visit, around: Surroundings): Surroundings {
  const { element, tag } = visit;
  const isOnTop = (tag === 'dialog' || visit.isMarked) && isTopLayerTag(element) && isInTopLayer(element);
  // No ancestor clips, fades or masks an element in the top layer.
  const outer = around.popups?.has(element) === true ? { ...around, isTextShown: true, popups: null } : around;
  const inherited = isOnTop ? { ...outer, isTextShown: true, clipping: 'none' as const, isDoubtful: false } : outer;
  const isPositioned = hasBox(visit) && visit.position() !== 'static';
  const visibility = inherited.isTextShown ? textVisibilityOf(visit) : 'clear';
  const isTextShown =
    inherited.isTextShown &&
    visibility !== 'none' &&
    !hidesText(visit) &&
    !isReportedElsewhere(visit) &&
    !(isPositioned && isBehindItsHolder(visit));
  const popups = tag === 'label' && inherited.isTextShown && !isTextShown ? popupsIn(element) : inherited.popups;
  const isDoubtful = inherited.isDoubtful || visibility === 'doubtful' || (isTextShown && mayCutText(visit));
  const clipping = clippingAt(visit, inherited.clipping);
  const isInLine = inherited.isInLine || visit.display() === 'inline-table';
  const { occlusion } = visit.tree;
  const isPlain = visit.isInPlace() && !visit.mayBeVeiled();
  // An element without a box cannot be compared with covers. Its content is.
  const isBoxless = visit.display() === 'contents';
  const isClear = (inherited.isClear && isPlain) || (!isBoxless && measured(element, isLeftClear));
  if (!isClear) markIncomplete();
  const layer = occlusion.isNone ? undefined : layerIn(visit, { inherited: inherited.layer, isPlain, isClear });
  let { isInert, isAriaHidden } = inherited;
  if (element === visit.tree.modal) isInert = false;
  if (visit.isMarked) {
    isInert = isInert || hasAttribute(element, 'inert');
    isAriaHidden = isAriaHidden || attributeOf(element, 'aria-hidden') === 'true';
  }
  isInert ||= visit.mayDeclareInteractivity && visit.shared.isInert;
  const equalsInherited =
    isTextShown === inherited.isTextShown &&
    clipping === inherited.clipping &&
    isInLine === inherited.isInLine &&
    isInert === inherited.isInert &&
    popups === inherited.popups &&
    isClear === inherited.isClear &&
    layer === inherited.layer;
  if (equalsInherited && isAriaHidden === inherited.isAriaHidden && isDoubtful === inherited.isDoubtful)
    return inherited;
  return { ...inherited, isTextShown, clipping, isDoubtful, isInert, isAriaHidden, isClear, isInLine, layer, popups };
}

function popupsIn(label: Element): ReadonlySet<Element> | null {
  const popups = label instanceof HTMLLabelElement ? popupsInLabel(label) : null;
  return popups !== null && popups.size > 0 ? popups : null;
}

/** True if the element hides overflow or a part of its box, so that its text must be compared with what is left. */
function mayCutText(visit: Visit): boolean {
  if (visit.isInPlace()) return false;
  const { element, style } = visit;
  if (!hasBox(visit)) return isCuttingCell(visit) && measured(element, hidesOverflow);
  if (style.clip !== 'auto' && visit.position() !== 'static') return true;
  return clipsContent(style) && measured(element, hidesOverflow) && !isOfViewport(element);
}

/** With an ellipsis, a part of the text is visible, and the snapshot shows it whole. */
function isCuttingCell(visit: Visit): boolean {
  if (visit.display() !== 'table-cell') return false;
  return clipsContent(visit.style) && visit.style.textOverflow !== 'ellipsis';
}

// Without covers, the layer is not needed. Descendants positioned elsewhere compute their own.
function layerIn(
  { element }: Visit,
  { inherited, isPlain, isClear }: { inherited: Layer | null | undefined; isPlain: boolean; isClear: boolean },
): Layer | null | undefined {
  if (isClear) return isPlain ? inherited : undefined;
  if (inherited === undefined) return layerOf(element);
  return isPlain ? inherited : layerAt(element, inherited);
}

export function surroundingsInside(
  outer: Surroundings,
  content: Pick<Surroundings, 'isPointer' | 'isInActionable' | 'served' | 'item'>,
): Surroundings {
  const equalsOuter =
    content.isPointer === outer.isPointer &&
    content.isInActionable === outer.isInActionable &&
    content.served === outer.served &&
    content.item === outer.item;
  return equalsOuter ? outer : { ...outer, ...content };
}

// True if another line has the text already: a label names its control, and an editor's text is its value. Content of a
// canvas is not rendered.
function isReportedElsewhere({ element, tag, isMarked }: Visit): boolean {
  switch (tag) {
    case 'label':
      return element instanceof HTMLLabelElement && namesItsControl(element);
    case 'legend':
      return isNameOf(element, parentNodeOf(element), HTMLFieldSetElement);
    case 'caption':
      return isNameOf(element, parentNodeOf(element), HTMLTableElement);
    case 'canvas':
      return true;
    default:
      return isMarked && isEditingHost(element);
  }
}

/** True if the first caption or legend names its table or group, because the author does not name it in another way. */
function isNameOf(
  element: Element,
  parent: Node | null,
  type: typeof HTMLFieldSetElement | typeof HTMLTableElement,
): boolean {
  if (!(parent instanceof type) || roleOf(parent) === 'none' || hasAriaName(parent)) return false;
  return firstChildWith(parent, localNameOf(element)) === element;
}

function firstChildWith(parent: Element, tag: string): Element | null {
  const children = liveChildrenOf(parent);
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index];
    if (child && localNameOf(child) === tag) return child;
  }
  return null;
}

function namesItsControl(label: HTMLLabelElement): boolean {
  const control = controlOf(label);
  return control !== null && !isNotRendered(control) && !isLeftOutControl(control) && !hasAriaName(control);
}

/**
 * True if the element hides its text: it is transparent, clipped, or outside the document. `clipping.ts` handles boxes
 * without size.
 */
function hidesText(visit: Visit): boolean {
  if (!visit.isSeen && visit.style.opacity === '0' && visit.display() !== 'contents') return true;
  if (SVG_TEXT.has(visit.tag) && isHiddenInDrawing(visit.element)) return true;
  if (visit.display() === 'table-cell' && hasCollapsedColumns(document) && measured(visit.element, hasNoWidth))
    return true;
  if (!hasBox(visit)) return false;
  const { element, style } = visit;
  const position = visit.position();
  return (
    (position === 'absolute' || position === 'fixed') &&
    (isClippedByStyle(style) || measured(element, isOutsideDocument))
  );
}

/** Cells of a column with `visibility: collapse` are visible, but have no width. */
const hasCollapsedColumns = memoised((root: Document): boolean =>
  queryAll(root, 'col, colgroup').some((column) => styleOf(column).visibility === 'collapse'),
);

function hasNoWidth(cell: Element): boolean {
  return boundsOf(cell).width === 0;
}

function isClippedByStyle({ clip, clipPath }: CSSStyleDeclaration): boolean {
  return (clip !== 'auto' && clipsToPixel(clip)) || (clipPath !== 'none' && clipsAll(clipPath));
}

function isOutsideDocument(element: Element): boolean {
  const bounds = boundsOf(element);
  // Content of a box without size may be anywhere.
  if (bounds.width === 0 || bounds.height === 0 || !isBeforeDocument(bounds)) return false;
  return !isInScrolledAncestor(element);
}
