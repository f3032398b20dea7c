import { dependOn, measured, numberOf, unrecorded } from '../dependencies.ts';
import { fieldState } from '../element/controls.ts';
import { attributeOf, contains, hasAttribute, queryAll } from '../native.ts';
import { elementById, type TreeScope, treeScopeOf } from '../native-document.ts';
import { flatParent } from '../tree/composed-tree.ts';
import { memoised } from '../memo.ts';
import { ariaAttributeOf } from '../exploration/element-internals.ts';
import { hasVisibleText } from './text-builder.ts';

/** Resolves the ids in an attribute such as `aria-labelledby` in the element's own tree. */
export function referencedElements(element: Element, attribute: string): Element[] {
  if (!attributeOf(element, attribute)?.trim()) return [];
  measured(element, referenceNumbers, attribute);
  const elements = resolve(element, attribute);
  for (const found of elements) {
    dependOn(found);
    measured(found, fieldState);
  }
  return elements;
}

function resolve(element: Element, attribute: string): Element[] {
  const ids = attributeOf(element, attribute)?.trim() ?? '';
  const scope = treeScopeOf(element);
  if (!scope) return [];
  const elements: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = elementById(scope, id);
    if (found) elements.push(found);
  }
  return elements;
}

/** Identifies the referenced elements. Changes when an id moves to another element. */
function referenceNumbers(element: Element, attribute: string): string {
  return resolve(element, attribute).map(numberOf).join(' ');
}

/** Returns the elements that `aria-owns` references, except ancestors of the owner, which would form a cycle. */
export function ownedElements(owner: Element): Element[] {
  if (!hasAttribute(owner, 'aria-owns')) return [];
  return referencedElements(owner, 'aria-owns').filter((owned) => !contains(owned, owner));
}

/** Returns the `aria-owns` owner if there is one, else the parent in the flat tree. */
export function accessibleParent(element: Element): Element | null {
  const scope = hasAttribute(element, 'id') ? treeScopeOf(element) : null;
  const owner = scope && unrecorded(() => ownersIn(scope).get(element));
  if (owner) dependOn(owner);
  return owner ?? flatParent(element);
}

const ownersIn = memoised((scope: TreeScope): ReadonlyMap<Element, Element> => {
  const owners = new Map<Element, Element>();
  for (const owner of queryAll(scope, '[aria-owns]'))
    for (const owned of ownedElements(owner)) owners.set(owned, owner);
  return owners;
});

type LabelIndex = ReadonlyMap<Element, readonly HTMLLabelElement[]>;

export function labelsOf(element: Element): readonly HTMLLabelElement[] {
  const scope = treeScopeOf(element);
  const labels = (scope && labelIndexOf(scope).get(element)) ?? [];
  for (const label of labels) dependOn(label);
  return labels;
}

/** Returns the control that the label is for; `null` for other elements. */
export function controlOf(label: Element): HTMLElement | null {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  if (control) dependOn(control);
  // The field may be hidden, so that it is not visited itself.
  if (control) measured(control, fieldState);
  return control;
}

// `control.labels` searches the whole document on each call, so this indexes all labels once.
const labelIndexOf = memoised((scope: TreeScope): LabelIndex => {
  const index = new Map<Element, HTMLLabelElement[]>();
  for (const label of queryAll(scope, 'label')) {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (!control || !(label instanceof HTMLLabelElement)) continue;
    const known = index.get(control);
    if (known) known.push(label);
    else index.set(control, [label]);
  }
  return index;
});

export function ariaLabelOf(element: Element): string {
  const label = ariaAttributeOf(element, 'aria-label');
  return label !== null && hasVisibleText(label) ? label : '';
}

/** True if `aria-label` has text or `aria-labelledby` refers to an element. */
export function hasAriaName(element: Element): boolean {
  if (ariaLabelOf(element) !== '') return true;
  return hasAttribute(element, 'aria-labelledby') && referencedElements(element, 'aria-labelledby').length > 0;
}

/** True if the author named the element with `aria-labelledby`, `aria-label` or `title`. */
export function hasAuthorName(element: Element): boolean {
  return hasAriaName(element) || hasVisibleText(attributeOf(element, 'title') ?? '');
}
