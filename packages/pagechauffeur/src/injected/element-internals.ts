import type { AriaAttributes, NotedInternals } from './cdp-facts.ts';
import { reportChange } from './dependencies.ts';
import { attributeOf, hasAttribute, isConnected, localNameOf, matches, parentElementOf } from './native.ts';

/** What custom elements set through `ElementInternals`. Scripts of other worlds cannot read it, so CDP reports it. */
const attributesByElement = new WeakMap<Element, AriaAttributes>();
/** False on most pages, where reading an attribute costs nothing more. */
let isAnyKnown = false;

/** Tags with an instance that uses `ElementInternals` for accessibility, and tags whose instances do not. */
const usingTags = new Set<string>();
const plainTags = new Set<string>();
/** Elements that CDP has not reported yet. */
const waiting = new Set<Element>();
const requested = new WeakSet<Element>();

/** With more elements, only one of each tag is requested at first: each takes the browser 0.3 ms. */
const FEW = 100;
/** CDP describes an element with all its attributes, so an element with more characters in them is left out. */
const MAX_ATTRIBUTE_CHARACTERS = 10_000;

/** Returns an ARIA attribute, or what the element's internals set instead; `null` if neither is set. */
export function ariaAttributeOf(element: Element, name: string): string | null {
  return attributeOf(element, name) ?? (isAnyKnown ? (attributesByElement.get(element)?.[name] ?? null) : null);
}

export function hasInternals(element: Element): boolean {
  return isAnyKnown && attributesByElement.has(element);
}

/** Returns the role that the internals set, for an element without a `role` attribute. */
export function internalRoleOf(element: Element): string | null {
  return isAnyKnown ? (attributesByElement.get(element)?.['role'] ?? null) : null;
}

/** True if the internals of the element or an ancestor disable it. */
export function isDisabledByInternals(element: Element): boolean {
  if (!isAnyKnown) return false;
  for (let node: Element | null = element; node; node = parentElementOf(node))
    if (hasInternals(node) && ariaAttributeOf(node, 'aria-disabled') === 'true') return true;
  return false;
}

/** Tags of which an instance has a role, name or state from its internals. */
export function tagsWithInternals(): readonly string[] {
  return Array.from(usingTags, (tag) => CSS.escape(tag));
}

/** Call for a rendered custom element. */
export function addWaiting(element: Element): void {
  if (!requested.has(element) && !plainTags.has(localNameOf(element)) && matches(element, ':defined'))
    waiting.add(element);
}

export function customElementCount(): number {
  return waiting.size;
}

/** Returns the next elements for CDP, and removes them from those that wait. */
export function takeWaiting(most: number): Element[] {
  const isFew = waiting.size <= FEW;
  const tags = new Set<string>();
  const taken: Element[] = [];
  for (const element of waiting) {
    const tag = localNameOf(element);
    const isNext = isFew || usingTags.has(tag) || !tags.has(tag);
    if (isNext && taken.length === most) break;
    tags.add(tag);
    if (!isNext) continue;
    waiting.delete(element);
    requested.add(element);
    if (isConnected(element) && isDescribable(element)) taken.push(element);
  }
  // The others are beyond the limit.
  if (taken.length === most) waiting.clear();
  return taken;
}

function isDescribable(element: Element): boolean {
  const names = Element.prototype.getAttributeNames.call(element);
  return (
    names.reduce((sum, name) => sum + name.length + (attributeOf(element, name)?.length ?? 0), 0) <=
    MAX_ATTRIBUTE_CHARACTERS
  );
}

/** Stores what CDP reported. `found` and `elements` correspond by index. */
export function noteInternals(
  found: readonly (AriaAttributes | null)[],
  ...elements: readonly unknown[]
): NotedInternals {
  const used: number[] = [];
  let isChanged = false;
  const tags = new Set<string>();
  elements.forEach((element, index) => {
    if (!(element instanceof Element)) return;
    const tag = localNameOf(element);
    const attributes = withoutOwn(element, found[index] ?? {});
    tags.add(tag);
    currentSince.set(element, performance.now());
    if (Object.keys(attributes).length > 0) {
      usingTags.add(tag);
      used.push(index);
    }
    isChanged = store(element, attributes) || isChanged;
  });
  for (const tag of tags) if (!usingTags.has(tag)) plainTags.add(tag);
  for (const element of waiting) if (plainTags.has(localNameOf(element))) waiting.delete(element);
  return { isChanged, used };
}

function withoutOwn(element: Element, attributes: AriaAttributes): AriaAttributes {
  const isLabelled = hasAttribute(element, 'aria-labelledby');
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name]) => !hasAttribute(element, name) && !(name === 'aria-label' && isLabelled),
    ),
  );
}

/** Returns true if the element is in the document and something is different. */
function store(element: Element, attributes: AriaAttributes): boolean {
  if (JSON.stringify(attributesByElement.get(element) ?? {}) === JSON.stringify(attributes)) return false;
  reportChange(element);
  attributesByElement.set(element, attributes);
  isAnyKnown = true;
  return isConnected(element);
}

/** In ms. A call that waits for a state requests it again after this time. */
const CURRENT_FOR = 100;
const currentSince = new WeakMap<Element, number>();

/**
 * True if the states of the element may have changed since CDP reported them. They are then requested again: call CDP,
 * then repeat the call.
 */
export function isOutdated(element: Element): boolean {
  if (!hasInternals(element)) return false;
  if (performance.now() - (currentSince.get(element) ?? Number.NEGATIVE_INFINITY) < CURRENT_FOR) return false;
  waiting.add(element);
  return true;
}

/** Call when input may change the states, and after a call that needed them. */
export function markOutdated(element: Element): void {
  if (isAnyKnown) currentSince.delete(element);
}
