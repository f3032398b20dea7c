import type { ActionToken, MotionAwaited, WatchScope } from '../contract.ts';
import { closeToLateText } from './closed-to-keys.ts';
import { localParent } from './owner-frames.ts';
import { EffectWatch } from './effect-watch.ts';
import type { InputObserver } from './input-observer.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { startTimer } from './timer.ts';
import { type AnnouncedInput, announce, withdrawAnnouncement } from './pointer-guard.ts';

/** An action that was prepared and never settled is forgotten after this many milliseconds. */
const ARMED_TIME = 10_000;
/** So long the page is watched after an action, to learn what it does by itself. */
const RESTING_TIME = 30_000;
/** Stands for an action where nothing was done yet: what the page does then is its own doing. */
const PAGE_ITSELF: ActionToken = { token: 0, within: [] };

/** What an action is prepared for. */
export interface Arming {
  /** The element that the action changes. */
  readonly target: Element | null;
  /** The element that the input event is to reach. */
  readonly receiver: Element | null;
  readonly input: AnnouncedInput | null;
  /** Whether an event that would land elsewhere is stopped. */
  readonly isChecked: boolean;
  /** Looks at what becomes of text. */
  readonly entry?: InputObserver | undefined;
  /** What had the focus before it was given to the target. */
  readonly focusedBefore?: Element | null;
  /** What could not be seen before. */
  readonly hidden?: HiddenParts | undefined;
  /** How much of what it does to the page is looked at. */
  readonly scope: WatchScope;
}

/** An action from `prepare` until the next one is prepared, as far as this document is concerned. */
export interface PendingAction {
  readonly token: number;
  readonly watch: EffectWatch;
  readonly entry: InputObserver | undefined;
  readonly expectsInput: boolean;
  /** Whether a person would expect to see something happen; a pointer that only moves need not have an effect. */
  readonly expectsAnswer: boolean;
  /** Whether documents around this one watch with it. */
  readonly reachesParents: boolean;
}

/** An action without an element in this document. */
const AROUND = { target: null, receiver: null } as const;

interface KeptAction {
  readonly action: PendingAction;
  /** It has settled, and is watched on for what the page does by itself. */
  readonly isOver: boolean;
  /** When it is forgotten. */
  readonly end: number;
}

/** The actions that this document knows, those around others first. Each is found and ended by its own token alone. */
const actions = new Map<number, KeptAction>();
/** When it is looked next whether an action is to be forgotten. */
let nextLook = Number.POSITIVE_INFINITY;

/**
 * Watches for the effects of what is done next and announces its input event, here and in same-origin parents. Node gives turns, so what
 * was known of other actions is over, but for those that go on around this one.
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

/** Does in a parent document what `arm` does for a child: watch, and stop a pointer that misses the child. */
export function watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void {
  arm(owner, { ...AROUND, input: isPointerChecked ? 'pointer' : null, isChecked: true, scope });
}

/** The action of this token; one without announced input in a document that does not know it, such as one that it led to. */
export function pendingAction(owner: ActionToken): PendingAction {
  return actions.get(owner.token)?.action ?? watchOnly(owner);
}

/** The last action, if the page is watched on after it; when nothing was done yet the page is watched from now on. */
export function restingAction(): PendingAction | undefined {
  if (actions.size === 0) return watchOnly(PAGE_ITSELF);
  return isUnderWay() ? undefined : [...actions.values()].at(-1)?.action;
}

/** Whether this action has been prepared after all others that are under way, so that input which comes now is its. */
export function isInnermost(token: number): boolean {
  return [...actions.values()].findLast(({ isOver }) => !isOver)?.action.token === token;
}

/** The page is quiet after an action, which may go on all the same: it is watched a while longer, unless another was prepared meanwhile. */
export function rest(action: PendingAction): void {
  const { token, watch } = action;
  if (actions.get(token)?.action !== action) return;
  endInput(action);
  keep({ action, isOver: true }, RESTING_TIME);
  // While another action goes on, what changes is not the page's own doing.
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

// One timer serves many actions: to start and stop one for each takes longer than all else that arming needs.
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

/** Milliseconds for which the document has been as it is since an action was over; 0 when that is not known. */
export function quietDuration(motion: MotionAwaited): number {
  return isUnderWay() ? 0 : ([...actions.values()].at(-1)?.action.watch.quietDuration(motion) ?? 0);
}

/** Stops watching for this action and lets its events pass; those of others are none of its business. */
export function disarm(token: number): void {
  const known = actions.get(token);
  if (!known) return;
  withdrawAnnouncement(token);
  known.action.watch.stop();
  known.action.entry?.stop();
  actions.delete(token);
}
