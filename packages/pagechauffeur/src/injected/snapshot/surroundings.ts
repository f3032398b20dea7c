import { ariaLabelOf } from '../aria/author-name.ts';
import { isEditingHost } from '../focusable.ts';
import { attributeOf, hasAttribute, parentNodeOf } from '../native.ts';
import { isNotRendered } from '../visibility.ts';
import { isBehindItsHolder } from './visibility/occlusion.ts';
import { type Clipping, clippingAt } from './visibility/clipping.ts';
import { hasBox } from './visibility/positioned.ts';
import { hidesText } from './visibility/hidden-text.ts';
import { type Layer, layerAt, layerOf } from './visibility/stacking.ts';
import { textVisibilityOf } from './visibility/css-visibility.ts';
import type { Visit } from './visit.ts';

/** State that an element shares with its descendants. */
export interface Surroundings {
  /** True if text gets a line: no ancestor is transparent or clipped, and no ancestor's name contains the text. */
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
  /** True inside an element that can be acted on. */
  readonly isInActionable: boolean;
  /**
   * The elements that the closest listener is for; `null` without a listener, or if the listener is only for its own
   * element.
   */
  readonly served: ReadonlySet<Element> | null;
  /** The innermost actionable item around the element, if its icons may have their own click handlers. */
  readonly item: Item | null;
}

/** A list item, table row or cell, or tree item. */
export interface Item {
  readonly element: Element;
  readonly role: string;
}

/** Derives the state from the element's style and attributes and from the state around it. */
export function surroundingsAt(visit: Visit, around: Surroundings): Surroundings {
  const { element } = visit;
  const isPositioned = hasBox(visit) && visit.position() !== 'static';
  const visibility = around.isTextShown ? textVisibilityOf(visit) : 'clear';
  const isTextShown =
    around.isTextShown &&
    visibility !== 'none' &&
    !hidesText(visit) &&
    !isToldElsewhere(visit) &&
    !(isPositioned && isBehindItsHolder(visit));
  const isDoubtful = around.isDoubtful || visibility === 'doubtful';
  const clipping = clippingAt(visit, around.clipping);
  const { occlusion } = visit.tree;
  const isPlain = visit.isInPlace() && !visit.mayBeVeiled();
  const isClear = (around.isClear && isPlain) || occlusion.leaveClear(element);
  const layer = occlusion.isNone ? undefined : layerIn(visit, { around: around.layer, isPlain, isClear });
  let { isInert, isAriaHidden } = around;
  if (element === visit.tree.modal) isInert = false;
  if (visit.isMarked) {
    isInert = isInert || hasAttribute(element, 'inert');
    isAriaHidden = isAriaHidden || attributeOf(element, 'aria-hidden') === 'true';
  }
  const isAsAround =
    isTextShown === around.isTextShown &&
    clipping === around.clipping &&
    isInert === around.isInert &&
    isClear === around.isClear &&
    layer === around.layer;
  if (isAsAround && isAriaHidden === around.isAriaHidden && isDoubtful === around.isDoubtful) return around;
  return { ...around, isTextShown, clipping, isDoubtful, isInert, isAriaHidden, isClear, layer };
}

// Without covers, the layer is not needed. Descendants positioned elsewhere compute their own.
function layerIn(
  { element }: Visit,
  { around, isPlain, isClear }: { around: Layer | null | undefined; isPlain: boolean; isClear: boolean },
): Layer | null | undefined {
  if (isClear) return isPlain ? around : undefined;
  if (around === undefined) return layerOf(element);
  return isPlain ? around : layerAt(element, around);
}

export function surroundingsInside(
  here: Surroundings,
  content: Pick<Surroundings, 'isPointer' | 'isInActionable' | 'served' | 'item'>,
): Surroundings {
  const isAsHere =
    content.isPointer === here.isPointer &&
    content.isInActionable === here.isInActionable &&
    content.served === here.served &&
    content.item === here.item;
  return isAsHere ? here : { ...here, ...content };
}

// Another line has the text already: a label names its control, a legend its fieldset, and an editor's text is its
// value.
function isToldElsewhere({ element, tag, isMarked }: Visit): boolean {
  switch (tag) {
    case 'label':
      return element instanceof HTMLLabelElement && namesItsControl(element);
    case 'legend':
      return parentNodeOf(element) instanceof HTMLFieldSetElement;
    case 'caption':
      return parentNodeOf(element) instanceof HTMLTableElement;
    case 'canvas':
      return true;
    default:
      return isMarked && isEditingHost(element);
  }
}

function namesItsControl({ control }: HTMLLabelElement): boolean {
  if (!control || isNotRendered(control)) return false;
  return ariaLabelOf(control) === '' && !hasAttribute(control, 'aria-labelledby');
}
