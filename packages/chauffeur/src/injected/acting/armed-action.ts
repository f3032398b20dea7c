import type { MotionAwaited, WatchScope } from '../contract.ts';
import { localParent } from './owner-frames.ts';
import { EffectWatch } from './effect-watch.ts';
import type { EntryWatch } from './entry-watch.ts';
import { startTimer } from './timer.ts';
import { type AnnouncedInput, announce, withdrawAnnouncement } from './pointer-guard.ts';

/** An action that was prepared and never settled is forgotten after this many milliseconds. */
const ARMED_TIME = 10_000;
/** So long the page is watched after an action, to learn what it does by itself. */
const RESTING_TIME = 30_000;

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
  readonly entry?: EntryWatch | undefined;
  /** What had the focus before it was given to the target. */
  readonly focusedBefore?: Element | null;
  /** How much of what it does to the page is looked at. */
  readonly scope: WatchScope;
}

/** An action between `prepare` and `settle`. */
export interface ArmedAction {
  readonly watch: EffectWatch;
  readonly entry: EntryWatch | undefined;
  readonly expectsInput: boolean;
  /** Whether a person would expect to see something happen; a pointer that only moves need not have an effect. */
  readonly expectsAnswer: boolean;
  /** Whether documents around this one watch with it. */
  readonly reachesParents: boolean;
}

/** An action without an element in this document. */
const AROUND = { target: null, receiver: null } as const;

let armed: { readonly action: ArmedAction; readonly end: number } | null = null;
/** When it is looked next whether the armed action is to be forgotten. */
let nextLook = Number.POSITIVE_INFINITY;

/** Watches for the effects of what is done next and announces its input event, here and in same-origin parents. */
export function arm(arming: Arming): ArmedAction {
  const { target, receiver, input, isChecked } = arming;
  disarm();
  if (input) announce({ element: receiver, input, isChecked, judge: arming.entry?.judge });
  const above = localParent();
  if (above) above.program.armAround((input === 'pointer' || input === 'tap') && isChecked, arming.scope);
  const action: ArmedAction = {
    watch: new EffectWatch(target, arming),
    entry: arming.entry,
    expectsInput: input !== null,
    expectsAnswer: input !== null && input !== 'hover',
    reachesParents: above !== null,
  };
  keep(action, ARMED_TIME);
  return action;
}

/** Does in a parent document what `arm` does for a child: watch, and stop a pointer that misses the child. */
export function armAround(isPointerChecked: boolean, scope: WatchScope): void {
  arm({ ...AROUND, input: isPointerChecked ? 'pointer' : null, isChecked: true, scope });
}

/** The action that was armed last; one without announced input when there is none. */
export function armedAction(): ArmedAction {
  return armed?.action ?? arm({ ...AROUND, input: null, isChecked: false, scope: 'effects' });
}

/** The page is quiet after an action, which may go on all the same: it is watched a while longer, unless another was prepared meanwhile. */
export function rest(action: ArmedAction): void {
  if (armed?.action !== action) return;
  withdrawAnnouncement();
  action.watch.rest();
  keep(action, RESTING_TIME);
}

function keep(action: ArmedAction, time: number): void {
  armed = { action, end: performance.now() + time };
  lookBy(armed.end);
}

// One timer serves many actions: to start and stop one for each takes longer than all else that arming needs.
function lookBy(time: number): void {
  if (nextLook <= time) return;
  nextLook = time;
  startTimer(() => forgetWhenOver(time), time - performance.now());
}

function forgetWhenOver(time: number): void {
  if (time !== nextLook) return;
  nextLook = Number.POSITIVE_INFINITY;
  if (!armed) return;
  if (armed.end <= performance.now()) disarm(armed.action);
  else lookBy(armed.end);
}

/** Milliseconds for which the document has been as it is since an action was over; 0 when that is not known. */
export function restedFor(motion: MotionAwaited): number {
  return armed?.action.watch.restedFor(motion) ?? 0;
}

/** Stops watching and lets all events pass; not when another action than the one named is armed by now. */
export function disarm(action: ArmedAction | undefined = armed?.action): void {
  if (!armed || armed.action !== action) return;
  withdrawAnnouncement();
  armed.action.watch.stop();
  armed.action.entry?.stop();
  armed = null;
}
