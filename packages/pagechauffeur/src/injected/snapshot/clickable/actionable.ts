import { interactiveRoles } from '../../aria/role-names.ts';
import { controlOf } from '../../aria/references.ts';
import { dependOn, measured } from '../../dependencies.ts';
import { isFocusable } from '../../element/controls.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { isFrameElement } from '../../tree/frames.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  elementCountOf,
  hasAttribute,
  liveChildrenOf,
  queryAll,
  queryCount,
  textContentOf,
} from '../../native.ts';
import { isInEmptyBox } from '../visibility/boxes/clipping.ts';
import { isEmptyDivider, isStaticSeparator } from './dividers.ts';
import { startsEditor } from './editor-lines.ts';
import { hasHandler, listensForDrops, listensForItself } from './listened.ts';
import { isPointedCanvas } from './canvas.ts';
import { hasProxyControl, hiddenControlOf, isReachable } from './hidden-controls.ts';
import { isBeforeDocument } from '../visibility/css-visibility.ts';
import { isDragHand } from '../../styles/noted-rules.ts';
import { holdsItems } from './pointer-items.ts';
import {
  isDraggedOnHover,
  isFaceOfItem,
  isFreeCell,
  isGridCell,
  isIconAnchor,
  isPartOf,
  isRevealedByHover,
  isSelectableRow,
} from './reacting-parts.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Visit } from '../visit.ts';

/**
 * `native`: by tag, role or focus; `clickable`: by handler attribute, cursor or label; `listening`: may have listeners
 * added by script; `draggable` and `droppable`: for drag and drop; `pointed`: a canvas, where only the page knows what
 * reacts; `nameable`: the instruction may refer to it.
 */
export type Actionability =
  | 'native'
  | 'clickable'
  | 'listening'
  | 'draggable'
  | 'droppable'
  | 'pointed'
  | 'nameable'
  | 'none';

const focusableTags: ReadonlySet<string> = new Set([
  'a',
  'area',
  'audio',
  'button',
  'dialog',
  'input',
  'option',
  'select',
  'summary',
  'textarea',
  'video',
]);

/** Expects a rendered, visible element. */
export function actionabilityOf(visit: Visit, role: string, surroundings: Surroundings): Actionability {
  const { element, tag, isMarked } = visit;
  if (isFrameElement(element, tag)) return 'native';
  if (surroundings.isInert) return 'none';
  if (surroundings.clipping !== 'none' && measured(element, isInEmptyBox) && !hasProxyControl(element)) return 'none';
  // A closed popup may wait outside the page.
  if (surroundings.isAriaHidden && surroundings.isDoubtful && measured(element, isOutsidePage)) return 'none';
  if (surroundings.isAriaHidden && isReachable(element)) return 'native';
  if (surroundings.isAriaHidden) return reactsHidden(visit, surroundings);
  if ((interactiveRoles.has(role) && !isFieldWrapper(visit, role)) || takesFocus(visit, role, surroundings))
    return 'native';
  if ((isMarked && hasHandler(element)) || isProxyOfHiddenControl(visit)) return 'clickable';
  if (surroundings.item !== null && isFaceOfItem(surroundings.item.element, element)) return 'none';
  if (startsPointer(visit, surroundings)) return hasDragCursor(visit) ? 'draggable' : 'clickable';
  if (isMarked && isDraggable(element)) return 'draggable';
  // Precedes `listening`, because lists with draggable items often have pointer listeners too.
  const { dropArea, requestedKinds } = visit.tree;
  if (listensForDrops(element) || (!dropArea.isNone && dropArea.isDropArea(visit))) return 'droppable';
  if (reacts(visit, surroundings)) return 'listening';
  if (tag === 'canvas' && !surroundings.isInActionable && surroundings.clipping === 'none' && isPointedCanvas(element))
    return 'pointed';
  const isRequested = requestedKinds.has(visit, role) || (!dropArea.isNone && dropArea.mayBeRequested(visit, role));
  if (isRequested && !surroundings.isInActionable) return 'nameable';
  return surroundings.item !== null && !dropArea.isNone && dropArea.isRequestedHandle(visit) ? 'nameable' : 'none';
}

function isOutsidePage(element: Element): boolean {
  return isBeforeDocument(boundsOf(element));
}

function reacts(visit: Visit, surroundings: Surroundings): boolean {
  const { element } = visit;
  if (listensForItself(element)) return true;
  if (!surroundings.isTextShown || surroundings.clipping !== 'none') return false;
  if (surroundings.served?.has(element) === true || startsEditor(visit) || isGridCell(visit)) return true;
  if (isSelectableRow(visit)) return true;
  const { item } = surroundings;
  if (item === null) return isIconAnchor(visit);
  if (isPartOf(item.element, visit, item.role)) return !isFaceOfCell(element);
  return item.role === 'row' && isFreeCell(item.element, element);
}

// Mouse users may click an `aria-hidden` element, even if it has an alternative for assistive technology.
function reactsHidden(visit: Visit, surroundings: Surroundings): Actionability {
  if (startsPointer(visit, surroundings)) return 'clickable';
  return reacts(visit, surroundings) ? 'listening' : 'none';
}

function hasDragCursor(visit: Visit): boolean {
  return visit.isPointer() ? isDragHand(visit.style.cursor) : isDraggedOnHover(visit.element);
}

export function isDraggable(element: Element): boolean {
  return attributeOf(element, 'draggable') === 'true';
}

const wholeKinds: ReadonlySet<Actionability> = new Set(['clickable', 'draggable']);

/** True if descendants count as part of the element: it is a control, not just a focusable container. */
export function isWhole(role: string, actionability: Actionability): boolean {
  return actionability === 'native' ? interactiveRoles.has(role) : wholeKinds.has(actionability);
}

/** Roles of elements that take typed text. */
const TYPED_ROLES: ReadonlySet<string> = new Set(['searchbox', 'spinbutton', 'textbox']);
const TYPED_FIELDS = 'input, textarea, [contenteditable]';

/** True for an element with the role of a field that only holds the field, as around a question of a form. */
function isFieldWrapper({ element, tag, isMarked }: Visit, role: string): boolean {
  if (!isMarked || !TYPED_ROLES.has(role) || tag === 'input' || tag === 'textarea') return false;
  // Without its line, a label that is not on the page would be lost.
  if (hasAttribute(element, 'aria-label') || hasAttribute(element, 'contenteditable')) return false;
  return queryCount(element, TYPED_FIELDS) > 0;
}

function takesFocus(visit: Visit, role: string, surroundings: Surroundings): boolean {
  return (
    isFocusableNow(visit) &&
    !isIconOfControl(visit, surroundings) &&
    !isStaticSeparator(visit.element, role) &&
    !isBoxOfField(visit, role)
  );
}

const FIELDS = 'input:not([type="hidden" i]), textarea';
/** Maximum descendants of a box around a field, such as its icons. */
const MAX_BESIDE_FIELD = 12;

/** True for the box around a single field that only scripts can focus, so that the field keeps the focus. */
function isBoxOfField({ element, tag, isMarked }: Visit, role: string): boolean {
  if (!isMarked || role !== 'generic' || focusableTags.has(tag)) return false;
  if (!(Number(attributeOf(element, 'tabindex') ?? 0) < 0) || elementCountOf(element) > MAX_BESIDE_FIELD) return false;
  const [field, ...others] = queryAll(element, FIELDS);
  return (
    field !== undefined && others.length === 0 && (textContentOf(element) ?? '').trim() === '' && checkVisibility(field)
  );
}

// An element without a box cannot receive focus.
function isFocusableNow(visit: Visit): boolean {
  const { element, tag, isMarked } = visit;
  return (
    (isMarked || focusableTags.has(tag)) && isFocusable(element) && (visit.isSeen || visit.display() !== 'contents')
  );
}

/** True for a drawing with `tabindex="-1"` in a control. Some icon sets add it, as older browsers focused every SVG. */
function isIconOfControl({ element, tag }: Visit, { isInActionable }: Surroundings): boolean {
  return isInActionable && tag === 'svg' && Number(attributeOf(element, 'tabindex') ?? 0) < 0;
}

// Clickable elements whose listeners were added by script usually have `cursor: pointer`.
function startsPointer(visit: Visit, surroundings: Surroundings): boolean {
  const { element, tag } = visit;
  if (surroundings.isPointer || surroundings.isInActionable || surroundings.clipping !== 'none') return false;
  if (!visit.isPointer() && visit.tree.hoverCursors?.has(element) !== true) return false;
  if (!surroundings.isTextShown && !isRevealedByHover(element)) return false;
  if (tag === 'html' || tag === 'body' || isFaceOfCell(element) || holdsItems(element)) return false;
  if (isEmptyDivider(element) && !hasDragCursor(visit)) return false;
  return controlOf(element) === null;
}

/** True for the only part of a focusable cell that is named by a label, such as the color of a palette. */
function isFaceOfCell(element: Element): boolean {
  if (liveChildrenOf(element).length > 0 || textContentOf(element) !== '') return false;
  const cell = flatParent(element);
  if (cell === null) return false;
  dependOn(cell);
  if (attributeOf(cell, 'role') !== 'gridcell' || !hasAttribute(cell, 'aria-label')) return false;
  return isFocusable(cell) && liveChildrenOf(cell).length === 1;
}

/** True for the label of an unrendered control, such as a custom checkbox. */
function isProxyOfHiddenControl({ element, tag }: Visit): boolean {
  return tag === 'label' && hiddenControlOf(element) !== null;
}
