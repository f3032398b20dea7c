import { elementAtPoint } from './acting/point/hit-target.ts';
import { nextAnimationFrame } from './acting/settling/animation-frame.ts';
import { closeLikeParent, closeToKeys, pendingKeyTokens, openToKeys } from './acting/input/closed-to-keys.ts';
import { beginKeys, beginKeysAtFocus, endKeys, keysLeft } from './acting/input/key-run.ts';
import { arm, watchDocument, disarm, quietDuration } from './acting/pending-action.ts';
import { restOtherFrame, otherFrameEffects, watchOtherFrame } from './acting/effects/other-frame-effects.ts';
import { pointInFrame } from './acting/point/frame-geometry.ts';
import { isMoving } from './acting/settling/motion.ts';
import { isDragging, takesDrop, underDrag, watchDrags } from './acting/input/native-drag.ts';
import { localParent, mapThroughFrame, mapToParent } from './acting/point/owner-frames.ts';
import { installGuard } from './acting/input/pointer-guard.ts';
import { answerFrame, mapToAncestors, leadsInto } from './acting/point/ancestor-frames.ts';
import { answerFrames } from './acting/point/ancestor-messages.ts';
import { HiddenParts } from './acting/effects/hidden-parts.ts';
import type { ReadMethod } from './read-methods.ts';
import { awaitReady } from './acting/await-ready.ts';
import { documentOrigin, prepare } from './acting/prepare.ts';
import { read } from './acting/read.ts';
import { closestScroller, scrollTo } from './acting/point/scroll.ts';
import { settle, watchPage } from './acting/settling/settle.ts';
import { awaitSuggestions } from './acting/input/suggestions.ts';
import { focusedElement, insertText } from './acting/input/text-entry.ts';
import { installTransferGuard, refuseTransfers } from './acting/input/text-guard.ts';
import { waitFor } from './acting/locate-in-time.ts';
import { cancelWait } from './acting/wait.ts';
import { composedParent } from './tree/composed-tree.ts';
import type {
  ActionToken,
  CallId,
  ClickEventOptions,
  ElementOperation,
  ElementDescription,
  ElementTarget,
  InjectedProgram,
  KeyStroke,
  Point,
  Unexplored,
} from './contract.ts';
import { describeElement } from './element/describe.ts';
import { findAgain, fingerprintsOfRefs } from './fingerprint/fingerprint.ts';
import { frameElementOf, frameIdOf, heldFrames, isFrameElement } from './tree/frames.ts';
import { guardPageHide } from './acting/page-hide-guard.ts';
import { firstFinding, locate, type NotFound, resolve } from './selector/locate.ts';
import { withReadCache } from './memo.ts';
import { elementOfRef, refOf } from './refs.ts';
import { orUnexplored } from './exploration/unexplored.ts';
import { awaitFiles, receiveBytes, setFiles } from './values/files.ts';
import { beginChange, endChange } from './values/change.ts';
import { installChangeGate } from './values/change-gate.ts';
import { documentElementOf } from './native.ts';
import { xpathOf } from './tree/xpath.ts';
import { startTimer } from './acting/timer.ts';

installGuard();
closeLikeParent();
installChangeGate();
watchDrags();
installTransferGuard();
answerFrames(answerFrame);

/** All methods of the injected program except those in `read-methods.ts`. */
export const actingMethods: Omit<InjectedProgram, ReadMethod> = {
  resolve: (target) => orUnexplored(resolve(target)),
  heldFrames,
  firstFinding,
  element: elementOf,
  describe,
  xpaths,
  findAgain,
  fingerprints: fingerprintsOfRefs,
  describeOwner,
  describePoint,
  prepare,
  awaitReady,
  disarm: disarmAll,
  mapToParent,
  mapThroughFrame,
  mapToAncestors,
  leadsInto,
  watchDocument,
  armAt,
  watchOtherFrame,
  otherFrameEffects,
  restOtherFrame,
  beginChange,
  endChange,
  receiveBytes,
  setFiles,
  awaitFiles,
  beginKeysAtFocus: (token, strokes) => {
    beginKeysAtFocus(token, strokes);
    return documentOrigin();
  },
  beginTyping,
  keysLeft,
  endKeys,
  closeToKeys,
  openToKeys,
  pendingKeyTokens,
  insertAtFocus,
  settle,
  watchPage,
  awaitSuggestions,
  quietDuration: (motion) => (isMoving(motion) ? 0 : quietDuration(motion)),
  read,
  doTo,
  waitFor,
  scrollTo: (target, percent) => orUnexplored(scrollTo(target, percent)),
  painted: nextAnimationFrame,
  refOf: (element) => refOf(element as Element),
  guardPageHide,
  watchDrags,
  refuseTransfers,
  takesDrop,
  isDragging,
  underDrag,
  pointInFrame: pointInFrameOf,
  pointerMoved,
  tapped,
  cancel,
};

function elementOf(target: ElementTarget): Element | null {
  const located = locate(target);
  return located.kind === 'element' ? located.element : null;
}

function describe(target: ElementTarget): ElementDescription | null {
  const element = elementOf(target);
  return element && describeElement(element);
}

function xpaths(refs: readonly number[]): readonly (string | null)[] {
  return withReadCache(() => refs.map(xpathOfRef));
}

function xpathOfRef(ref: number): string | null {
  const element = elementOfRef(ref);
  return element && xpathOf(element);
}

function describeOwner(frameId: string): ElementDescription | null {
  const element = frameElementOf(frameId);
  return element && describeElement(element);
}

function describePoint(point: Point): ReturnType<InjectedProgram['describePoint']> {
  const element = elementAtPoint(point);
  if (!element) return null;
  if (!isFrameElement(element)) return { element: describeElement(element) };
  return { element: describeElement(element), frameId: frameIdOf(element), framePoint: pointInFrame(element, point) };
}

function armAt(owner: ActionToken, point: Point | null, isWheel: boolean): void {
  const subject = point ? subjectAtPoint(point, isWheel) : focusedElement();
  const target = subject ?? documentElementOf(document);
  const hidden = target ? new HiddenParts(target) : undefined;
  arm(owner, { target, receiver: null, input: null, isChecked: false, scope: 'effects', hidden });
}

function beginTyping(token: number, ref: number, strokes: readonly KeyStroke[]): void {
  const element = elementOfRef(ref);
  if (element) beginKeys(token, element, strokes);
}

function insertAtFocus(text: string): void {
  const focused = focusedElement();
  insertText(text, () => focusedElement() === focused);
}

/**
 * Returns the element to watch for state changes: the scroll container for a wheel event, the label around the hit
 * element, or the hit element itself.
 */
function subjectAtPoint(point: Point, isWheel: boolean): Element | null {
  const hit = elementAtPoint(point);
  if (isWheel) return hit && closestScroller(hit);
  for (let node = hit; node; node = composedParent(node)) if (node instanceof HTMLLabelElement) return node;
  return hit;
}

/** Also disarms same-origin parent documents, because `arm` has armed them. */
function disarmAll(token: number): void {
  disarm(token);
  endKeys(token);
  localParent()?.program.disarm(token);
}

function pointInFrameOf(frameId: string, point: Point): Point | null {
  const element = frameElementOf(frameId);
  return element && pointInFrame(element, point);
}

function cancel(call: CallId): void {
  cancelWait(call);
  localParent()?.program.cancel(call);
}

/** Maximum ms between a tap and its click. After that, the page is assumed to have prevented the click. */
const LONGEST_TAP = 1000;

async function tapped(owner: ActionToken): Promise<void> {
  arm(owner, { target: null, receiver: null, input: 'tap', isChecked: false, scope: 'nothing' });
  await settle({ owner, timeout: LONGEST_TAP, eventTimeout: LONGEST_TAP, frames: 0 });
}

function pointerMoved(timeout: number): Promise<boolean> {
  const moved = Promise.withResolvers<boolean>();
  const stopTimer = startTimer(end, timeout);
  addEventListener('mousemove', end, true);
  function end(event?: Event): void {
    if (event && !event.isTrusted) return;
    removeEventListener('mousemove', end, true);
    stopTimer();
    moved.resolve(event !== undefined);
  }
  return moved.promise;
}

function doTo(target: ElementTarget, operation: ElementOperation): { readonly kind: 'done' } | NotFound | Unexplored {
  const located = locate(target);
  if (located.kind !== 'element') return orUnexplored(located.answer);
  if (operation.kind === 'blur') blur(located.element);
  else sendClick(located.element, operation.event);
  return { kind: 'done' };
}

function blur(element: Element): void {
  if (element instanceof HTMLElement) HTMLElement.prototype.blur.call(element);
  else if (element instanceof SVGElement) SVGElement.prototype.blur.call(element);
}

function sendClick(
  element: Element,
  { bubbles = true, cancelable = true, composed = true, detail = 1 }: ClickEventOptions,
): void {
  const event = new MouseEvent('click', { bubbles, cancelable, composed, detail, view: window });
  EventTarget.prototype.dispatchEvent.call(element, event);
}
