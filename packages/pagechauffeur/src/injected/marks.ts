const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'role',
  'tabindex',
  'title',
]);

/** True if an attribute says something about the element's role, state or behavior that its tag does not. */
export function hasMarks(element: Element): boolean {
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    if (markNames.has(name) || name.startsWith('aria-') || name.startsWith('on')) return true;
  }
  return false;
}
