const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'role',
  'tabindex',
  'title',
]);

/** True for an attribute that may change an element's role, state or behavior. */
export function isMarkName(name: string): boolean {
  return markNames.has(name) || name.startsWith('aria-') || name.startsWith('on');
}

/** True if the element has such an attribute. */
export function hasMarks(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some(isMarkName);
}
