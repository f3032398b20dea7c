import type {
  BlockedReason,
  RoleAndName,
  ElementTarget,
  PrepareAction,
  Prepared,
  PrepareOptions,
  Unexplored,
} from '../contract.ts';
import { isInside } from '../tree/composed-tree.ts';
import { coverPhrase, describeElement } from '../element/describe.ts';
import { isSame } from '../fingerprint/fingerprint.ts';
import { hasInternals } from '../exploration/element-internals.ts';
import { isOutdated } from '../exploration/custom-elements.ts';
import { locate } from '../selector/locate.ts';
import { withReadCache } from '../memo.ts';
import { topModal } from '../element/modal.ts';
import { nameOf } from '../aria/name.ts';
import { roleOf } from '../aria/role.ts';
import { isUnexplored, orUnexplored, UNEXPLORED } from '../exploration/unexplored.ts';
import { invisibilityOf, isDisabledForActing, isInert, isReadOnly } from './actionability.ts';
import { boxOf } from './point/geometry.ts';
import type { AnnouncedInput } from './input/pointer-guard.ts';
import { type Subject, subjectOf } from './subject.ts';

/** Says which actionability checks the element must pass, and which focus and input the action needs. */
export interface Demands {
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly editable: boolean;
  /** True if the element must be stable, and the hit target at its action point. */
  readonly receives: boolean;
  readonly focus: 'none' | 'give' | 'select-content' | 'caret-at-end';
  readonly input: AnnouncedInput | null;
  /** True if the previous action continues. Its expected input and `EffectWatch` stay active. */
  readonly continues?: boolean;
}

const NOTHING: Demands = {
  visible: false,
  enabled: false,
  editable: false,
  receives: false,
  focus: 'none',
  input: null,
};
const POINTER: Demands = { ...NOTHING, visible: true, enabled: true, receives: true, input: 'pointer' };
const TEXT: Demands = { ...NOTHING, visible: true, enabled: true, editable: true, input: 'keys' };

export const DEMANDS: Readonly<Record<PrepareAction, Demands>> = {
  click: POINTER,
  tap: { ...POINTER, input: 'tap' },
  check: POINTER,
  drag: POINTER,
  drop: { ...POINTER, enabled: false, input: null, continues: true },
  hover: { ...POINTER, enabled: false, input: 'hover' },
  fill: { ...TEXT, focus: 'select-content' },
  edit: { ...TEXT, focus: 'give' },
  type: { ...TEXT, focus: 'caret-at-end' },
  press: { ...NOTHING, focus: 'give', input: 'keys' },
  focus: { ...NOTHING, visible: true, focus: 'give' },
  select: { ...NOTHING, visible: true, enabled: true },
  upload: { ...NOTHING, enabled: true },
  scroll: NOTHING,
};

export interface FoundSubject {
  readonly subject: Subject;
  readonly demands: Demands;
}

/** `isFinal`: waiting cannot change the result. */
interface NoSubject {
  readonly answer: Exclude<Prepared, { kind: 'ready' }> | Unexplored;
  readonly isFinal: boolean;
}

/**
 * Resolves the target to the element that the action applies to, such as the control of a label. Does not change the
 * page.
 */
export function findSubject(
  target: ElementTarget,
  {
    action,
    force = false,
    expected,
    requiredRoleAndName,
  }: Pick<PrepareOptions, 'action' | 'force' | 'expected' | 'requiredRoleAndName'>,
): FoundSubject | NoSubject {
  const located = locate(target);
  if (located.kind === 'missing') {
    const answer = orUnexplored(located.answer);
    return { answer, isFinal: located.isFinal || answer.kind === 'unexplored' };
  }
  if (
    (expected && !isSame(located.element, expected)) ||
    (requiredRoleAndName && !hasRoleAndName(located.element, requiredRoleAndName))
  )
    return { answer: { kind: 'other', element: describeElement(located.element) }, isFinal: false };
  // Only its internals may make the element checkable.
  if (action === 'check' && isOutdated(located.element)) return { answer: UNEXPLORED, isFinal: true };
  const subject = subjectOf(located.element, action);
  if (typeof subject === 'string') {
    const answer = isUnexplored(true) ? UNEXPLORED : blockedAnswer(located.element, { reason: subject });
    return { answer, isFinal: true };
  }
  if (needsStates(subject.element, action) && isOutdated(subject.element)) return { answer: UNEXPLORED, isFinal: true };
  const demands = force ? { ...DEMANDS[action], visible: false, enabled: false, receives: false } : DEMANDS[action];
  return { subject, demands };
}

/** Internals can disable or enable an element without an event. */
function needsStates(element: Element, action: PrepareAction): boolean {
  return action === 'check' || (hasInternals(element) && isDisabledForActing(element));
}

function hasRoleAndName(element: Element, { role, name }: RoleAndName): boolean {
  return withReadCache(() => roleOf(element) === role && nameOf(element) === name);
}

export interface Obstacle {
  readonly reason: BlockedReason;
  /** The element that covers this one or, if the reason is `unfocused`, the one that has the focus instead. */
  readonly cover?: string;
}

/** Returns the first obstacle that can be found without scrolling or focusing. */
export function obstacleOf({ subject, demands }: FoundSubject, action: PrepareAction): Obstacle | null {
  const { element, receiver } = subject;
  const invisibility = demands.visible ? invisibilityOf(receiver) : null;
  if (invisibility) return { reason: invisibility };
  if (demands.visible && isInert(receiver)) return { reason: 'inert' };
  if (demands.enabled && isDisabledForActing(element)) return { reason: 'disabled' };
  const modal = demands.receives || demands.editable ? modalInFrontOf(receiver) : null;
  if (modal) return { reason: 'covered', cover: coverPhrase(modal) };
  if (demands.editable && isReadOnly(element)) return { reason: 'read-only' };
  const isForced = !demands.visible && DEMANDS[action].receives;
  const invisible = isForced ? invisibilityWithoutBox(subject) : null;
  return invisible && { reason: invisible };
}

/** Returns a modal dialog that makes the element inert; null if there is none. */
export function modalInFrontOf(element: Element): Element | null {
  const modal = topModal();
  return modal && !isInside(element, modal) ? modal : null;
}

/** An element without a box has no point to act at, even with `force`. */
function invisibilityWithoutBox({ receiver }: Subject): BlockedReason | null {
  const { width, height } = boxOf(receiver);
  return width === 0 && height === 0 ? invisibilityOf(receiver) : null;
}

export function blockedAnswer(element: Element, { reason, cover }: Obstacle): Extract<Prepared, { kind: 'blocked' }> {
  return { kind: 'blocked', reason, ...(cover !== undefined && { cover }), element: describeElement(element) };
}
