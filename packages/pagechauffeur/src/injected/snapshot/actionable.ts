import { interactiveRoles } from '../aria/role-names.ts';
import { isFocusable } from '../focusable.ts';
import { isFrameElement } from '../frames.ts';
import { attributeOf, childrenOf, hasAttribute, localNameOf } from '../native.ts';
import { roleOf } from '../role.ts';
import { isNotRendered } from '../visibility.ts';
import { isInEmptyBox } from './cut.ts';
import { listensForDrops, listensForItself } from './listened.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';

/**
 * Why an element can be acted on: by what it is, because its look or its listeners say that a script handles clicks, because it can be
 * dragged, because something may be dropped on it, or because an instruction may mean it.
 */
export type Actionability = 'native' | 'clickable' | 'listening' | 'draggable' | 'droppable' | 'nameable' | 'none';

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
const handlerAttributes = [
  'onclick',
  'onmousedown',
  'onmouseup',
  'onpointerdown',
  'onpointerup',
  'ondblclick',
] as const;

/** Whether and why a rendered, visible element can be acted on. */
export function actionabilityOf(visit: Visit, role: string, here: Surroundings): Actionability {
  const { element, tag, isMarked } = visit;
  if (isFrameElement(element, tag)) return 'native';
  if (here.isInert) return 'none';
  if (here.cut !== 'none' && isInEmptyBox(element) && !hasStandIn(element)) return 'none';
  if (here.isAriaHidden && isReachable(element)) return 'native';
  if (here.isAriaHidden) return listensForItself(element) ? 'listening' : 'none';
  if (interactiveRoles.has(role) || isFocusableNow(visit)) return 'native';
  if ((isMarked && hasHandler(element)) || isProxyOfHiddenControl(visit)) return 'clickable';
  if (startsPointer(visit, here)) return CLICKING_HANDS.has(visit.style.cursor) ? 'clickable' : 'draggable';
  if (isMarked && isDraggable(element)) return 'draggable';
  // A list whose items can be dragged listens for the hand that takes one of them.
  const { ground, meant } = visit.tree;
  if (listensForDrops(element) || (!ground.isNone && ground.isPlace(visit))) return 'droppable';
  if (listensForItself(element)) return 'listening';
  const isMeant = meant.has(visit, role) || (!ground.isNone && ground.mayBeMeant(visit, role));
  return isMeant && !here.isInActionable ? 'nameable' : 'none';
}

const CLICKING_HANDS: ReadonlySet<string> = new Set(['pointer', 'zoom-in', 'zoom-out']);

/** Whether the author lets a person drag the element away. */
export function isDraggable(element: Element): boolean {
  return attributeOf(element, 'draggable') === 'true';
}

const wholeKinds: ReadonlySet<Actionability> = new Set(['clickable', 'draggable']);

/** Whether what is inside belongs to the element: it is a control and no mere container that can get the focus. */
export function isWhole(role: string, actionability: Actionability): boolean {
  return actionability === 'native' ? interactiveRoles.has(role) : wholeKinds.has(actionability);
}

// What has no box cannot get the focus.
function isFocusableNow(visit: Visit): boolean {
  const { element, tag, isMarked } = visit;
  return (
    (isMarked || focusableTags.has(tag)) && isFocusable(element) && (visit.isSeen || visit.display() !== 'contents')
  );
}

// The author hides it from assistive technology, but the Tab key or a click still gets there.
function isReachable(element: Element): boolean {
  if (hasHandler(element)) return true;
  return isFocusable(element) && !(attributeOf(element, 'tabindex') ?? '').trim().startsWith('-');
}

/** Whether an attribute of the element handles clicks. */
export function hasHandler(element: Element): boolean {
  for (const name of handlerAttributes) if (hasAttribute(element, name)) return true;
  return false;
}

// Scripts that listen without an attribute usually show the hand.
function startsPointer(visit: Visit, here: Surroundings): boolean {
  const { element, tag } = visit;
  if (here.isPointer || here.isInActionable || !here.isTextTold || here.cut !== 'none' || !visit.isPointer())
    return false;
  if (tag === 'html' || tag === 'body' || holdsItems(element)) return false;
  return !(element instanceof HTMLLabelElement && element.control);
}

const CELL_TAGS: ReadonlySet<string> = new Set(['td', 'th']);

/**
 * Whether an element holds items of one kind, such as the options of a list or the stars of a rating. If the pointer over them is a hand, each
 * is to be clicked for itself, whoever has the style or the listener.
 */
export function holdsItems(element: Element): boolean {
  const [first, ...others] = childrenOf(element);
  if (!first || others.length === 0 || hasHandler(element)) return false;
  const [tag, kind] = [localNameOf(first), attributeOf(first, 'class')];
  if ((tag !== 'li' && !kind) || CELL_TAGS.has(tag)) return false;
  return others.every((item) => localNameOf(item) === tag && (tag === 'li' || attributeOf(item, 'class') === kind));
}

// A person works a hidden control by its label, or by a button that opens the choice of files.
function hasStandIn(element: Element): boolean {
  return element instanceof HTMLInputElement && (element.type === 'file' || (element.labels?.length ?? 0) > 0);
}

/** Whether the element is the label of a check box or another control that is itself not rendered. */
function isProxyOfHiddenControl({ element, tag }: Visit): boolean {
  return tag === 'label' && hiddenControlOf(element) !== null;
}

/** The control that an element is the label of, if it is itself not rendered: a style sheet draws another one in the label. */
export function hiddenControlOf(element: Element): HTMLElement | null {
  const control = element instanceof HTMLLabelElement ? element.control : null;
  return control && isNotRendered(control) ? control : null;
}

/** The check box, radio button or switch that is not rendered and that a person works by this label. */
export function hiddenBoxOf(element: Element): HTMLElement | null {
  const control = hiddenControlOf(element);
  return control && boxRoles.has(roleOf(control)) ? control : null;
}

const boxRoles: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
