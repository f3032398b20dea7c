const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'role',
  'tabindex',
  'title',
]);

/** True if an attribute with this name says something about the element's role, state or behavior that its tag does not. */
export function isMarkName(name: string): boolean {
  return markNames.has(name) || name.startsWith('aria-') || name.startsWith('on');
}

/** True if an attribute of the element does. */
export function hasMarks(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some(isMarkName);
}
