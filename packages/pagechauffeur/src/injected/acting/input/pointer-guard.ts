import { keepListening } from '../../own-listeners.ts';
import type { Point } from '../../contract.ts';
import { shadowRootOf } from '../../tree/composed-tree.ts';
import { tagOf } from '../../element/describe.ts';
import { endLateText, isClosedToKeys } from './closed-to-keys.ts';
import { elementAtPoint, reaches } from '../point/hit-target.ts';
import { judgeKeys } from './key-run.ts';

export type AnnouncedInput = 'pointer' | 'tap' | 'hover' | 'keys';

/**
 * `begun`: the first event of the input hit the element; `complete`: the last one has arrived, too; `misdirected`:
 * another element was hit.
 */
export type Delivery =
  /** `elsewhere`: the last other element that the pointer entered. */
  | { readonly kind: 'awaited'; readonly elsewhere?: string }
  | { readonly kind: 'begun' }
  | { readonly kind: 'complete' }
  /** `isOver`: the button or finger is up. */
  | { readonly kind: 'misdirected'; readonly hit: string; readonly isOver: boolean };

interface Announcement {
  readonly token: number;
  /** The intended element. If it is null, a checked event may not hit this document. */
  readonly element: Element | null;
  readonly input: AnnouncedInput;
  /** True if an event that hits another element is stopped. */
  readonly isChecked: boolean;
  /** Receives every event before the page does, and can stop it. */
  readonly judge?: ((event: Event) => void) | undefined;
  delivery: Delivery;
  onProgress: () => void;
}

const KEY_EVENTS = [
  'keydown',
  'keypress',
  'keyup',
  'beforeinput',
  'textInput',
  'input',
  'copy',
  'cut',
  'paste',
] as const;
const FIRST: Readonly<Record<AnnouncedInput, ReadonlySet<string>>> = {
  pointer: new Set(['pointerdown', 'mousedown', 'touchstart']),
  tap: new Set(['pointerdown', 'touchstart']),
  hover: new Set(['pointermove', 'mousemove', 'pointerover', 'mouseover']),
  keys: new Set(['keydown', 'beforeinput', 'input']),
};
const LAST: Readonly<Record<AnnouncedInput, ReadonlySet<string>>> = {
  pointer: new Set(['mouseup', 'click', 'auxclick', 'contextmenu', 'touchend', 'pointercancel']),
  // The browser fires the mouse events of a tap after `touchend`.
  tap: new Set(['click', 'contextmenu', 'pointercancel']),
  hover: FIRST.hover,
  keys: new Set(['keyup', 'input']),
};
const UP: ReadonlySet<string> = new Set(['pointerup', 'mouseup', 'click', 'auxclick', 'touchend', 'pointercancel']);
const LISTENED = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'pointercancel',
  'pointermove',
  'mousemove',
  'pointerover',
  'mouseover',
  ...KEY_EVENTS,
] as const;
const OF_KEYS: ReadonlySet<string> = new Set(KEY_EVENTS);
/** Registered only while pointer input is expected, because non-passive touch listeners slow down scrolling. */
const TOUCH = ['touchstart', 'touchend'] as const;
const FINGER: ReadonlySet<AnnouncedInput> = new Set(['pointer', 'tap']);
/** Not `pointerover`, which the browser also fires when content appears under a pointer that does not move. */
const ACTIVE: ReadonlySet<string> = new Set(['pointermove', 'mousemove', 'pointerdown', 'mousedown']);

/** One per action in progress, outer ones first. The last one receives the next input. */
let announcements: readonly Announcement[] = [];
let hasPointerCome = false;

/** Registers listeners that run before those of the page. They have no effect while no event is expected. */
export function installGuard(): void {
  keepListening(listen);
}

// Adding a listener twice has no effect.
function listen(): void {
  for (const type of LISTENED) addEventListener(type, onEvent, true);
}

/** Announces the next trusted input event of an action. */
export function announce(details: Omit<Announcement, 'delivery' | 'onProgress'>): void {
  const announcement: Announcement = { ...details, delivery: { kind: 'awaited' }, onProgress: () => undefined };
  announcements = [...withoutThatOf(details.token), announcement];
  listen();
  if (FINGER.has(details.input))
    for (const type of TOUCH) addEventListener(type, onEvent, { capture: true, passive: false });
}

/** Returns null if the action expects no event. */
export function deliveryState(token: number): Delivery | null {
  return announcementOf(token)?.delivery ?? null;
}

/**
 * True if the pointer event never arrived. False if the pointer is over an element that may handle a press without DOM
 * events.
 */
export function isPointerLost(token: number): boolean {
  const announcement = announcementOf(token);
  if (announcement?.delivery.kind !== 'awaited' || announcement.input === 'keys') return false;
  const { element, input, isChecked } = announcement;
  // An unchecked event may hit any element, even outside this frame. Only the top document certainly receives it.
  if (!isChecked) return input !== 'hover' && top === window;
  if (element === null) return false;
  const isUnder = hasPointerCome && Element.prototype.matches.call(element, ':hover');
  return !isUnder || !Element.prototype.matches.call(element, MAY_BE_SILENT);
}

/**
 * Elements that can handle a press without DOM events: disabled ones, and those that the browser or a plug-in handles.
 */
const MAY_BE_SILENT = ':disabled, :disabled *, select, option, embed, object, video, audio, iframe, frame';

/** Sets a callback for each trusted event until the announcement is withdrawn. */
export function onDeliveryProgress(token: number, callback: () => void): void {
  const announcement = announcementOf(token);
  if (announcement) announcement.onProgress = callback;
}

export function withdrawAnnouncement(token: number): void {
  announcements = withoutThatOf(token);
  if (!announcements.some(({ input }) => FINGER.has(input)))
    for (const type of TOUCH) removeEventListener(type, onEvent, true);
}

function announcementOf(token: number): Announcement | undefined {
  return announcements.find((announcement) => announcement.token === token);
}

function withoutThatOf(token: number): readonly Announcement[] {
  return announcements.filter((announcement) => announcement.token !== token);
}

function onEvent(event: Event): void {
  if (!event.isTrusted) return;
  if (OF_KEYS.has(event.type) && isKeptOut(event)) return;
  hasPointerCome ||= ACTIVE.has(event.type);
  const announcement = announcements.at(-1);
  if (!announcement) return;
  const { input, delivery } = announcement;
  if (delivery.kind === 'misdirected') {
    stopIfOfPointer(event);
    if (UP.has(event.type)) endMisdirected(announcement, delivery.hit);
    return;
  }
  if (delivery.kind === 'awaited' && FIRST[input].has(event.type)) begin(announcement, event);
  else if (delivery.kind === 'begun' && LAST[input].has(event.type)) announcement.delivery = { kind: 'complete' };
  if (input === 'tap' && event instanceof TouchEvent) endWhenPrevented(announcement, event);
  announcement.judge?.(event);
  announcement.onProgress();
}

/** Returns true if the event was stopped, because it was meant for another document or element. */
function isKeptOut(event: Event): boolean {
  if (!isClosedToKeys()) judgeKeys(event);
  else if (event.type !== 'input') {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'keyup') endLateText();
  }
  return event.cancelBubble;
}

function endMisdirected(current: Announcement, hit: string): void {
  current.delivery = { kind: 'misdirected', hit, isOver: true };
  current.onProgress();
}

function begin(current: Announcement, event: Event): void {
  const { element, input, isChecked } = current;
  if (isChecked && !(element && landsOn(event, element))) {
    const hit = hitTagOf(event);
    current.delivery =
      input === 'hover' ? { kind: 'awaited', elsewhere: hit } : { kind: 'misdirected', hit, isOver: false };
    stopIfOfPointer(event);
    return;
  }
  current.delivery = { kind: LAST[input].has(event.type) ? 'complete' : 'begun' };
}

// A page that cancels touch events gets no mouse events after them. Its touch listeners have run when the timer fires.
function endWhenPrevented(current: Announcement, event: TouchEvent): void {
  setTimeout(() => {
    if (!event.defaultPrevented || current.delivery.kind !== 'begun') return;
    current.delivery = { kind: 'complete' };
    current.onProgress();
  });
}

// Pages need move events to see the pointer leave, so these are never stopped.
function stopIfOfPointer(event: Event): void {
  if (FIRST.hover.has(event.type) || event instanceof KeyboardEvent || event instanceof InputEvent) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function landsOn(event: Event, element: Element): boolean {
  const hit = hitOf(event);
  return hit !== null && reaches(hit, element);
}

function hitTagOf(event: Event): string {
  const hit = hitOf(event);
  return hit ? tagOf(hit) : '<nothing>';
}

// The composed path ends at the host of a closed shadow root. If the root is registered, the point leads to the inner
// element.
function hitOf(event: Event): Element | null {
  const [innermost] = event.composedPath();
  if (!(innermost instanceof Element)) return null;
  return shadowRootOf(innermost) ? (elementAtPoint(pointOf(event)) ?? innermost) : innermost;
}

function pointOf(event: Event): Point {
  const pointer = event instanceof TouchEvent ? event.touches[0] : (event as MouseEvent);
  return { x: pointer?.clientX ?? 0, y: pointer?.clientY ?? 0 };
}
