import type {
  BlockedReason,
  ElementTarget,
  PrepareAction,
  Prepared,
  PrepareOptions,
  Unexplored,
  WatchScope,
} from '../contract.ts';
import { coverPhrase, describeElement, labelElement } from '../describe.ts';
import { fingerprintOf, isSame } from '../fingerprint/fingerprint.ts';
import { mayHoldFrame } from '../frames.ts';
import { locate } from '../locate.ts';
import { isUnexplored, orUnexplored, UNEXPLORED } from '../unexplored.ts';
import { elementAtPoint, reaches } from './hit-target.ts';
import { invisibilityOf, isDisabledForActing, isInert, isReadOnly } from './actionability.ts';
import { type ActPoint, findActPoint, type PointQuery } from './act-point.ts';
import { nextAnimationFrame } from './animation-frame.ts';
import { arm } from './armed-action.ts';
import { carryOn, isLedHere } from './far-parents.ts';
import { guardEntry } from './entry-guard.ts';
import { watchEntry } from './entry-watch.ts';
import { boxOf, pointAt } from './geometry.ts';
import { aimDrop } from './native-drag.ts';
import { isPastTheEnd } from './past-the-end.ts';
import type { AnnouncedInput } from './pointer-guard.ts';
import { pageHeightOf } from './scroll.ts';
import { isStable } from './stability.ts';
import { checkedStateOf, isFileInput, type Subject, subjectOf } from './subject.ts';
import { focusedElement, isTextControl, moveCaretToEnd, selectContent, takeFocus, textEntryOf } from './text-entry.ts';
import { Wait } from './wait.ts';

/** What an action asks of its element before it can be done. */
interface Demands {
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly editable: boolean;
  /** The element must stand still and receive what happens at its point. */
  readonly receives: boolean;
  readonly focus: 'none' | 'give' | 'select-content' | 'caret-at-end';
  readonly input: AnnouncedInput | null;
  /** The action before is still under way: what it announced and watches holds on. */
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

const DEMANDS: Readonly<Record<PrepareAction, Demands>> = {
  click: POINTER,
  tap: { ...POINTER, input: 'tap' },
  check: POINTER,
  drag: POINTER,
  drop: { ...POINTER, enabled: false, input: null, continues: true },
  hover: { ...POINTER, enabled: false, input: 'hover' },
  fill: { ...TEXT, focus: 'select-content' },
  type: { ...TEXT, focus: 'caret-at-end' },
  press: { ...NOTHING, focus: 'give', input: 'keys' },
  focus: { ...NOTHING, visible: true, focus: 'give' },
  select: { ...NOTHING, visible: true, enabled: true },
  upload: { ...NOTHING, enabled: true },
  scroll: NOTHING,
};

interface Attempt {
  readonly answer: Prepared | Unexplored;
  /** Waiting cannot change the answer. */
  readonly isFinal: boolean;
}

/** Resolves a target, waits until it can be acted on, brings it into view and gets everything ready for the input. */
export async function prepare(target: ElementTarget, options: PrepareOptions): Promise<Prepared | Unexplored> {
  if (!(await isLedHere(options.ledBy ?? [], options.countersigns ?? []))) return { kind: 'elsewhere' };
  const wait = new Wait(options.waitId, options.timeout);
  try {
    for (;;) {
      const { answer, isFinal } = await attempt(target, options, wait);
      if (isFinal || wait.isOver || isPastTheEnd(target, answer, wait)) return answer;
      await (answer.kind === 'blocked' && answer.reason === 'moving' ? wait.frame() : wait.change());
    }
  } finally {
    wait.close();
  }
}

async function attempt(target: ElementTarget, options: PrepareOptions, wait: Wait): Promise<Attempt> {
  const located = locate(target);
  if (located.kind === 'missing') {
    const answer = orUnexplored(located.answer);
    return { answer, isFinal: located.isFinal || answer.kind === 'unexplored' };
  }
  if (options.expected && !isSame(located.element, options.expected))
    return { answer: { kind: 'other', element: describeElement(located.element) }, isFinal: false };
  const subject = subjectOf(located.element, options.action);
  if (typeof subject === 'string') {
    const answer = isUnexplored(true) ? UNEXPLORED : blockedAnswer(located.element, subject);
    return { answer, isFinal: true };
  }
  const demands = options.force
    ? { ...DEMANDS[options.action], visible: false, enabled: false, receives: false }
    : DEMANDS[options.action];
  const isPlaceless = !demands.visible && DEMANDS[options.action].receives;
  const reason = obstacle(subject, demands) ?? (isPlaceless ? nowhere(subject) : null);
  if (reason) return { answer: blockedAnswer(subject.element, reason), isFinal: false };
  const query = { element: subject.place, position: options.position, mustReceive: demands.receives };
  const near = demands.receives ? await restingPoint(query) : findActPoint(query);
  const found = near && (await carriedUp(near, demands, options));
  if (found === null) return { answer: blockedAnswer(subject.element, 'moving'), isFinal: false };
  if (wait.isCancelled) return { answer: blockedAnswer(subject.element, 'hidden'), isFinal: true };
  return act(subject, found, { demands, options, target });
}

/** Where to act on an element; null when it moves, or is moved out of view again as soon as it was scrolled into it. */
async function restingPoint(query: PointQuery): Promise<ActPoint | null> {
  if (!(await isStable(query.element))) return null;
  const found = findActPoint(query);
  if (!hasScrolled(found)) return found;
  // The page may scroll on by itself, or show a bar that covers what came into view.
  await nextAnimationFrame();
  // In a frame that was out of sight nothing had moved before.
  if (!(await isStable(query.element))) return null;
  const after = findActPoint(query);
  return hasScrolled(after) ? null : after;
}

/** The same point up to the page's viewport, when that is asked for; what covers it there is in the way, too. */
async function carriedUp(
  found: ActPoint,
  { receives }: Demands,
  { isCarriedUp, countersigns }: PrepareOptions,
): Promise<ActPoint> {
  if (found.kind !== 'ready' || !isCarriedUp || !countersigns) return found;
  return carryOn(found, { mustReceive: receives, countersigns });
}

function hasScrolled(found: ActPoint): boolean {
  return found.kind === 'ready' && found.hasScrolled === true;
}

function obstacle({ element, place }: Subject, demands: Demands): BlockedReason | null {
  const invisibility = demands.visible ? invisibilityOf(place) : null;
  if (invisibility) return invisibility;
  if (demands.visible && isInert(place)) return 'inert';
  if (demands.enabled && isDisabledForActing(element)) return 'disabled';
  return demands.editable && isReadOnly(element) && !becomesWritable(element) ? 'read-only' : null;
}

/** What has no box takes up no point, also where nothing else is asked of it. */
function nowhere({ place }: Subject): BlockedReason | null {
  const { width, height } = boxOf(place);
  return width === 0 && height === 0 ? invisibilityOf(place) : null;
}

// Some pages lift `readonly` when the field gets the focus.
function becomesWritable(element: Element): boolean {
  takeFocus(element);
  return !isReadOnly(element);
}

function act(
  { element, place }: Subject,
  found: ActPoint,
  { demands, options, target }: { demands: Demands; options: PrepareOptions; target: ElementTarget },
): Attempt {
  const { action } = options;
  if (found.kind === 'blocked' && demands.receives) {
    return { answer: blockedAnswer(element, found.reason, found.cover), isFinal: false };
  }
  const focusedBefore = action === 'focus' ? focusedElement() : undefined;
  const cover = focusFor(element, demands.focus);
  if (cover !== null && demands.editable) return { answer: blockedAnswer(element, 'covered', cover), isFinal: false };
  const ready = pointOf(found, place);
  const input = bringsEvent(element, ready, options) ? demands.input : null;
  if (!demands.continues) {
    const entry = action === 'fill' ? watchEntry(element, target) : undefined;
    const { watch } = arm({
      target: element,
      receiver: place,
      input,
      isChecked: demands.receives,
      scope: scopeOf(options),
      entry,
      ...(focusedBefore !== undefined && { focusedBefore }),
    });
    if (entry && input === 'keys') guardEntry(watch, entry);
  }
  if (action === 'drop' && ready.trail[0]) aimDrop(ready.trail[0]);
  return { answer: readyAnswer(element, ready, options), isFinal: true };
}

/** Whether this document sees the event; what is set and not typed brings none. */
function bringsEvent(element: Element, { trail: [point] }: ReadyPoint, { action }: PrepareOptions): boolean {
  if (action === 'fill') return textEntryOf(element) !== 'set';
  const taker = DEMANDS[action].receives && point ? elementAtPoint(point) : element;
  return !taker || !keepsEvents(taker);
}

/** Whether events that come to an element may stay within it: with the document of a frame, or with the browser's controls of a player. */
function keepsEvents(element: Element): boolean {
  if (element instanceof HTMLMediaElement) return element.controls || document.fullscreenElement === element;
  return mayHoldFrame(element);
}

/** What nobody is told of is looked at only where it decides what is done next. */
function scopeOf({ action, isReported = true }: PrepareOptions): WatchScope {
  if (isReported) return 'effects';
  return action === 'fill' || action === 'check' ? 'changes' : 'nothing';
}

/** Gives the focus as the action needs it; the tag of what keeps the element from having it, null when nothing does. */
function focusFor(element: Element, focus: Demands['focus']): string | null {
  if (focus === 'none') return null;
  if (!takeFocus(element)) return coverOf(element);
  // What a text field holds is selected when the first key comes, which spares the page a frame.
  if (focus === 'select-content' && !isTextControl(element)) selectContent(element);
  if (focus === 'caret-at-end') moveCaretToEnd(element);
  return null;
}

// A modal dialog makes what is behind it inert: it cannot be focused, and the dialog is what is hit there.
function coverOf(element: Element): string {
  const hit = elementAtPoint(pointAt(boxOf(element), 0.5, 0.5));
  return hit && !reaches(hit, element) ? coverPhrase(hit) : '<inert>';
}

type ReadyPoint = Extract<ActPoint, { kind: 'ready' }>;

function pointOf(found: ActPoint, place: Element): ReadyPoint {
  if (found.kind === 'ready') return found;
  const point = pointAt(boxOf(place), 0.5, 0.5);
  return { kind: 'ready', trail: [point] };
}

function readyAnswer(
  element: Element,
  { trail }: ReadyPoint,
  { action, identification, isReported = true }: PrepareOptions,
): Prepared {
  const checked = action === 'check' ? checkedStateOf(element) : undefined;
  const textEntry = action === 'fill' || action === 'type' || action === 'select' ? textEntryOf(element) : 'none';
  return {
    kind: 'ready',
    element: isReported ? describeElement(element) : labelElement(element),
    trail,
    textEntry,
    ...(action === 'scroll' && { pageHeight: pageHeightOf(element) }),
    ...(checked !== undefined && { checked }),
    ...(action === 'upload' && { takesFiles: isFileInput(element) }),
    ...(identification && { fingerprint: fingerprintOf(element, identification) }),
  };
}

function blockedAnswer(element: Element, reason: BlockedReason, cover?: string): Prepared {
  return { kind: 'blocked', reason, ...(cover !== undefined && { cover }), element: describeElement(element) };
}
