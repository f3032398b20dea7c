import type { ActionToken, MotionAwaited, WatchScope } from '../contract.ts';
import { closeToLateText } from './input/closed-to-keys.ts';
import { localParent } from './point/owner-frames.ts';
import { EffectWatch } from './effects/effect-watch.ts';
import type { InputObserver } from './input/input-observer.ts';
import type { HiddenParts } from './effects/hidden-parts.ts';
import { startTimer } from './timer.ts';
import { type AnnouncedInput, announce, withdrawAnnouncement } from './input/pointer-guard.ts';

/** A prepared action that never settles expires after this many ms. */
const ARMED_TIME = 10_000;
/** How long to watch the page after an action, in ms, to learn which changes it makes without one. */
const LEARNING_TIME = 30_000;
/** Token for changes before the first action. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

export interface Arming {
  /** The element whose state the action changes. */
  readonly target: Element | null;
  /** The element that should receive the input event. */
  readonly receiver: Element | null;
  readonly input: AnnouncedInput | null;
  /** True if an event that hits another element is stopped. */
  readonly isChecked: boolean;
  readonly entry?: InputObserver | undefined;
  /** Set for `focus` actions: the element that had focus before the action. */
  readonly focusedBefore?: Element | null;
  readonly hidden?: HiddenParts | undefined;
  readonly scope: WatchScope;
}

/** The state of one action in this document, until it expires or the next action is prepared. */
export interface PendingAction {
  readonly token: number;
  readonly watch: EffectWatch;
  readonly entry: InputObserver | undefined;
  readonly expectsInput: boolean;
  /** True for input other than hovering, which may have no visible effect. */
  readonly expectsAnswer: boolean;
  /** True if same-origin parents watch the action, too. */
  readonly reachesParents: boolean;
}

/** For actions without an element in this document. */
const ELSEWHERE = { target: null, receiver: null } as const;

interface KeptAction {
  readonly action: PendingAction;
  /** True if the action has settled and its watch only learns which changes the page makes without an action. */
  readonly isOver: boolean;
  /** When the action expires, on the clock of `performance.now()`. */
  readonly end: number;
}

/** Actions by token, outer ones first. */
const actions = new Map<number, KeptAction>();
let nextExpiryCheck = Number.POSITIVE_INFINITY;

/**
 * Starts to watch for effects and announces the expected input, here and in same-origin parents. Ends all earlier
 * actions except the outer ones in `owner.within`, because Node runs one action at a time.
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

/** `arm` for a parent document. Stops pointer events that miss the child frame. */
export function watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void {
  // Reading a frame must not replace the watch of an action here, running or over.
  if (owner.token === PAGE_ITSELF.token && isWatched()) return;
  arm(owner, { ...ELSEWHERE, input: isPointerChecked ? 'pointer' : null, isChecked: true, scope });
}

/**
 * If this document does not know the action, for example because the action opened this document, starts to watch
 * without an expected event.
 */
export function pendingAction(owner: ActionToken): PendingAction {
  return actions.get(owner.token)?.action ?? watchOnly(owner);
}

export function isWatched(): boolean {
  return actions.size > 0;
}

/** Returns the last action if none is in progress. If no action is kept, starts to watch the page. */
export function restingAction(): PendingAction | undefined {
  if (actions.size === 0) return watchOnly(PAGE_ITSELF);
  return isInProgress() ? undefined : [...actions.values()].at(-1)?.action;
}

/** True for the last action in progress, which receives all input that arrives now. */
export function isInnermost(token: number): boolean {
  return [...actions.values()].findLast(({ isOver }) => !isOver)?.action.token === token;
}

/**
 * Marks the action as settled. Its watch continues until the next action or for at most 30 s, because late effects may
 * follow.
 */
export function rest(action: PendingAction): void {
  const { token, watch } = action;
  if (actions.get(token)?.action !== action) return;
  endInput(action);
  keep({ action, isOver: true }, LEARNING_TIME);
  // Changes during an outer action do not count as background.
  if (!isInProgress()) watch.rest();
}

/** Stops filtering events. Late text of the action stays blocked. */
function endInput({ token, entry }: PendingAction): void {
  withdrawAnnouncement(token);
  if (entry?.isInProgress) closeToLateText(token);
}

function watchOnly(owner: ActionToken): PendingAction {
  return arm(owner, { ...ELSEWHERE, input: null, isChecked: false, scope: 'effects' });
}

function isInProgress(): boolean {
  return [...actions.values()].some(({ isOver }) => !isOver);
}

function keep(known: Omit<KeptAction, 'end'>, time: number): void {
  const end = performance.now() + time;
  actions.set(known.action.token, { ...known, end });
  checkBy(end);
}

// One timer for all actions, because setting one each would take longer than the rest of `arm`.
function checkBy(time: number): void {
  if (nextExpiryCheck <= time) return;
  nextExpiryCheck = time;
  startTimer(() => endExpired(time), time - performance.now());
}

function endExpired(time: number): void {
  if (time !== nextExpiryCheck) return;
  nextExpiryCheck = Number.POSITIVE_INFINITY;
  for (const [token, { end }] of [...actions]) {
    if (end <= performance.now()) disarm(token);
    else checkBy(end);
  }
}

/** Returns 0 while an action runs, or if unknown. */
export function quietDuration(motion: MotionAwaited): number {
  return isInProgress() ? 0 : ([...actions.values()].at(-1)?.action.watch.quietDuration(motion) ?? 0);
}

/** Stops watching the action and filtering its events. Late text stays blocked. Other actions continue. */
export function disarm(token: number): void {
  const known = actions.get(token);
  if (!known) return;
  endInput(known.action);
  known.action.watch.stop();
  known.action.entry?.stop();
  actions.delete(token);
}
