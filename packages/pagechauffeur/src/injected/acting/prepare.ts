import type {
  CallId,
  DocumentOrigin,
  ElementTarget,
  KeyStroke,
  Prepared,
  PrepareOptions,
  Unexplored,
  WatchScope,
} from '../contract.ts';
import { coverPhrase, describeElement, labelElement } from '../element/describe.ts';
import { markOutdated } from '../exploration/custom-elements.ts';
import { fingerprintOf } from '../fingerprint/fingerprint.ts';
import { isFocusable } from '../element/controls.ts';
import { mayHoldFrame } from '../tree/frames.ts';
import { elementAtPoint } from './point/hit-target.ts';
import { type ActPoint, findActPoint, type PointQuery } from './point/act-point.ts';
import { nextAnimationFrame } from './settling/animation-frame.ts';
import { arm } from './pending-action.ts';
import {
  blockedAnswer,
  type Demands,
  DEMANDS,
  findSubject,
  modalInFrontOf,
  type Obstacle,
  obstacleOf,
} from './demands.ts';
import { mapTrailToAncestors, verifyFramePath } from './point/ancestor-frames.ts';
import { awaitText } from './input/closed-to-keys.ts';
import { type Entry, type InputObserver, watchEntry } from './input/input-observer.ts';
import { boxOf, pointAt } from './point/geometry.ts';
import { HiddenParts } from './effects/hidden-parts.ts';
import { rootOf } from '../native.ts';
import { beginKeys, closePopupsOfOthers } from './input/key-run.ts';
import { aimDrop } from './input/native-drag.ts';
import { isPastTheEnd, Wait } from './wait.ts';
import { pageHeightOf } from './point/scroll.ts';
import { isStable } from './settling/stability.ts';
import { hasPopup } from './input/suggestions.ts';
import { checkedStateOf, fileCapacityOf, type Subject, hidesCheckedState } from './subject.ts';
import {
  becomesWritable,
  focusedElement,
  focusHolderOf,
  isTextControl,
  moveCaretToEnd,
  selectContent,
  takeFocus,
  textEntryOf,
} from './input/text-entry.ts';
import { takesPress } from '../snapshot/clickable/listened.ts';
import type { HiddenFieldEditor } from '../element/hidden-field-editor.ts';
import { planInEditor, type PlannedPart, planPart, type RefusedPart } from '../values/text-part.ts';
import type { EffectWatch } from './effects/effect-watch.ts';
import { startTimer } from './timer.ts';

/** Actions that replace text and report whether the field accepted it. */
const ENTERING: ReadonlySet<PrepareOptions['action']> = new Set(['fill', 'edit']);
/** Actions whose `ready` result says how text is entered into the element. */
const TYPED: ReadonlySet<PrepareOptions['action']> = new Set(['fill', 'edit', 'type', 'select']);

interface Attempt {
  readonly answer: Prepared | Unexplored;
  /** True if waiting cannot change the result. */
  readonly isFinal: boolean;
}

/** Waits until the element is actionable, scrolls it into view, and prepares the document for the input. */
export async function prepare(
  target: ElementTarget,
  options: PrepareOptions,
  call?: CallId,
): Promise<Prepared | Unexplored> {
  if (!(await verifyFramePath(options.framePath ?? [], options.nonces ?? []))) return { kind: 'elsewhere' };
  const wait = new Wait(options.timeout, call);
  try {
    for (;;) {
      const { answer, isFinal } = await attempt(target, options, wait);
      const isAbsent = answer.kind === 'none' && wait.elapsed >= (options.absentTimeout ?? options.timeout);
      if (isFinal || isAbsent || wait.isOver || isPastTheEnd(answer, wait)) return answer;
      await (answer.kind === 'blocked' && answer.reason === 'moving' ? wait.frame() : wait.change());
    }
  } finally {
    wait.close();
  }
}

async function attempt(target: ElementTarget, options: PrepareOptions, wait: Wait): Promise<Attempt> {
  const found = findSubject(target, options);
  if ('answer' in found) return found;
  const { subject, demands } = found;
  const obstacle = obstacleOf(found, options.action);
  if (obstacle && !(obstacle.reason === 'read-only' && becomesWritable(subject.element)))
    return { answer: blockedAnswer(subject.element, obstacle), isFinal: false };
  const query = {
    element: subject.receiver,
    position: options.position,
    mustReceive: demands.receives,
    isDrop: options.action === 'drop',
  };
  const localPoint = demands.receives ? await stablePoint(query) : findActPoint(query);
  const point = localPoint && (await mappedToPage(localPoint, demands, options));
  if (point === null) return { answer: blockedAnswer(subject.element, { reason: 'moving' }), isFinal: false };
  if (wait.isCancelled) return { answer: blockedAnswer(subject.element, { reason: 'hidden' }), isFinal: true };
  return act(subject, point, { demands, options, target });
}

/** Returns null while the element moves, or if the page scrolls it out of view again. */
async function stablePoint(query: PointQuery): Promise<ActPoint | null> {
  if (!(await isStable(query.element))) return null;
  const found = findActPoint(query);
  if (!hasScrolled(found)) return found;
  // The page may continue to scroll, or show a bar that covers the element.
  await nextAnimationFrame();
  // In a frame outside the viewport, animations run only after the scroll.
  if (!(await isStable(query.element))) return null;
  const after = findActPoint(query);
  if (!hasScrolled(after)) return after;
  // The page scrolled the element away again. Wait a frame, so that the next attempt does not use the position of this
  // scroll.
  await nextAnimationFrame();
  return null;
}

/**
 * With `mapsToAncestors`, maps the point to the viewport of the page. An element that covers it in an ancestor document
 * blocks the action, too.
 */
async function mappedToPage(
  found: ActPoint,
  { receives }: Demands,
  { mapsToAncestors, nonces }: PrepareOptions,
): Promise<ActPoint> {
  if (found.kind !== 'ready' || !mapsToAncestors || !nonces) return found;
  return mapTrailToAncestors(found, { mustReceive: receives, nonces });
}

function hasScrolled(found: ActPoint): boolean {
  return found.kind === 'ready' && found.hasScrolled === true;
}

function act(
  subject: Subject,
  found: ActPoint,
  { demands, options, target }: { demands: Demands; options: PrepareOptions; target: ElementTarget },
): Attempt {
  const { action } = options;
  const { element, receiver, editor } = subject;
  if (found.kind === 'blocked' && demands.receives) {
    return { answer: blockedAnswer(element, found), isFinal: found.reason === 'point-outside' };
  }
  const scope = scopeOf(options);
  // Focus may already reveal elements, so this comes first.
  const hidden = scope === 'effects' && !demands.continues ? new HiddenParts(element) : undefined;
  const focusedBefore = action === 'focus' ? focusedElement() : undefined;
  // The keys that come later select text and move the caret in an editor.
  const focusObstacle = focusFor(element, editor && demands.focus !== 'none' ? 'give' : demands.focus);
  if (focusObstacle && demands.editable) return { answer: blockedAnswer(element, focusObstacle), isFinal: false };
  const plan = planOf(subject, options);
  if (plan?.kind === 'refused')
    return { answer: { kind: 'refused', reason: plan.reason, element: describeElement(element) }, isFinal: true };
  if (plan && !editor && !isTextControl(element)) plan.select();
  const ready = pointOf(found, receiver);
  const input = bringsEvent(element, ready, options) ? demands.input : null;
  if (!demands.continues) {
    const entry = ENTERING.has(action)
      ? watchEntry(element, { target, editor, ...entryOf(options, plan, editor) })
      : undefined;
    if (ENTERING.has(action)) awaitText(options.owner.token);
    const { watch } = arm(options.owner, {
      target: element,
      receiver,
      input,
      isChecked: demands.receives,
      scope,
      entry,
      hidden,
      ...(focusedBefore !== undefined && { focusedBefore }),
    });
    if (entry && input === 'keys') guardEntry(watch, entry);
    const strokes = input === 'keys' ? strokesFor(options, editor) : undefined;
    if (strokes) beginKeys(options.owner.token, element, strokes);
  }
  if (action === 'drop' && ready.trail[0]) aimDrop(ready.trail[0]);
  const answer = readyAnswer(subject, ready, options);
  markOutdated(element);
  return { answer: plan ? { ...answer, insertion: plan.insertion } : answer, isFinal: true };
}

/** Text that a single key types is not inserted, except in an editor, whose text the same insertion replaces. */
function entryOf(
  { part, text, strokes }: PrepareOptions,
  plan: PlannedPart | undefined,
  editor: HiddenFieldEditor | undefined,
): Pick<Entry, 'change' | 'insertion'> {
  const inserted = plan?.insertion ?? (strokes && !editor ? undefined : text);
  return {
    change: part && plan && { part, whole: plan.whole },
    // An editor deletes its text at a key, which needs no insertion.
    insertion: editor && inserted === '' ? undefined : inserted,
  };
}

function planOf(
  { element, editor }: Subject,
  { action, part, text }: PrepareOptions,
): PlannedPart | RefusedPart | undefined {
  if (editor?.isTerminal && action === 'fill' && text === '') return REFUSED_CLEARING;
  return part && (editor ? planInEditor(part) : planPart(element, part));
}

const REFUSED_CLEARING: RefusedPart = {
  kind: 'refused',
  reason: 'the text of a terminal cannot be removed. To clear its current line, press a key such as Control+U.',
};

/** In an editor, typing starts with the key that moves the caret to the end of the text. */
function strokesFor(
  { action, strokes, endStroke }: PrepareOptions,
  editor: HiddenFieldEditor | undefined,
): readonly KeyStroke[] | undefined {
  if (!editor || !strokes) return strokes;
  if (ENTERING.has(action)) return undefined;
  return action === 'type' && endStroke && !editor.isTerminal ? [endStroke, ...strokes] : strokes;
}

/** Maximum ms until the key that ends a text entry arrives. */
const LONGEST_ENTRY = 1000;

/**
 * At the keyup that ends a text entry, inserts text that has not arrived. Stops the keyup if the page ignored the text,
 * so that the caller can type it with keys, and if no editable element has focus.
 */
function guardEntry(watch: EffectWatch, entry: InputObserver): void {
  const stopTimer = startTimer(end, LONGEST_ENTRY);
  function end(): void {
    stopTimer();
    entry.guard = null;
  }
  entry.guard = (event) => {
    if (event.type !== 'keyup') return;
    const wasInserted = entry.insert();
    const { reach } = entry;
    const isTaken = watch.hasSeenEffect() || entry.isAccepted;
    entry.isIgnored = wasInserted && reach === 'field' && !isTaken;
    if (entry.isIgnored || reach === 'none') event.stopImmediatePropagation();
    end();
  };
}

/** False if no input event is expected in this document, for example because the value is set without typing. */
function bringsEvent(element: Element, { trail: [point] }: ReadyPoint, { action }: PrepareOptions): boolean {
  if (ENTERING.has(action)) return textEntryOf(element) !== 'set';
  const taker = DEMANDS[action].receives && point ? elementAtPoint(point) : element;
  return !taker || !keepsEvents(taker);
}

/** True if this document may not see the events of the element: a frame, or a media player with browser controls. */
function keepsEvents(element: Element): boolean {
  if (element instanceof HTMLMediaElement) return element.controls || document.fullscreenElement === element;
  return mayHoldFrame(element);
}

/** Without a report, observes effects only for actions whose next step depends on them. */
function scopeOf({ action, isReported = true }: PrepareOptions): WatchScope {
  if (isReported) return 'effects';
  return ENTERING.has(action) || action === 'check' ? 'changes' : 'nothing';
}

/** Returns what prevents focus; null on success. */
function focusFor(element: Element, focus: Demands['focus']): Obstacle | null {
  if (focus === 'none') return null;
  closePopupsOfOthers(element);
  if (!takeFocus(element)) return focusObstacleOf(element);
  // `InputObserver` selects the text of a text control at its first key, which saves a frame.
  if (focus === 'select-content' && !isTextControl(element)) selectContent(element);
  if (focus === 'caret-at-end') moveCaretToEnd(element);
  return null;
}

function focusObstacleOf(element: Element): Obstacle {
  const modal = modalInFrontOf(element);
  if (modal) return { reason: 'covered', cover: coverPhrase(modal) };
  if (!isFocusable(focusHolderOf(element))) return { reason: 'not-focusable' };
  const focused = focusedElement();
  // Without a focused element, the body is the active element.
  const isHeldByOther = focused !== null && !(focused instanceof HTMLBodyElement);
  return { reason: 'unfocused', ...(isHeldByOther && { cover: coverPhrase(focused) }) };
}

type ReadyAnswer = Extract<Prepared, { kind: 'ready' }>;
type ReadyPoint = Extract<ActPoint, { kind: 'ready' }>;

function pointOf(found: ActPoint, receiver: Element): ReadyPoint {
  if (found.kind === 'ready') return found;
  const point = pointAt(boxOf(receiver), 0.5, 0.5);
  return { kind: 'ready', trail: [point] };
}

function readyAnswer(
  { element, editor }: Subject,
  { trail }: ReadyPoint,
  { action, identification, needsOrigin, expected, isReported = true }: PrepareOptions,
): ReadyAnswer {
  const checked = action === 'check' && !hidesCheckedState(element) ? checkedStateOf(element) : undefined;
  const textEntry = TYPED.has(action) ? textEntryOf(element) : 'none';
  return {
    kind: 'ready',
    element: isReported ? describeElement(element) : labelElement(element),
    trail,
    textEntry,
    ...(editor && { editor: editor.isTerminal ? 'terminal' : 'text' }),
    ...(action === 'scroll' && { pageHeight: pageHeightOf(element) }),
    ...(checked !== undefined && { checked }),
    ...(action === 'click' && (expected?.takesPress || takesPress(element)) && { takesPress: true }),
    ...(action === 'upload' && { takesFiles: fileCapacityOf(element) }),
    ...(isReported && isText(action) && { hasPopup: hasPopup(element), isInShadow: rootOf(element) !== document }),
    ...(identification && { fingerprint: fingerprintOf(element, identification) }),
    ...(needsOrigin && { document: documentOrigin() }),
  };
}

function isText(action: PrepareOptions['action']): boolean {
  return action === 'fill' || action === 'type';
}

/** The isolated world is safe to read: the page cannot redefine its `self` and `location`. */
export function documentOrigin(): DocumentOrigin {
  const { origin } = self;
  const { ancestorOrigins } = location;
  return { origin, top: ancestorOrigins[ancestorOrigins.length - 1] ?? origin };
}
