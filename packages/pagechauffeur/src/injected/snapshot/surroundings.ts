import { ariaLabelOf } from '../aria/author-name.ts';
import { isEditingHost } from '../focusable.ts';
import { attributeOf, hasAttribute, parentNodeOf } from '../native.ts';
import { isNotRendered } from '../visibility.ts';
import { isBehindItsHolder } from './covers.ts';
import { type Cut, cutAt } from './cut.ts';
import { hasBox } from './placed.ts';
import { hidesText } from './seen.ts';
import { type Layer, layerAt, layerOf } from './stacking.ts';
import { sightIn } from './veil.ts';
import type { Visit } from './visit.ts';

/** What holds for everything below a point of the walk. */
export interface Surroundings {
  /** Text here is to be told: nothing around is transparent or clipped away, and no name around says it already. */
  readonly isTextTold: boolean;
  /** What boxes around that are too small to show anything leave unseen here. */
  readonly cut: Cut;
  /** Text here may stand where nobody gets to see it. */
  readonly isDoubtful: boolean;
  /** Nothing here takes events: inside `inert`, or outside an open modal dialog. */
  readonly isInert: boolean;
  /** Assistive technology is not told of what is here. */
  readonly isAriaHidden: boolean;
  /** Nothing lies over what is here. */
  readonly isClear: boolean;
  /** Where what is here is painted, null in the flow of the document; undefined where nothing lies over what is here. */
  readonly layer: Layer | null | undefined;
  /** The pointer is a hand already. */
  readonly isPointer: boolean;
  /** Inside something that can be acted on. */
  readonly isInActionable: boolean;
}

/** What holds for an element and what is below it, by its own style and attributes and by what is around it. */
export function surroundingsAt(visit: Visit, around: Surroundings): Surroundings {
  const { element } = visit;
  const isPositioned = hasBox(visit) && visit.position() !== 'static';
  const sight = around.isTextTold ? sightIn(visit) : 'clear';
  const isTextTold =
    around.isTextTold &&
    sight !== 'none' &&
    !hidesText(visit) &&
    !isToldElsewhere(visit) &&
    !(isPositioned && isBehindItsHolder(visit));
  const isDoubtful = around.isDoubtful || sight === 'doubtful';
  const cut = cutAt(visit, around.cut);
  const { covers } = visit.tree;
  const isPlain = visit.isInPlace() && !visit.mayBeVeiled();
  const isClear = (around.isClear && isPlain) || covers.leaveClear(element);
  const layer = covers.isNone ? undefined : layerIn(visit, { around: around.layer, isPlain, isClear });
  let { isInert, isAriaHidden } = around;
  if (element === visit.tree.modal) isInert = false;
  if (visit.isMarked) {
    isInert = isInert || hasAttribute(element, 'inert');
    isAriaHidden = isAriaHidden || attributeOf(element, 'aria-hidden') === 'true';
  }
  const isAsAround =
    isTextTold === around.isTextTold &&
    cut === around.cut &&
    isInert === around.isInert &&
    isClear === around.isClear &&
    layer === around.layer;
  if (isAsAround && isAriaHidden === around.isAriaHidden && isDoubtful === around.isDoubtful) return around;
  return { ...around, isTextTold, cut, isDoubtful, isInert, isAriaHidden, isClear, layer };
}

// Where nothing lies over anything it does not matter; who is moved out of there finds it out.
function layerIn(
  { element }: Visit,
  { around, isPlain, isClear }: { around: Layer | null | undefined; isPlain: boolean; isClear: boolean },
): Layer | null | undefined {
  if (isClear) return isPlain ? around : undefined;
  if (around === undefined) return layerOf(element);
  return isPlain ? around : layerAt(element, around);
}

/** The same, as it holds for what is inside an element. */
export function surroundingsInside(here: Surroundings, isPointer: boolean, isActionable: boolean): Surroundings {
  const isInActionable = here.isInActionable || isActionable;
  if (isPointer === here.isPointer && isInActionable === here.isInActionable) return here;
  return { ...here, isPointer, isInActionable };
}

// A label's words are the name of its control, a legend's that of its fieldset, an editor's are its value.
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
