import type { AriaAttributes } from '../cdp-facts.ts';
import { reportChange } from '../dependencies.ts';
import { attributeOf, isConnected, localNameOf, parentElementOf } from '../native.ts';

/** What custom elements set through `ElementInternals`. Scripts of other worlds cannot read it, so CDP reports it. */
const attributesByElement = new WeakMap<Element, AriaAttributes>();
/** False on most pages, where reading an attribute costs nothing more. */
let isAnyKnown = false;

/** Tags of which an instance has a role, name or state from its internals. */
const usingTags = new Set<string>();

/** Returns an ARIA attribute, or what the element's internals set instead; `null` if neither is set. */
export function ariaAttributeOf(element: Element, name: string): string | null {
  return attributeOf(element, name) ?? (isAnyKnown ? (attributesByElement.get(element)?.[name] ?? null) : null);
}

export function hasInternals(element: Element): boolean {
  return isAnyKnown && Object.keys(attributesByElement.get(element) ?? {}).length > 0;
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

export function tagsWithInternals(): readonly string[] {
  return Array.from(usingTags, (tag) => CSS.escape(tag));
}

/** Returns true if the element is in the document and something is different. */
export function storeInternals(element: Element, attributes: AriaAttributes): boolean {
  if (Object.keys(attributes).length > 0) usingTags.add(localNameOf(element));
  if (JSON.stringify(attributesByElement.get(element) ?? {}) === JSON.stringify(attributes)) return false;
  reportChange(element);
  attributesByElement.set(element, attributes);
  isAnyKnown = true;
  return isConnected(element);
}
