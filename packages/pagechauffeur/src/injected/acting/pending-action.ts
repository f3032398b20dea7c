import type { ActionToken, MotionAwaited, WatchScope } from '../contract.ts';
import { closeToLateText } from './closed-to-keys.ts';
import { localParent } from './owner-frames.ts';
import { EffectWatch } from './effect-watch.ts';
import type { InputObserver } from './input-observer.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { startTimer } from './timer.ts';
import { type AnnouncedInput, announce, withdrawAnnouncement } from './pointer-guard.ts';

/** A prepared action that never settles expires after this many milliseconds. */
const ARMED_TIME = 10_000;
/** How long to watch the page after an action, in ms, to learn which changes it makes by itself. */
const RESTING_TIME = 30_000;
/** Token for changes that the page causes itself before the first action. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

/** How to watch an action. */
export interface Arming {
  /** The element that the action changes. */
  readonly target: Element | null;
  /** The element that should receive the input event. */
  readonly receiver: Element | null;
  readonly input: AnnouncedInput | null;
  /** True if an event that would hit another element is stopped. */
  readonly isChecked: boolean;
  /** Observes the field of a text entry. */
  readonly entry?: InputObserver | undefined;
  /** The focused element before the target received focus. */
  readonly focusedBefore?: Element | null;
  /** Elements that were hidden before the action. */
  readonly hidden?: HiddenParts | undefined;
  /** Which effects to observe. */
  readonly scope: WatchScope;
}

/** The state of one action in this document, from `prepare` until the next action is prepared. */
export interface PendingAction {
  readonly token: number;
  readonly watch: EffectWatch;
  readonly entry: InputObserver | undefined;
  readonly expectsInput: boolean;
  /** True if a user would expect a visible effect. Moving the pointer may have none. */
  readonly expectsAnswer: boolean;
  /** True if ancestor documents watch the action too. */
  readonly reachesParents: boolean;
}

/** An action whose element is in another document. */
const AROUND = { target: null, receiver: null } as const;

interface KeptAction {
  readonly action: PendingAction;
  /** True if the action has settled. The watch continues, to learn which changes the page makes by itself. */
  readonly isOver: boolean;
  /** The time when the action expires. */
  readonly end: number;
}

/** The known actions by token, outer ones first. */
const actions = new Map<number, KeptAction>();
/** Time of the next check for expired actions. */
let nextLook = Number.POSITIVE_INFINITY;

/**
 * Starts to watch for effects and registers the expected input event, here and in same-origin parents. Ends earlier
 * actions, except those that wait for this one: Node runs one action at a time.
 */
export function arm(owner: ActionToken, arming: Arming): PendingAction {
  const { target, receiver, input, isChecked } = arming;
  const { token, within } = owner;
  for (const other of [...actions.keys()]) if (!within.includes(other)) disarm(other);
  if (input) announce({ token, element: receiver, input, isChecked, judge: arming.entry?.judge });
  const above = localParent();
  if (above) above.program.watchDocument(owner, (input === 'pointer' || input === 'tap') && isChecked, arming.scope);
  const action: PendingAction = {
    token,
    watch: new EffectWatch(target, arming),
    entry: arming.entry,
    expectsInput: input !== null,
    expectsAnswer: input !== null && input !== 'hover',
    reachesParents: above !== null,
  };
  keep({ action, isOver: false }, ARMED_TIME);
  return action;
}

/** The counterpart of `arm` in a parent document: watches it and stops pointer events that miss the child frame. */
export function watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void {
  arm(owner, { ...AROUND, input: isPointerChecked ? 'pointer' : null, isChecked: true, scope });
}

/**
 * Returns the action with this token. If this document does not know it, for example because the action opened the
 * document, starts one without an expected event.
 */
export function pendingAction(owner: ActionToken): PendingAction {
  return actions.get(owner.token)?.action ?? watchOnly(owner);
}

/**
 * Returns the last action if it has settled and is still watched. Before the first action, starts to watch the page.
 */
export function restingAction(): PendingAction | undefined {
  if (actions.size === 0) return watchOnly(PAGE_ITSELF);
  return isUnderWay() ? undefined : [...actions.values()].at(-1)?.action;
}

/** True if this is the last prepared action in progress, which receives all input that arrives now. */
export function isInnermost(token: number): boolean {
  return [...actions.values()].findLast(({ isOver }) => !isOver)?.action.token === token;
}

/**
 * Marks an action as settled. Its watch continues for a while, because the action may have late effects, unless another
 * action is prepared.
 */
export function rest(action: PendingAction): void {
  const { token, watch } = action;
  if (actions.get(token)?.action !== action) return;
  endInput(action);
  keep({ action, isOver: true }, RESTING_TIME);
  // Changes during another action are not the page's own.
  if (!isUnderWay()) watch.rest();
}

/** Stops filtering events, except late text of this action. */
function endInput({ token, entry }: PendingAction): void {
  withdrawAnnouncement(token);
  if (entry?.isUnderWay) closeToLateText(token);
}

function watchOnly(owner: ActionToken): PendingAction {
  return arm(owner, { ...AROUND, input: null, isChecked: false, scope: 'effects' });
}

function isUnderWay(): boolean {
  return [...actions.values()].some(({ isOver }) => !isOver);
}

function keep(known: Omit<KeptAction, 'end'>, time: number): void {
  const end = performance.now() + time;
  actions.set(known.action.token, { ...known, end });
  lookBy(end);
}

// All actions share one timer, because setting one per action would take longer than the rest of `arm`.
function lookBy(time: number): void {
  if (nextLook <= time) return;
  nextLook = time;
  startTimer(() => forgetThoseOver(time), time - performance.now());
}

function forgetThoseOver(time: number): void {
  if (time !== nextLook) return;
  nextLook = Number.POSITIVE_INFINITY;
  for (const [token, { end }] of [...actions]) {
    if (end <= performance.now()) disarm(token);
    else lookBy(end);
  }
}

/** Returns the milliseconds since the last change of the document after an action; 0 if unknown. */
export function quietDuration(motion: MotionAwaited): number {
  return isUnderWay() ? 0 : ([...actions.values()].at(-1)?.action.watch.quietDuration(motion) ?? 0);
}

/** Stops watching this action and filtering its events, except late text. Does not affect other actions. */
export function disarm(token: number): void {
  const known = actions.get(token);
  if (!known) return;
  endInput(known.action);
  known.action.watch.stop();
  known.action.entry?.stop();
  actions.delete(token);
}
