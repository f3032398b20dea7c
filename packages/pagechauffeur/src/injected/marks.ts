const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'role',
  'tabindex',
  'title',
]);

/** Whether any attribute says what an element is, how it is or what it does, beyond what its tag says. */
export function hasMarks(element: Element): boolean {
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    if (markNames.has(name) || name.startsWith('aria-') || name.startsWith('on')) return true;
  }
  return false;
}
