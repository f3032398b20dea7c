import type { AriaAttributes, InternalsToRead, NotedInternals, ReportedInternals } from '../cdp-facts.ts';
import { takeCustomElementChanges, watchCustomElements } from './custom-element-changes.ts';
import { hasInternals, storeInternals } from './element-internals.ts';
import { attributeOf, checkVisibility, hasAttribute, isConnected, localNameOf, matches } from '../native.ts';
import { possibleHostsInDocument, shadowRootsBelow } from '../tree/composed-walk.ts';
import { keepListening } from '../own-listeners.ts';
import { hasMarks } from '../aria/states.ts';
import { isListenedTo } from '../snapshot/clickable/listened.ts';
import { tagFactsOf } from '../tree/tags.ts';

/** Maximum number of elements with internals per document. */
const MAX_ELEMENTS = 500;
/** With more elements, only one of each kind is requested at first: each takes the browser 0.3 ms. */
const FEW = 100;
/** CDP describes an element with all its attributes, so an element with more characters in them is left out. */
const MAX_ATTRIBUTE_CHARACTERS = 10_000;
/** In ms. A kind that uses no internals waits longer before each further request. */
const RECHECK_DELAY = { first: 100, longest: 2000 };

/**
 * Elements of one tag with the same ARIA attributes. Attributes hide what the internals set, so an element with other
 * attributes can give another result.
 */
interface Kind {
  /** Elements that need no request, because they or another element of a plain kind had one. */
  requested: WeakSet<Element>;
  state: 'unknown' | 'plain' | 'using';
  /** The last element that appeared or changed after the request. */
  sample: Element | null;
  plainReadings: number;
  quietUntil: number;
}

/** The custom elements of a document. Replaced when the document is rewritten. */
class Queue {
  readonly kinds = new Map<string, Kind>();
  /** Elements that CDP has not reported yet. */
  readonly waiting = new Set<Element>();
  /** Elements that there was no time for. They wait for the next snapshot. */
  readonly postponed = new Set<Element>();
  /** Elements whose state a call needs now. */
  readonly needed = new Set<Element>();
  /** Elements that were hidden when CDP reported them. */
  readonly hidden = new Set<Element>();
  taken: readonly Element[] = [];
  /**
   * True once a custom element was seen that users may act on. In other documents no element is reported to CDP, because
   * the browser would have to build its accessibility tree.
   */
  hasControl = false;
  /** True if elements were skipped because there was no such element yet. */
  hasSkipped = false;
}

let queue = new Queue();

/** `document.open()` keeps the world of the injected script, but the new elements may be different ones. */
keepListening(() => {
  queue = new Queue();
});

/** Elements with internals by backend node ID. */
const known = new Map<number, WeakRef<Element>>();
const nodeByElement = new WeakMap<Element, number>();
let gone: number[] = [];
let hasMissed = false;
let mayHaveNewStates = false;

/** Call for each rendered custom element. `isNeeded`: a call looks for an element that it could be. */
export function noteCustomElement(element: Element, isNeeded = false): void {
  queue.hasControl ||=
    isNeeded || hasMarks(element) || isListenedTo(element) || getComputedStyle(element).cursor === 'pointer';
  if (queue.hasControl) addWaiting(element);
  else queue.hasSkipped = true;
}

/** Returns custom elements whose internals CDP has not reported yet. */
export function takeCustomElements(isNew: boolean): Element[] {
  if (isNew) noteAll();
  const wasMissing = takeMissed();
  if (queue.hasControl && (queue.hasSkipped || wasMissing)) {
    queue.hasSkipped = false;
    noteAll();
  }
  return takeWaiting();
}

function noteAll(): void {
  const hosts = shadowRootsBelow(document).map(({ host }) => host);
  for (const element of [...hosts, ...(possibleHostsInDocument() ?? [])])
    if (tagFactsOf(localNameOf(element)).isCustom && checkVisibility(element)) noteCustomElement(element);
}

function addWaiting(element: Element): void {
  const kind = kindOf(element);
  if (kind.requested.has(element) || queue.waiting.has(element) || queue.postponed.has(element)) return;
  if (!matches(element, ':defined') || matches(element, HIDDEN)) return;
  if (kind.state !== 'plain') {
    if (known.size < MAX_ELEMENTS) queue.waiting.add(element);
    return;
  }
  kind.requested.add(element);
  kind.sample = element;
}

/** Matches elements that the accessibility tree leaves out although they are rendered. */
const HIDDEN = ':is([aria-hidden="true" i], [inert]), :is([aria-hidden="true" i], [inert]) *';

function kindOf(element: Element): Kind {
  const names = Element.prototype.getAttributeNames.call(element).filter(isAriaName);
  const key = [localNameOf(element), ...names.toSorted()].join(' ');
  let kind = queue.kinds.get(key);
  if (!kind) {
    kind = { requested: new WeakSet(), state: 'unknown', sample: null, plainReadings: 0, quietUntil: 0 };
    queue.kinds.set(key, kind);
  }
  return kind;
}

function isAriaName(name: string): boolean {
  return name === 'role' || name.startsWith('aria-');
}

/** Returns true once after elements were skipped that can be requested now: search the document for them. */
function takeMissed(): boolean {
  const result = hasMissed;
  hasMissed = false;
  return result;
}

/** True if the internals of an element are unknown. Those that there was no time for do not count. */
export function hasWaiting(): boolean {
  noteChanges();
  return hasMissed || queue.waiting.size > 0 || samples().length > 0;
}

/** Returns the part of a snapshot's answer that says what CDP should report. */
export function internalsToRead(): InternalsToRead {
  noteChanges();
  const left = takeGone();
  const isOutdatedNow = mayHaveNewStates;
  mayHaveNewStates = false;
  return {
    customElements: queue.waiting.size + queue.postponed.size + samples().length + Number(hasMissed),
    ...(left.length > 0 && { goneInternals: left }),
    ...(isOutdatedNow && { mayHaveNewStates: true }),
  };
}

function takeGone(): readonly number[] {
  for (const [node, held] of known) {
    const element = held.deref();
    if (element && isConnected(element)) continue;
    // Those beyond the limit can take the place.
    hasMissed ||= known.size >= MAX_ELEMENTS;
    forgetNode(node, element);
  }
  const left = gone;
  gone = [];
  return left;
}

function forgetNode(node: number, element: Element | undefined): void {
  known.delete(node);
  gone.push(node);
  if (!element) return;
  nodeByElement.delete(element);
  if (!isConnected(element)) kindOf(element).requested.delete(element);
}

/** An element that changed may have got a role at the same time. */
function noteChanges(): void {
  const { hasChanged, elements } = takeCustomElementChanges();
  if (!hasChanged) return;
  mayHaveNewStates = true;
  for (const element of elements) {
    const kind = kindOf(element);
    if (!kind.requested.has(element) || !isRendered(element) || nodeByElement.has(element)) continue;
    kind.sample = element;
  }
  for (const element of queue.hidden) {
    const kind = kindOf(element);
    if (!isConnected(element)) queue.hidden.delete(element);
    if (!isRendered(element) || performance.now() < kind.quietUntil) continue;
    queue.hidden.delete(element);
    kind.requested.delete(element);
    addWaiting(element);
  }
}

function isRendered(element: Element): boolean {
  return isConnected(element) && checkVisibility(element) && !matches(element, HIDDEN);
}

function samples(): readonly Element[] {
  return [...queue.kinds.values()].flatMap(({ sample, quietUntil }) =>
    sample && isConnected(sample) && performance.now() >= quietUntil ? sample : [],
  );
}

/** Returns the next elements for CDP. */
function takeWaiting(): Element[] {
  for (const element of queue.taken) if (!kindOf(element).requested.has(element)) queue.postponed.add(element);
  noteChanges();
  watchCustomElements();
  const next = [...queue.needed, ...samples()];
  for (const element of next) {
    const kind = kindOf(element);
    kind.sample = null;
    kind.requested.delete(element);
  }
  queue.needed.clear();
  next.push(...nextWaiting(MAX_ELEMENTS - known.size));
  queue.taken = [...new Set(next)].filter((element) => isConnected(element) && isDescribable(element));
  return [...queue.taken];
}

function nextWaiting(most: number): Element[] {
  const isFew = queue.waiting.size + queue.postponed.size <= FEW;
  const asked = new Set<Kind>();
  const next: Element[] = [];
  for (const element of [...queue.waiting, ...queue.postponed]) {
    const kind = kindOf(element);
    const isNext = isFew || kind.state === 'using' || !asked.has(kind);
    if (isNext && next.length >= most) break;
    asked.add(kind);
    if (!isNext) continue;
    queue.waiting.delete(element);
    queue.postponed.delete(element);
    next.push(element);
  }
  if (next.length >= most) for (const elements of [queue.waiting, queue.postponed]) elements.clear();
  return next;
}

function isDescribable(element: Element): boolean {
  const names = Element.prototype.getAttributeNames.call(element);
  const characters = names.reduce((sum, name) => sum + name.length + (attributeOf(element, name)?.length ?? 0), 0);
  if (characters > MAX_ATTRIBUTE_CHARACTERS) kindOf(element).requested.add(element);
  return characters <= MAX_ATTRIBUTE_CHARACTERS;
}

/** Stores what CDP reported. `found` and `elements` correspond by index. */
export function noteInternals(found: readonly ReportedInternals[], ...elements: readonly unknown[]): NotedInternals {
  const used: number[] = [];
  const plain = new Set<Kind>();
  let isChanged = false;
  elements.forEach((element, index) => {
    const reported = found[index];
    if (!reported || !(element instanceof Element)) return;
    const { node, attributes } = reported;
    const kind = kindOf(element);
    noteReported(element, kind);
    if (attributes === null) {
      queue.hidden.add(element);
      plain.add(kind);
      return;
    }
    const own = withoutOwn(element, attributes);
    const isNew = !hasInternals(element);
    isChanged = storeInternals(element, own) || isChanged;
    if (Object.keys(own).length === 0) {
      notePlain(element, kind, node);
      plain.add(kind);
    } else {
      noteUsing(element, kind, { node, isNew });
      used.push(index);
    }
  });
  for (const kind of plain) wait(kind);
  // A sample stands for the others of a plain kind.
  for (const element of [...queue.waiting, ...queue.postponed]) {
    const kind = kindOf(element);
    if (kind.state !== 'plain') continue;
    kind.requested.add(element);
    queue.waiting.delete(element);
    queue.postponed.delete(element);
  }
  return { isChanged, used, gone: takeGone() };
}

function noteReported(element: Element, kind: Kind): void {
  if (currentSince.has(element)) currentSince.set(element, performance.now());
  kind.requested.add(element);
  queue.waiting.delete(element);
  queue.postponed.delete(element);
  queue.hidden.delete(element);
}

function notePlain(element: Element, kind: Kind, node: number): void {
  if (nodeByElement.has(element)) forgetNode(node, element);
  if (kind.state === 'unknown') kind.state = 'plain';
}

function noteUsing(element: Element, kind: Kind, { node, isNew }: { node: number; isNew: boolean }): void {
  // Others of the kind may use their internals by now.
  if (isNew && kind.plainReadings > 0) {
    kind.requested = new WeakSet([element]);
    hasMissed = true;
  }
  Object.assign(kind, { state: 'using', plainReadings: 0, quietUntil: 0 });
  known.set(node, new WeakRef(element));
  nodeByElement.set(element, node);
}

function wait(kind: Kind): void {
  const { first, longest } = RECHECK_DELAY;
  const delay = kind.plainReadings === 0 ? 0 : Math.min(first * 2 ** kind.plainReadings, longest);
  kind.plainReadings += 1;
  kind.quietUntil = performance.now() + delay;
}

function withoutOwn(element: Element, attributes: AriaAttributes): AriaAttributes {
  const isLabelled = hasAttribute(element, 'aria-labelledby');
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name]) => !hasAttribute(element, name) && !(name === 'aria-label' && isLabelled),
    ),
  );
}

/** In ms. A call that waits for a state requests it again after this time. */
const CURRENT_FOR = 200;
/** When calls requested the states of elements, or CDP reported them after that. */
const currentSince = new WeakMap<Element, number>();

/**
 * True if the internals of the element may have changed since CDP reported them. They are then requested again: call
 * CDP, then repeat the call.
 */
export function isOutdated(element: Element): boolean {
  if (!localNameOf(element).includes('-') || !matches(element, ':defined')) return false;
  if (performance.now() - (currentSince.get(element) ?? Number.NEGATIVE_INFINITY) < CURRENT_FOR) return false;
  // Set before the report, so that an element that CDP cannot report is not requested forever.
  currentSince.set(element, performance.now());
  queue.needed.add(element);
  return true;
}

/** Call when input may change the states, and after a call that needed them. */
export function markOutdated(element: Element): void {
  mayHaveNewStates = true;
  currentSince.delete(element);
}
