import type { ActionToken, MotionAwaited, WatchScope } from '../contract.ts';
import { closeToLateText } from './closed-to-keys.ts';
import { localParent } from './owner-frames.ts';
import { EffectWatch } from './effect-watch.ts';
import type { InputObserver } from './input-observer.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { startTimer } from './timer.ts';
import { type AnnouncedInput, announce, withdrawAnnouncement } from './pointer-guard.ts';

/** An action that was prepared and never settled expires after this many milliseconds. */
const ARMED_TIME = 10_000;
/** How long, in ms, to watch the page after an action, to learn what it does by itself. */
const RESTING_TIME = 30_000;
/** Token for changes before the first action. The page causes them itself. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

/** Settings of an action that is prepared. */
export interface Arming {
  /** The element that the action changes. */
  readonly target: Element | null;
  /** The element that should receive the input event. */
  readonly receiver: Element | null;
  readonly input: AnnouncedInput | null;
  /** True if an event that would hit another element is stopped. */
  readonly isChecked: boolean;
  /** Tracks what happens to the text. */
  readonly entry?: InputObserver | undefined;
  /** The focused element before the target got the focus. */
  readonly focusedBefore?: Element | null;
  /** Parts of the page that were hidden before. */
  readonly hidden?: HiddenParts | undefined;
  /** How much of the effect to observe. */
  readonly scope: WatchScope;
}

/** The state of one action in this document, from `prepare` until the next action is prepared. */
export interface PendingAction {
  readonly token: number;
  readonly watch: EffectWatch;
  readonly entry: InputObserver | undefined;
  readonly expectsInput: boolean;
  /** True if a person would expect a visible effect. A pointer move need not have one. */
  readonly expectsAnswer: boolean;
  /** True if documents around this one watch too. */
  readonly reachesParents: boolean;
}

/** An action without an element in this document. */
const AROUND = { target: null, receiver: null } as const;

interface KeptAction {
  readonly action: PendingAction;
  /** The action has settled. The watch goes on, to learn what the page does by itself. */
  readonly isOver: boolean;
  /** When the action expires. */
  readonly end: number;
}

/** The actions that this document knows, outer ones first. A token finds and ends only its own action. */
const actions = new Map<number, KeptAction>();
/** When to check next for actions that expired. */
let nextLook = Number.POSITIVE_INFINITY;

/**
 * Starts to watch for effects and announces the input event, here and in same-origin parents. Node runs one action at a time, so earlier
 * actions end here unless they are around this one.
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

/** Does in a parent document what `arm` does in a child: watches, and stops a pointer event that misses the child. */
export function watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void {
  arm(owner, { ...AROUND, input: isPointerChecked ? 'pointer' : null, isChecked: true, scope });
}

/**
 * Returns the action of this token. In a document that does not know it, such as one that the action opened, starts one without announced
 * input.
 */
export function pendingAction(owner: ActionToken): PendingAction {
  return actions.get(owner.token)?.action ?? watchOnly(owner);
}

/** Returns the last action if it is over and still watched. Before the first action, starts to watch the page. */
export function restingAction(): PendingAction | undefined {
  if (actions.size === 0) return watchOnly(PAGE_ITSELF);
  return isUnderWay() ? undefined : [...actions.values()].at(-1)?.action;
}

/** True if this is the last prepared action that is still in progress, so that input which arrives now belongs to it. */
export function isInnermost(token: number): boolean {
  return [...actions.values()].findLast(({ isOver }) => !isOver)?.action.token === token;
}

/**
 * Ends an action on a quiet page. The watch goes on for a while, unless another action was prepared meanwhile: the action may still
 * continue.
 */
export function rest(action: PendingAction): void {
  const { token, watch } = action;
  if (actions.get(token)?.action !== action) return;
  endInput(action);
  keep({ action, isOver: true }, RESTING_TIME);
  // During another action, changes are not the page's own.
  if (!isUnderWay()) watch.rest();
}

/** Lets events pass again, except late text of this action. */
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

// All actions share one timer: one per action would take longer than the rest of `arm`.
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

/** Milliseconds since the last change of the document after an action; 0 if unknown. */
export function quietDuration(motion: MotionAwaited): number {
  return isUnderWay() ? 0 : ([...actions.values()].at(-1)?.action.watch.quietDuration(motion) ?? 0);
}

/** Stops watching for this action and lets its events pass, except late text. Leaves other actions alone. */
export function disarm(token: number): void {
  const known = actions.get(token);
  if (!known) return;
  endInput(known.action);
  known.action.watch.stop();
  known.action.entry?.stop();
  actions.delete(token);
}
